import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import type { ClientBase } from "pg";

interface FunctionFile {
  readonly name: string;
  readonly text: string;
  /** sha256, hexadecimal */
  readonly hash: string;
}

/** The lines of this file in the folder, one an edition of the functions: its last is the hash of the files as they are. */
export const editionsFile = "editions.txt";

/** The files of a folder in the order of their names, and the number of their edition. */
export async function readFunctions(folder: URL): Promise<{ files: FunctionFile[]; edition: number; newest: string | undefined }> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".sql")).toSorted();
  const files = await Promise.all(
    names.map(async (name) => {
      const text = await readFile(new URL(name, folder), "utf8");
      return { name, text, hash: createHash("sha256").update(text).digest("hex") };
    }),
  );
  const editions = (await readFile(new URL(editionsFile, folder), "utf8")).split("\n").filter((line) => line !== "");
  return { files, edition: editions.length, newest: editions.at(-1) };
}

/** What the last line of the editions must be: the beginning of a hash over the names and texts of all files. */
export function editionOf(files: readonly FunctionFile[]): string {
  const all = createHash("sha256");
  for (const { name, hash } of files) all.update(`${name} ${hash}\n`);
  return all.digest("hex").slice(0, 16);
}

/**
 * Applies the files whose text is not the one applied last, within the transaction `client` is in, so that functions that call each
 * other change at one moment. Answers their names. A process applies nothing once one of a newer edition has started on this database:
 * an older release started again beside it must not put its own functions back.
 */
export async function applyFunctions(client: ClientBase, folder: URL): Promise<string[]> {
  const { files, edition } = await readFunctions(folder);
  await client.query(
    `create table if not exists functions
       (name text primary key, hash text not null, edition integer not null, at timestamptz not null default now())`,
  );
  const { rows } = await client.query<{ name: string; hash: string; edition: number }>("select name, hash, edition from functions");
  if (rows.some((row) => row.edition > edition)) return [];
  const applied = new Map(rows.map((row) => [row.name, row]));
  const changed = files.filter(({ name, hash }) => applied.get(name)?.hash !== hash);
  for (const { name, text } of changed) {
    await client.query(text).catch((error: unknown) => {
      throw new Error(`functions/${name} failed: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
    });
  }
  const sameEdition = rows.length === files.length && rows.every((row) => row.edition === edition);
  if (changed.length > 0 || !sameEdition) await record(client, files, edition);
  return changed.map(({ name }) => `functions/${name}`);
}

/** Every file is noted with the edition, those unchanged too: what another edition had in between is older from now on. */
async function record(client: ClientBase, files: readonly FunctionFile[], edition: number): Promise<void> {
  const names = files.map(({ name }) => name);
  await client.query("delete from functions where name <> all($1::text[])", [names]);
  await client.query(
    `insert into functions as f (name, hash, edition) select *, $3 from unnest($1::text[], $2::text[])
     on conflict (name) do update set hash = excluded.hash, edition = excluded.edition,
       at = case when f.hash = excluded.hash then f.at else excluded.at end`,
    [names, files.map(({ hash }) => hash), edition],
  );
}
