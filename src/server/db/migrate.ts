import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import type { ClientBase } from "pg";
import { installQueue } from "../jobs/install.ts";
import { applyFunctions } from "./functions.ts";

/** The SQL folders: `migrations` create tables and are applied once, `functions` are applied whenever one has changed. */
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
/** Every read and write of a table queues behind a statement that waits for it, so none may wait long; it is tried again after a pause. */
const tableLockMs = 1_000;
const pauseMs = 2_000;
const oldestVersion = 180_000;

/**
 * Applies new migrations, each in its own transaction, then the changed functions in one, under an advisory lock, so that several processes
 * can start at once. `client` is connected as the owner, who may act as the server's two roles afterwards. Answers the names applied.
 * `log` is told when one waits for a lock. Throws when an applied migration has changed.
 */
export async function migrate(
  client: ClientBase,
  { migrations, functions } = sqlFolders,
  log: (line: string) => void = () => undefined,
): Promise<string[]> {
  const { rows } = await client.query<{ number: number; name: string }>(
    "select current_setting('server_version_num')::integer as number, current_setting('server_version') as name",
  );
  if ((rows[0]?.number ?? 0) < oldestVersion) throw new Error(`PostgreSQL 18 is needed; the database's is ${rows[0]?.name}`);
  const run: string[] = [];
  for (const name of (await readdir(migrations)).filter((file) => file.endsWith(".sql")).sort()) {
    const text = await readFile(new URL(name, migrations), "utf8");
    if (await underLock(client, log, () => apply(client, name, text))) run.push(name);
  }
  run.push(...(await underLock(client, log, () => applyFunctions(client, functions))));
  await underLock(client, log, () => grantRoles(client));
  // under a lock and in a transaction of its own
  run.push(...(await installQueue(client)));
  return run;
}

/** Runs `work` in a transaction under the migration lock; waits at most a minute for another process. */
async function underLock<T>(client: ClientBase, log: (line: string) => void, work: () => Promise<T>): Promise<T> {
  await client.query("begin");
  try {
    await client.query(`set local lock_timeout = '${lockSeconds}s'`);
    await client.query("select pg_advisory_xact_lock($1)", [lock]).catch((error: unknown) => {
      if (!isLockTimeout(error)) throw error;
      throw new Error(`another process has been migrating this database for ${lockSeconds} s; start again when it has ended`, {
        cause: error,
      });
    });
    await client.query(`set local lock_timeout = ${tableLockMs}`);
    const result = await inPauses(client, log, work);
    await client.query("commit");
    return result;
  } catch (error) {
    await client.query("rollback").catch(() => undefined); // the connection may be what failed
    throw error;
  }
}

const isLockTimeout = (error: unknown): boolean => error instanceof pg.DatabaseError && error.code === "55P03";

/** Runs `work` again, for at most a minute, while another holds what it needs; between the tries it holds nothing but the migration lock. */
async function inPauses<T>(client: ClientBase, log: (line: string) => void, work: () => Promise<T>): Promise<T> {
  const until = performance.now() + lockSeconds * 1_000;
  await client.query("savepoint untouched");
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      const isLocked = isLockTimeout(error) || (error instanceof Error && isLockTimeout(error.cause));
      if (!isLocked || performance.now() > until) throw error;
      await client.query("rollback to savepoint untouched");
      if (tries === 1) log(`${String(error)}; it is tried again for ${lockSeconds} s, until whoever uses the table has ended`);
      await delay(pauseMs);
    }
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

/** Grants the owner the server's roles: since PostgreSQL 16 the creator of a role may administer it but not act as it. */
async function grantRoles(client: ClientBase): Promise<void> {
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
