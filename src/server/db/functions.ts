import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import type { ClientBase } from "pg";

interface FunctionFile {
  readonly name: string;
  readonly text: string;
  /** sha256, hexadecimal */
  readonly hash: string;
}

/** The file with one line per edition of the functions; the last is the hash of the current files. */
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

/** The expected last line of the editions: the beginning of a hash over names and texts of all files. */
export function editionOf(files: readonly FunctionFile[]): string {
  const all = createHash("sha256");
  for (const { name, hash } of files) all.update(`${name} ${hash}\n`);
  return all.digest("hex").slice(0, 16);
}

/**
 * Applies the files whose text has changed, in the transaction of `client`, so that functions that call each other change together. Answers
 * their names. Applies nothing once a newer edition has run on this database, because a restarted older release must not put its own
 * functions back.
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

/** Records all files with the edition, unchanged ones too, so that other editions applied in between count as older. */
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
