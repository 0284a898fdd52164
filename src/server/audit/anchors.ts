import { appendFile, open, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { isMissing } from "../files/folders.ts";

const Anchor = z.object({ at: z.iso.datetime(), tenant: z.uuid(), seq: z.number().int(), hash: z.string() });

/**
 * The head of a tenant's audit chain at one moment, kept outside the database, because nothing inside it shows that the end of the chain
 * was cut off together with its head.
 */
export type Anchor = Readonly<z.infer<typeof Anchor>>;

const fileOf = (day: string) => `audit-anchors-${day}.jsonl`;
const dayOf = (at: Date) => at.toISOString().slice(0, 10);
/** Without a day: the first release kept all anchors in one file. */
const isAnchorFile = (name: string) => /^audit-anchors(-\d{4}-\d\d-\d\d)?\.jsonl$/.test(name);
const isThin = (name: string) => /^audit-anchors(-\d{4}-\d\d-\d\d)?\.thin\.jsonl$/.test(name);

export async function appendAnchors(folder: string, anchors: readonly Anchor[]): Promise<void> {
  if (anchors.length === 0) return;
  const lines = anchors.map((anchor) => `${JSON.stringify(anchor)}\n`).join("");
  // one write, so that lines of concurrent processes do not mix
  await appendFile(join(folder, fileOf(dayOf(new Date()))), lines, { mode: 0o600 });
}

/** The names of the files in the data folder that hold anchors. */
export async function anchorFiles(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
  return names.filter((name) => isAnchorFile(name) || isThin(name)).sort();
}

/** The anchors of a file, line by line; null: the line is no anchor, for example cut off by a crash. */
async function* linesOf(path: string): AsyncGenerator<Anchor | null> {
  const file = await open(path);
  try {
    for await (const line of file.readLines()) if (line !== "") yield anchorOf(line);
  } finally {
    await file.close();
  }
}

function anchorOf(line: string): Anchor | null {
  try {
    return Anchor.parse(JSON.parse(line));
  } catch {
    return null;
  }
}

/** The anchors in the data folder, in batches, read line by line so that large files take no memory. */
export async function* readAnchors(folder: string, batch = 1_000): AsyncGenerator<readonly (Anchor | null)[]> {
  let some: (Anchor | null)[] = [];
  for (const name of await anchorFiles(folder)) {
    for await (const anchor of linesOf(join(folder, name))) {
      some.push(anchor);
      if (some.length < batch) continue;
      yield some;
      some = [];
    }
  }
  if (some.length > 0) yield some;
}

/**
 * Keeps only the last anchor of each tenant and past day, because it vouches for all before it. Nobody appends to a past day, so concurrent
 * processes write the same.
 */
export async function thinAnchors(folder: string, now = new Date()): Promise<void> {
  const growing = [fileOf(dayOf(now)), fileOf(dayOf(new Date(now.getTime() - 86_400_000)))];
  for (const name of await anchorFiles(folder)) {
    if (isThin(name) || growing.includes(name)) continue;
    await thin(folder, name).catch((error: unknown) => {
      if (!isMissing(error)) throw error; // another process was faster
    });
  }
}

async function thin(folder: string, name: string): Promise<void> {
  const last = new Map<string, Anchor>();
  for await (const anchor of linesOf(join(folder, name))) {
    if (anchor && anchor.seq >= (last.get(anchor.tenant)?.seq ?? 0)) last.set(anchor.tenant, anchor);
  }
  const fresh = join(folder, `${name}.${process.pid}`);
  await writeFile(fresh, [...last.values()].map((anchor) => `${JSON.stringify(anchor)}\n`).join(""), { mode: 0o600 });
  await rename(fresh, join(folder, name.replace(/\.jsonl$/, ".thin.jsonl")));
  await rm(join(folder, name), { force: true });
}
