import type { CompiledQuery } from "kysely";
import { Kysely, PostgresDialect } from "kysely";
import type pg from "pg";
import type { Logger } from "../log.ts";
import { isUnreachable, sqlState } from "./errors.ts";
import { answerWithin, openPool, silenceOf } from "./pools.ts";
import type { ConnectAs } from "./pools.ts";
import { positionOf, reaches, shared } from "./position.ts";
import { backgroundLimits, requestLimits } from "./role-client.ts";
import type { Limits } from "./role-client.ts";
import type { Tables } from "./tables.ts";
import type { Scoped } from "./scope.ts";
import { isRetryable, transact } from "./transaction.ts";
import type { Turns } from "./turns.ts";

/** Where a read was answered: the replica, or the primary because the replica was late, away, or ended the query to replay a change. */
type Outcome = "replica" | "late" | "away" | "conflict";

/**
 * A streaming replica that lists, search, reports and exports read from.
 *
 * No read is older than its own beginning: the primary is asked for its position in the log once the read has begun, and the replica is
 * waited for until it has replayed that far. So a caller sees what they, a colleague or an event told of, through whichever process it was
 * written. Nothing is kept for that in a cookie, which merchants would not send and other people's changes would not be in, nor in a
 * process, which another process's caller would not reach.
 */
export interface Replica {
  /**
   * Runs `work` on the replica in the transaction `begin` begins, in a turn of the tenant. null: the primary must be asked, because the
   * replica is away, has not come so far within 200 ms, or has ended the query. Throws what `work` throws.
   */
  read<T>(tenant: string, begin: CompiledQuery, work: (db: Scoped) => Promise<T>): Promise<{ readonly value: T } | null>;
  /** As `read`, for minutes, on a connection of its own: what goes wrong once `work` has begun is thrown, because it cannot begin again. */
  readLong<T>(begin: CompiledQuery, work: (db: Scoped) => Promise<T>): Promise<{ readonly value: T } | null>;
  /** Reads so far, by where they were answered. */
  readonly counts: Readonly<Record<Outcome, number>>;
  /** How the last read found it: read from, late or away. */
  readonly state: "read" | "late" | "away";
  /** Throws when it cannot be read from, as when it is no replica of the primary; one that does not answer is asked again later. */
  prove(): Promise<void>;
  readonly turns: Turns;
  close(): Promise<void>;
}

export interface ReplicaOptions {
  readonly connectAs: ConnectAs;
  readonly log: Pick<Logger, "warn" | "info">;
}

interface Primary {
  readonly pool: pg.Pool;
  /** What the database calls the process's connections. */
  readonly name: string;
  /** Connections for requests. */
  readonly size: number;
  readonly turns: Turns;
}

/** Ms a read waits for the replica to come as far as the primary was. */
const patienceMs = 200;
/** Ms after a late read during which others find out at once whether it is late, so that not each of them waits. */
const lateMs = 1_000;
/** Ms after which one read tries a replica that was away. */
const awayMs = 5_000;
/** Ms for a connection or an answer about its position, after which the replica counts as away. */
const answerMs = 1_000;
/** Connections for exports. */
const backgroundSize = 2;

interface Connections {
  readonly pool: pg.Pool;
  readonly limits: Limits;
}

/** Opens no connection before it is read from. */
export function openReplica({ connectAs, log }: ReplicaOptions, primary: Primary): Replica {
  const reach: ConnectAs = (role) => ({ ...connectAs(role), connectionTimeoutMillis: answerMs });
  const open = (size: number, limits: Limits) => ({ limits, pool: openPool(reach, primary.name, "countinghouse_app", size, limits) });
  const requests = open(primary.size, requestLimits);
  const background = open(backgroundSize, backgroundLimits);
  const counts: Record<Outcome, number> = { replica: 0, late: 0, away: 0, conflict: 0 };
  const position = shared(() => positionOf(primary.pool));
  let lateUntil = 0;
  let awayUntil: number | null = null;
  let state: Replica["state"] = "read";
  const { turns } = primary;

  function leave(error: unknown): void {
    if (state !== "away") log.warn({ err: error }, "the replica is away; the primary answers what it would");
    state = "away";
    awayUntil = performance.now() + awayMs;
  }

  function find(now: "read" | "late"): void {
    if (state === "away") log.info({}, "the replica is back");
    state = now;
    awayUntil = null;
  }

  /** A connection to the replica that shows all that was committed when it was asked for; else why there is none. */
  async function connect({ pool, limits }: Connections): Promise<pg.PoolClient | "late" | "away"> {
    if (awayUntil !== null) {
      if (performance.now() < awayUntil) return "away";
      // the others go on without it until this one has tried
      awayUntil = performance.now() + awayMs;
    }
    const wanted = await position();
    const waits = performance.now() < lateUntil ? 0 : patienceMs;
    let client: pg.PoolClient | undefined;
    try {
      client = await pool.connect();
      answerWithin(client, answerMs);
      if (await reaches(client, wanted, waits)) {
        answerWithin(client, silenceOf(limits));
        find("read");
        return client;
      }
    } catch (error) {
      client?.release(true);
      leave(error);
      return "away";
    }
    client.release();
    if (waits > 0) lateUntil = performance.now() + lateMs;
    find("late");
    return "late";
  }

  async function readFrom<T>(from: Connections, begin: CompiledQuery, work: (db: Scoped) => Promise<T>, again: boolean) {
    const client = await connect(from);
    if (typeof client === "string") {
      counts[client]++;
      return null;
    }
    let broken = false;
    try {
      const value = await over(client)
        .connection()
        .execute((db) => transact(db, begin, work));
      counts.replica++;
      return { value };
    } catch (error) {
      broken = isUnreachable(error);
      if (broken) leave(error);
      const conflicts = isRetryable(error) || sqlState(error) === "55P03"; // a change being replayed holds the lock
      if (!again || !(broken || conflicts)) throw error;
      counts[broken ? "away" : "conflict"]++;
      return null;
    } finally {
      client.release(broken);
    }
  }

  return {
    read: (tenant, begin, work) => turns.run(tenant, () => readFrom(requests, begin, work, true)),
    readLong: (begin, work) => readFrom(background, begin, work, false),
    counts,
    get state() {
      return state;
    },
    async prove() {
      const wanted = await position();
      if (!wanted.is_flushed)
        throw new Error("DATABASE_REPLICA_URL: DATABASE_URL has synchronous_commit off, so nobody knows what is written");
      let client: pg.PoolClient | undefined;
      try {
        client = await requests.pool.connect();
        await reaches(client, wanted, 0);
        client.release();
      } catch (error) {
        client?.release(true);
        if (!isUnreachable(error)) throw new Error(`DATABASE_REPLICA_URL: ${String(error)}`, { cause: error });
        leave(error);
      }
    },
    turns,
    async close() {
      for (const { pool } of [requests, background]) await pool.end();
    },
  };
}

/** A connection as the query builder takes it; whoever reserved it gives it back. */
function over(client: pg.PoolClient): Kysely<Tables> {
  const reserved = { query: client.query.bind(client), release: () => undefined };
  return new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: { connect: async () => reserved, end: async () => undefined, options: {} } }),
  });
}
