import { setTimeout as delay } from "node:timers/promises";
import { sql } from "kysely";
import type { Database } from "./db/scope.ts";

/** Ms a result is reused, so that any number of probes costs one check per second. */
const freshMs = 1_000;
/** Ms after which a silent database counts as down. */
const patienceMs = 3_000;

/**
 * One transaction with the writes that fail when a disk is full or the database is read-only: a temporary file (more rows than the memory
 * allowed here), a row, and the log's flush at commit.
 */
async function write(database: Pick<Database, "open">): Promise<void> {
  await database.open.transaction().execute(async (db) => {
    await sql`set local work_mem = '64kB'`.execute(db);
    await sql`select count(*) from generate_series(1, 10000)`.execute(db);
    await sql`insert into throttles (key, count, resets_at) values ('readiness', 1, now() + interval '1 day')
      on conflict (key) do update set resets_at = excluded.resets_at`.execute(db);
  });
}

/** Ms since the last probe within which another one is expected. */
const probingMs = 60_000;
/** Ms to wait for that probe at shutdown. */
const probeWithinMs = 2_000;

type Status = "ready" | "waiting for the database" | "stopping";

/** Answers readiness probes. */
export interface Readiness {
  /** Whether the database answers and takes writes; "stopping" once shutdown has begun. */
  probe(): Promise<Status>;
  /** Reports "stopping" from now on; resolves when a probe that polls regularly has seen it, or has not come in time. */
  stop(): Promise<void>;
}

export function createReadiness(database: Pick<Database, "open">): Readiness {
  let lastCheck: { readonly at: number; readonly status: Promise<Status> } | null = null;
  let probedAt = Number.NEGATIVE_INFINITY;
  const stopped = Promise.withResolvers<void>();
  let isStopping = false;

  function currentStatus(): Promise<Status> {
    if (lastCheck === null || performance.now() - lastCheck.at > freshMs) {
      const check = write(database).then<Status, Status>(
        () => "ready",
        () => "waiting for the database",
      );
      const late = delay<Status>(patienceMs, "waiting for the database", { ref: false });
      lastCheck = { at: performance.now(), status: Promise.race([check, late]) };
    }
    return lastCheck.status;
  }

  return {
    async probe() {
      probedAt = performance.now();
      if (!isStopping) return currentStatus();
      stopped.resolve();
      return "stopping";
    },
    async stop() {
      isStopping = true;
      if (performance.now() - probedAt < probingMs) await Promise.race([stopped.promise, delay(probeWithinMs, undefined, { ref: false })]);
    },
  };
}
