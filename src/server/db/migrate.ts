import { readdir, readFile } from "node:fs/promises";
import type { ClientBase } from "pg";

const folder = new URL("./migrations/", import.meta.url);
/** Any number; the same in every process. */
const lock = 7_235_401;

/**
 * Runs the plain SQL files not run yet, each in its own transaction, under an advisory lock: several processes may start
 * at once. `client` is connected as the owner. Answers the names run. Throws when an applied file has changed since.
 */
export async function migrate(client: ClientBase): Promise<string[]> {
  await client.query("select pg_advisory_lock($1)", [lock]);
  try {
    await client.query(
      "create table if not exists migrations (name text primary key, hash bytea not null, at timestamptz not null default now())",
    );
    const applied = new Map(
      (await client.query<{ name: string; hash: Buffer }>("select name, hash from migrations")).rows.map((row) => [row.name, row.hash]),
    );
    const run: string[] = [];
    for (const name of (await readdir(folder)).filter((file) => file.endsWith(".sql")).sort()) {
      const text = await readFile(new URL(name, folder), "utf8");
      const known = applied.get(name);
      if (known) {
        const { rows } = await client.query<{ same: boolean }>("select sha256(convert_to($1, 'utf8')) = $2 as same", [text, known]);
        if (!rows[0]?.same) throw new Error(`migration ${name} has changed since it was applied`);
        continue;
      }
      await client.query("begin");
      try {
        await client.query(text);
        await client.query("insert into migrations (name, hash) values ($1, sha256(convert_to($2, 'utf8')))", [name, text]);
        await client.query("commit");
      } catch (error) {
        await client.query("rollback");
        throw new Error(`migration ${name} failed: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
      }
      run.push(name);
    }
    return run;
  } finally {
    await client.query("select pg_advisory_unlock($1)", [lock]);
  }
}
