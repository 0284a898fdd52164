import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import pg from "pg";
import type { ClientBase } from "pg";
import { applyFunctions } from "./functions.ts";

/** Where the SQL is: `migrations` make tables and are applied once, `functions` are applied whenever one changed. */
export interface SqlFolders {
  readonly migrations: URL;
  readonly functions: URL;
}

export const sqlFolders: SqlFolders = {
  migrations: new URL("./migrations/", import.meta.url),
  functions: new URL("./functions/", import.meta.url),
};

/** Any number; the same in every process. */
const lock = 7_235_401;
const lockSeconds = 60;
const oldestVersion = 180_000;

/**
 * Runs the migrations not run yet, each in its own transaction, then the changed files of functions in one, under an advisory lock:
 * several processes may start at once. `client` is connected as the owner, who may act as the server's two roles from then on. Answers
 * the names run. Throws when an applied migration has changed since.
 */
export async function migrate(client: ClientBase, { migrations, functions } = sqlFolders): Promise<string[]> {
  const { rows } = await client.query<{ number: number; name: string }>(
    "select current_setting('server_version_num')::integer as number, current_setting('server_version') as name",
  );
  if ((rows[0]?.number ?? 0) < oldestVersion) throw new Error(`PostgreSQL 18 is needed; the database's is ${rows[0]?.name}`);
  const run: string[] = [];
  for (const name of (await readdir(migrations)).filter((file) => file.endsWith(".sql")).sort()) {
    const text = await readFile(new URL(name, migrations), "utf8");
    if (await alone(client, () => apply(client, name, text))) run.push(name);
  }
  run.push(...(await alone(client, () => applyFunctions(client, functions))));
  await alone(client, () => takeRoles(client));
  return run;
}

/** Runs `work` in a transaction while no other process is in one of these; waits a minute for those that are. */
async function alone<T>(client: ClientBase, work: () => Promise<T>): Promise<T> {
  await client.query("begin");
  try {
    await client.query(`set local lock_timeout = '${lockSeconds}s'`);
    await client.query("select pg_advisory_xact_lock($1)", [lock]).catch((error: unknown) => {
      if (!(error instanceof pg.DatabaseError && error.code === "55P03")) throw error;
      throw new Error(`another process has been migrating this database for ${lockSeconds} s; start again when it has ended`, {
        cause: error,
      });
    });
    const result = await work();
    await client.query("commit");
    return result;
  } catch (error) {
    await client.query("rollback").catch(() => undefined); // the connection may be what failed
    throw error;
  }
}

async function apply(client: ClientBase, name: string, text: string): Promise<boolean> {
  const hash = createHash("sha256").update(text).digest();
  await client.query(
    "create table if not exists migrations (name text primary key, hash bytea not null, at timestamptz not null default now())",
  );
  const { rows } = await client.query<{ hash: Buffer }>("select hash from migrations where name = $1", [name]);
  if (rows[0]) {
    if (!rows[0].hash.equals(hash)) throw new Error(`migration ${name} has changed since it was applied`);
    return false;
  }
  try {
    await client.query(text);
  } catch (error) {
    throw new Error(`migration ${name} failed: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
  await client.query("insert into migrations (name, hash) values ($1, $2)", [name, hash]);
  return true;
}

/** Since PostgreSQL 16 the role that makes another may administer it, and act as it only once it has said so. */
async function takeRoles(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ missing: string[] | null; me: string }>(
    `select array_agg(rolname::text) as missing, quote_ident(current_user) as me from pg_roles
     where rolname in ('countinghouse_app', 'countinghouse_worker') and not pg_has_role(current_user, oid, 'set')`,
  );
  const { missing, me } = rows[0] ?? {};
  if (!missing) return;
  const grant = `grant ${missing.join(", ")} to ${me} with set true, inherit false`;
  await client.query(grant).catch((error: unknown) => {
    if (!(error instanceof pg.DatabaseError && error.code === "42501")) throw error;
    throw new Error(
      `${me} may not act as ${missing.join(" and ")}, which another role has made; let that role, or a superuser, run: ${grant}`,
      {
        cause: error,
      },
    );
  });
}
