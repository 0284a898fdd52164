import { existsSync } from "node:fs";
import { mkdir, readFile, rm, rmdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Client } from "pg";
import { anchorFiles, appendAnchors } from "../audit/anchors.ts";
import { isMissing, writeWhole } from "../files/folders.ts";
import type { Keys } from "../secrets/kept-keys.ts";
import { contentOf, copyFile, syncAll, treeOf } from "./copy.ts";
import { parts, writeManifest } from "./manifest.ts";
import type { FileEntry, Manifest } from "./manifest.ts";
import { controlFile, isLeftOut, whileBackingUp } from "./online-copy.ts";
import type { CopyEnd } from "./online-copy.ts";
import { refuseFilled, refuseOverlap, refuseShared, tellTakenBack } from "./places.ts";

interface TakeOptions {
  /** Where the backup is made: an empty folder, or none yet. Real places, as all folders here. */
  readonly dir: string;
  readonly dataDir: string;
  /** The folder of uploaded files; null: they are kept elsewhere. */
  readonly filesFolder: string | null;
  /** Asked when the copy is complete, so that the keys are at least as new as what they have sealed. */
  readonly keys: () => Promise<Keys>;
  readonly passphrase: string;
  /** Told when the backup mode has begun and the copying begins. */
  readonly copying: () => void;
  readonly signal: AbortSignal;
}

/** Throws unless a backup of these folders can be made there; nothing is changed. */
export async function refuseTarget({ dir, dataDir, filesFolder }: Pick<TakeOptions, "dir" | "dataDir" | "filesFolder">): Promise<void> {
  refuseOverlap(dir, dataDir, "the data folder");
  if (filesFolder !== null) {
    refuseShared(dataDir, filesFolder);
    refuseOverlap(dir, filesFolder, "the folder of uploaded files");
  }
  await refuseFilled(dir, "a backup is made in an empty folder, or in one that does not exist yet");
}

/**
 * Throws when the file of the newest receipt is neither in the database nor in the folder: then the server keeps them elsewhere, and the
 * backup would lack them without a word.
 */
export async function refuseOtherFiles(owner: Client, filesFolder: string | null): Promise<void> {
  const { rows } = await owner.query<{ path: string; is_stored: boolean }>(
    `select concat(tenant_id, '/', id) as path,
       exists (select from stored_files f where f.tenant_id = r.tenant_id and f.id = r.id) as is_stored
     from receipts r where removed_at is null order by added_at desc limit 1`,
  );
  const [newest] = rows;
  if (!newest || newest.is_stored || (filesFolder !== null && existsSync(join(filesFolder, newest.path)))) return;
  throw new Error(
    `the newest receipt is not in ${filesFolder ?? "the database"}, where FILES_URL says that files are kept: ` +
      "set FILES_URL as it is for the server; the backup was not made",
  );
}

/**
 * Copies the running installation: its cluster with the log of the time of copying, its audit anchors, its uploaded files, and its master
 * keys sealed. `owner` is a connection for this alone. Throws when it is not complete, and removes what it had written.
 */
export async function takeBackup(owner: Client, options: TakeOptions): Promise<Manifest> {
  await refuseTarget(options);
  const { dir, passphrase } = options;
  const isNew = !existsSync(dir);
  await mkdir(dir, { recursive: true, mode: 0o700 });
  try {
    const manifest = await copyAll(owner, options);
    await writeManifest(dir, manifest, await options.keys(), passphrase);
    return manifest;
  } catch (error) {
    await removeParts(dir, isNew);
    throw tellTakenBack("the backup was not made", error);
  }
}

async function copyAll(owner: Client, options: TakeOptions): Promise<Manifest> {
  const { dir, dataDir, filesFolder, signal } = options;
  const folders: string[] = Object.values(parts);
  const files: FileEntry[] = [];

  /** Copies `path` of a folder into a part; whether it was still there. */
  const copy = async (from: string, part: string, path: string): Promise<boolean> => {
    const content = await copyFile(join(from, path), join(dir, part, path), { signal });
    if (content) files.push({ path: `${part}/${path}`, ...content });
    return content !== undefined;
  };
  const copyTree = async (from: string, part: string, isOut: (path: string) => boolean): Promise<void> => {
    const tree = await treeOf(from, isOut);
    for (const folder of tree.folders) {
      await mkdir(join(dir, part, folder), { mode: 0o700 });
      folders.push(`${part}/${folder}`);
    }
    for (const path of tree.files) await copy(from, part, path);
  };
  const note = async (part: string, path: string): Promise<void> => {
    const content = await contentOf(join(dir, part, path), signal);
    if (content) files.push({ path: `${part}/${path}`, ...content });
  };

  for (const part of Object.values(parts)) await mkdir(join(dir, part), { mode: 0o700 });
  const cluster = join(dataDir, parts.cluster);
  const end = await whileBackingUp(owner, {
    async cluster() {
      options.copying();
      await copyTree(cluster, parts.cluster, (path) => path === controlFile || isLeftOut(path));
      await copyControlFile(cluster, join(dir, parts.cluster), signal);
      await note(parts.cluster, controlFile);
      // before the end: what an anchor vouches for is in the copy
      await copyAnchors(dataDir, join(dir, parts.anchors));
    },
    async log(segments) {
      for (const segment of segments) {
        if (await copy(cluster, parts.cluster, `pg_wal/${segment}`)) continue;
        throw new Error(`PostgreSQL has removed ${segment} of its log, without which the copy is not whole`);
      }
    },
  });
  await writeWhole(join(dir, parts.cluster, "backup_label"), end.label);
  await note(parts.cluster, "backup_label");
  const anchors = join(dir, parts.anchors);
  await appendAnchors(anchors, end.heads);
  for (const name of await anchorFiles(anchors)) await note(parts.anchors, name);
  // after the end: a file is stored before the row that names it is written; hidden ones are being written
  if (filesFolder !== null) await copyTree(filesFolder, parts.files, (path) => /(?:^|\/)\./.test(path));
  await syncAll([...files.map(({ path }) => path), ...folders, ""].map((path) => join(dir, path)));
  return manifestOf(await facts(owner), end, folders, files);
}

/** Copies it until two readings agree, because PostgreSQL may be rewriting it. */
async function copyControlFile(from: string, to: string, signal: AbortSignal): Promise<void> {
  for (let last = await readFile(join(from, controlFile)); ;) {
    signal.throwIfAborted();
    const again = await readFile(join(from, controlFile));
    if (again.equals(last)) return writeWhole(join(to, controlFile), again);
    last = again;
  }
}

/** Copies whole lines only, because a server may be appending one. */
async function copyAnchors(from: string, to: string): Promise<void> {
  for (const name of await anchorFiles(from)) {
    const lines = await readFile(join(from, name)).catch((error: unknown) => {
      if (!isMissing(error)) throw error;
      return Buffer.alloc(0); // just thinned: a later anchor vouches for what these did
    });
    await writeFile(join(to, name), lines.subarray(0, lines.lastIndexOf("\n") + 1), { mode: 0o600, flag: "wx" });
  }
}

interface Facts {
  readonly major: string;
  readonly system: string;
  readonly migration: string;
}

async function facts(owner: Client): Promise<Facts> {
  const { rows } = await owner.query<Facts>(
    `select (current_setting('server_version_num')::integer / 10000)::text as major, system_identifier::text as system,
       (select max(name) from migrations) as migration
     from pg_control_system()`,
  );
  if (!rows[0]) throw new Error("PostgreSQL says nothing of itself");
  return rows[0];
}

const manifestOf = (
  { major, system, migration }: Facts,
  end: CopyEnd,
  folders: readonly string[],
  files: readonly FileEntry[],
): Manifest => ({
  format: 1,
  began: end.began,
  until: end.until,
  postgres: { major, system, start: end.start, stop: end.stop },
  migration,
  folders: [...folders],
  files: files.toSorted((a, b) => (a.path < b.path ? -1 : 1)),
});

/** Removes what was written, or says that it is left. */
async function removeParts(dir: string, isNew: boolean): Promise<void> {
  try {
    for (const part of Object.values(parts)) await rm(join(dir, part), { recursive: true, force: true });
    if (isNew) await rmdir(dir);
  } catch (error) {
    throw new Error(`the backup was not completed, and what it had written is left in ${dir}: delete it`, { cause: error });
  }
}
