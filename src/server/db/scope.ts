import { randomUUID } from "node:crypto";
import type { CompiledQuery } from "kysely";
import { Kysely, PostgresDialect, sql } from "kysely";
import pg from "pg";
import { setTimeout as delay } from "node:timers/promises";
import { sqlState } from "./errors.ts";
import { openPool } from "./pools.ts";
import type { ConnectAs } from "./pools.ts";
import { backgroundLimits, requestLimits } from "./role-client.ts";
import type { Replica, ReplicaOptions } from "./replica.ts";
import { openReplica } from "./replica.ts";
import type { Role } from "./role-client.ts";
import type { Tables } from "./tables.ts";
import { beginIn, isRetryable, transact } from "./transaction.ts";
import type { Turns } from "./turns.ts";
import { defaultTenantShare, shareOf, turnsOf } from "./turns.ts";

pg.types.setTypeParser(pg.types.builtins.INT8, (text) => text);
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text);

/** A connection inside a transaction that sees one tenant only. */
export type Scoped = Kysely<Tables>;

export interface Database {
  /** Outside any tenant: can read identity, sessions, throttles and the list of tenants. */
  readonly open: Kysely<Tables>;
  /** Reads which rows are due, over all tenants; cannot write. */
  readonly worker: Kysely<Tables>;
  readonly pool: pg.Pool;
  /** For long work, which must take no connection from requests: the queue of jobs, and snapshots that are read for minutes. */
  readonly background: pg.Pool;
  /** A snapshot of one tenant that all of `inTenant` reads, instead of transactions of its own; see `inSnapshot`. */
  readonly snapshot?: { readonly tenant: string; readonly db: Scoped };
  /** Where there is one, what `readsReplica` says is read from it. */
  readonly replica?: Replica | undefined;
  /** See `forReading`. */
  readonly readsReplica?: true | undefined;
  /**
   * Throws unless the connections keep their session and run as the server's role; each connection is checked again before its first use.
   */
  prove(): Promise<void>;
  /** Turns at the connections of `pool`, for work in a tenant. */
  readonly turns: Turns;
  /** Divides a tenant's share of connections by the number of processes on the database. */
  shareTurns(): Promise<void>;
  close(): Promise<void>;
}

export function openDatabase(
  connectAs: ConnectAs,
  size = 16,
  limits = requestLimits,
  tenantShare = defaultTenantShare,
  replicaOptions?: ReplicaOptions,
): Database {
  // distinguishes the processes among the connections of the database
  const process = `countinghouse ${randomUUID()}`;
  const open = (role: Role, max: number, within = limits) => openPool(connectAs, process, role, max, within);
  const pool = open("countinghouse_app", size);
  const workerPool = open("countinghouse_worker", 2);
  const background = open("countinghouse_app", backgroundSize, backgroundLimits);
  const app = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  const worker = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: workerPool }) });
  // where connections may be waited for longer, turns may too
  const newTurns = () => turnsOf(size, tenantShare, Math.max(8_000, connectAs("countinghouse_app").connectionTimeoutMillis ?? 0));
  const turns = newTurns();
  const replica = replicaOptions && openReplica(replicaOptions, { pool, name: process, size, turns: newTurns() });
  return {
    open: app,
    worker,
    pool,
    background,
    async prove() {
      for (const one of [pool, workerPool]) await requireOwnSession(one);
      await replica?.prove();
    },
    turns,
    replica,
    async shareTurns() {
      const { rows } = await workerPool.query<{ processes: number }>(
        `select count(distinct application_name)::integer as processes from pg_stat_activity
          where datname = current_database() and application_name like 'countinghouse ________-%'`,
      );
      const share = shareOf(size, tenantShare, Math.max(1, rows[0]?.processes ?? 1));
      for (const one of [turns, replica?.turns]) one?.setShare(share);
    },
    async close() {
      await Promise.all([app.destroy(), worker.destroy(), replica?.close()]);
      // a pool that no query has used is not ended by destroy()
      for (const one of [pool, workerPool, background]) if (!one.ending) await one.end();
    },
  };
}

/** The queue of jobs needs one now and then, each snapshot one for as long as it is read. */
const backgroundSize = 4;

/**
 * Throws when a pooler assigns connections by transaction, because prepared statements and LISTEN would then reach another connection. A
 * value set on one connection must be visible to it and to no other.
 */
async function requireOwnSession(pool: pg.Pool): Promise<void> {
  const isOwn = await hasOwnSession(pool).catch((error: unknown) => {
    // a prepared statement already exists, or no longer does
    if (["42P05", "26000"].includes(sqlState(error) ?? "")) return false;
    throw error;
  });
  if (isOwn) return;
  throw new Error(
    "DATABASE_URL leads to a pooler that gives out connections by the transaction; it must by the session (PgBouncer: pool_mode = session)",
  );
}

async function hasOwnSession(pool: pg.Pool): Promise<boolean> {
  const mark = randomUUID();
  const one = await pool.connect();
  try {
    await one.query(`select set_config('app.session', '${mark}', false)`);
    const other = await pool.connect();
    try {
      await other.query("begin");
      const seen = "select current_setting('app.session', true) as mark";
      const theirs = await other.query<{ mark: string | null }>(seen);
      return theirs.rows[0]?.mark !== mark && (await one.query<{ mark: string | null }>(seen)).rows[0]?.mark === mark;
    } finally {
      await other.query("rollback").catch(() => undefined);
      other.release();
    }
  } finally {
    await one.query("select set_config('app.session', '', false)").catch(() => undefined);
    one.release();
  }
}

interface ScopeOptions {
  /** One read-only snapshot for all reads; of a "report" see `beginIn`. */
  readonly snapshot?: "snapshot" | "report";
}

/**
 * Runs `work` in one transaction that sees only `tenant`. After serialization failures, deadlocks and plans invalidated by a migration it
 * runs again, at most three times, so `work` must only use the database. If it throws, everything is rolled back. It occupies one of the
 * tenant's turns, so it must not be called within `work`.
 */
export async function inTenant<T>(
  database: Database,
  tenant: string,
  work: (db: Scoped) => Promise<T>,
  options: ScopeOptions = {},
): Promise<T> {
  const begin = beginIn(tenant, options.snapshot ?? (database.readsReplica ? "read" : "write"));
  if (database.snapshot) {
    if (database.snapshot.tenant !== tenant) throw new Error("a snapshot is of one tenant");
    return work(database.snapshot.db);
  }
  const read = database.readsReplica && (await database.replica?.read(tenant, begin, work));
  return read ? read.value : database.turns.run(tenant, () => inTransaction(database, begin, work));
}

async function inTransaction<T>(database: Database, begin: CompiledQuery, work: (db: Scoped) => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await database.open.connection().execute((db) => transact(db, begin, work));
    } catch (error) {
      if (attempt === 3 || !isRetryable(error)) throw error;
      await delay(5 + Math.random() * 20 * 2 ** attempt);
    }
  }
}

/**
 * Runs `work` with a database whose `inTenant` reads one snapshot of `tenant`, for as long as that takes: what reads by it reads rows of
 * one moment, in as many calls as it likes, and can write nothing. It holds a connection of the background, no turn of the tenant.
 */
export async function inSnapshot<T>(
  database: Database,
  tenant: string,
  work: (frozen: Database, asOf: Date, db: Scoped) => Promise<T>,
): Promise<T> {
  const begin = beginIn(tenant, "snapshot");
  const freeze = async (db: Scoped) => {
    // the first statement takes the snapshot
    const { rows } = await sql<{ as_of: Date }>`select clock_timestamp() as as_of`.execute(db);
    return work({ ...database, snapshot: { tenant, db } }, rows[0]?.as_of ?? new Date(), db);
  };
  const read = database.readsReplica && (await database.replica?.readLong(begin, freeze));
  if (read) return read.value;
  const background = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: database.background }) });
  return background.connection().execute((db) => transact(db, begin, freeze));
}

/** The same database read where it is written, for what only the server that writes can tell: who is writing just now. */
export const onPrimary = (database: Database): Database => ({ ...database, readsReplica: undefined });

const readers = new WeakMap<Database, Database>();

/**
 * The same database for reading only: `inTenant` and `inSnapshot` read from the replica where there is one, and can write nowhere. Always
 * the same object for one database, because what is read together is gathered by it.
 */
export function forReading(database: Database): Database {
  const reader = readers.get(database) ?? { ...database, readsReplica: true };
  readers.set(database, reader);
  return reader;
}
