import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { CompiledQuery } from "kysely";
import type pg from "pg";
import type { Db, JobWithMetadata, PgBoss } from "pg-boss";
import type { Database, Scoped } from "../db/scope.ts";
import type { Logger } from "../log.ts";
import { AttemptOver } from "./kind.ts";
import type { JobKind } from "./kind.ts";

/** pg-boss's own schema, beside ours in the same database. */
export const queueSchema = "pgboss";

/** What an entry of the queue says. */
export interface Entry {
  readonly id: string;
  readonly tenant: string;
  /** Its row in `jobs`; null where nobody watches. */
  readonly job: string | null;
  readonly payload: unknown;
  readonly attempt: number;
  /** Whether it is not tried again after this one. */
  readonly isLast: boolean;
}

/** Runs one attempt; a rejection puts the entry back until its attempts are used up. A stop aborts with `AttemptOver`. */
type RunEntry = (kind: JobKind, entry: Entry, signal: AbortSignal) => Promise<void>;

interface SendOptions {
  /** Its row in `jobs`. */
  readonly job?: string;
  /** While one of the same key waits or runs, no other is queued. */
  readonly key?: string;
}

/** The queue of jobs, shared by all processes on the database. */
export interface JobQueue {
  /** Queues a job within the caller's transaction. Answers its entry; null: one of the same key waits or runs. */
  send(db: Scoped, kind: JobKind, tenant: string, payload: object, options?: SendOptions): Promise<string | null>;
  /** Takes an entry out within the caller's transaction; an attempt that runs is aborted within two seconds. */
  cancel(db: Scoped, kind: JobKind, entry: string): Promise<void>;
  /** Looks for work of this kind at once instead of at the next turn; call it after the commit. */
  wake(kind: JobKind): void;
  /** Begins to run jobs in this process. Answers at once; while the database is away it tries again. */
  start(kinds: readonly JobKind[], run: RunEntry): void;
  /** Aborts what runs, waits for it, and begins nothing more. */
  stop(): Promise<void>;
}

/** Seconds between two looks for work; a process looks at once for what it has queued itself. */
const lookSeconds = 2;
/** Seconds without a sign of life after which another process takes an attempt over. */
const lostSeconds = 10;
/** Seconds between the signs of life, which also tell an attempt that it was cancelled. */
const lifeSeconds = 2;
/** Seconds that entries which have ended are kept, for somebody who looks into a fault. */
const endedSeconds = 3_600;
/** Ms that stopping waits for attempts. */
const stopWithin = 6_000;

const queueOf = ({ attempts, minutes }: JobKind) => ({
  retryLimit: attempts - 1,
  retryDelay: 2,
  retryBackoff: true,
  retryDelayMax: 60,
  expireInSeconds: minutes * 60,
  heartbeatSeconds: lostSeconds,
  deleteAfterSeconds: endedSeconds,
});

export function openQueue({ background }: Database, log: Logger): JobQueue {
  let opened: Promise<PgBoss> | undefined;
  const known = new Map<string, Promise<unknown>>();
  const workers = new Map<string, string[]>();
  const stopping = new AbortController();
  let starting: Promise<void> = Promise.resolve();

  /** Loaded when it is first needed, because loading it takes longer than all else of a start. */
  const open = () =>
    (opened ??= import("pg-boss").then(({ PgBoss }) => {
      const boss = new PgBoss({
        db: throughPool(background),
        schema: queueSchema,
        // `install` has made the schema as the owner: this changes nothing, but unlike `migrate: false` accepts that of a later release
        migrate: true,
        createSchema: false,
        // rows of ours say when something is due (schedule.ts); flows are not used; indexes belong to the owner
        schedule: false,
        flowIntervalSeconds: 3_600,
        reindex: false,
        monitorVacuum: false,
        superviseIntervalSeconds: 5,
        monitorIntervalSeconds: 5,
        maintenanceIntervalSeconds: 600,
      });
      boss.on("error", (error) => log.warn({ err: error }, "the queue of jobs had an error; it goes on"));
      boss.on("warning", (warning) => log.warn({ warning }, "the queue of jobs warns"));
      return boss;
    }));

  /** The queue of a kind, made at its first use. */
  async function queueFor(kind: JobKind): Promise<PgBoss> {
    const boss = await open();
    const made = known.get(kind.name) ?? boss.createQueue(kind.name, { ...queueOf(kind), policy: "exclusive" });
    known.set(kind.name, made);
    await made.catch((error: unknown) => {
      known.delete(kind.name);
      throw error;
    });
    return boss;
  }

  async function begin(kinds: readonly JobKind[], run: RunEntry): Promise<void> {
    const boss = await open();
    await boss.start();
    for (const kind of kinds) {
      await queueFor(kind);
      // a release may have changed them
      await boss.updateQueue(kind.name, queueOf(kind));
      const ids: string[] = [];
      for (let n = 0; n < kind.atOnce; n++) {
        const id = await boss.work(
          kind.name,
          {
            pollingIntervalSeconds: lookSeconds,
            heartbeatRefreshSeconds: lifeSeconds,
            groupConcurrency: kind.perTenant,
            includeMetadata: true,
          },
          async ([entry]: JobWithMetadata<Told>[]) => {
            if (!entry) return;
            const { id: of, data, retryCount, retryLimit } = entry;
            const signal = AbortSignal.any([entry.signal, stopping.signal]);
            await run(kind, { id: of, ...data, attempt: retryCount + 1, isLast: retryCount >= retryLimit }, signal);
          },
        );
        ids.push(id);
      }
      workers.set(kind.name, ids);
    }
  }

  return {
    async send(db, kind, tenant, payload, { job, key = randomUUID() } = {}) {
      const boss = await queueFor(kind);
      const told: Told = { tenant, job: job ?? null, payload: kind.payload.parse(payload) };
      return boss.send(kind.name, told, { db: within(db), singletonKey: key, group: { id: tenant } });
    },

    async cancel(db, kind, entry) {
      await (await queueFor(kind)).cancel(kind.name, entry, { db: within(db) });
    },

    wake(kind) {
      const ids = workers.get(kind.name) ?? [];
      if (ids.length > 0) void open().then((boss) => ids.forEach((id) => boss.notifyWorker(id)));
    },

    start(kinds, run) {
      starting = (async () => {
        for (let failures = 0; !stopping.signal.aborted; failures++) {
          try {
            return await begin(kinds, run);
          } catch (error) {
            log.error({ err: error, failures }, "the queue of jobs did not start; it will be tried again");
            await delay(Math.min(1_000 * 2 ** failures, 10_000), undefined, { signal: stopping.signal }).catch(() => undefined);
          }
        }
      })();
    },

    async stop() {
      stopping.abort(new AttemptOver("stopping"));
      await starting;
      await (await opened)?.stop({ close: false, graceful: true, timeout: stopWithin });
    },
  };
}

interface Told {
  readonly tenant: string;
  readonly job: string | null;
  readonly payload: object;
}

/** Statements of the queue on connections of the app's role, which is set when a transaction begins (db/role-client.ts). */
const throughPool = (pool: pg.Pool): Db => ({
  async executeSql(text, values) {
    const inside = /^\s*begin\s*;/i.exec(text);
    if (!inside) return pool.query(text, values);
    const client = await pool.connect();
    try {
      await client.query("begin");
      const result = await client.query(text.slice(inside[0].length));
      client.release();
      return result;
    } catch (error) {
      await client.query("rollback").then(
        () => client.release(),
        () => client.release(true),
      );
      throw error;
    }
  },
});

/** Statements of the queue within a transaction of ours. */
const within = (db: Scoped): Db => ({
  executeSql: async (text, values = []) => ({ rows: (await db.executeQuery(CompiledQuery.raw(text, values))).rows }),
});
