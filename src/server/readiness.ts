import { setTimeout as delay } from "node:timers/promises";
import { sql } from "kysely";
import type { Database } from "./db/scope.ts";

/** ms an answer is good for, so that probes of whatever number cost one look a second. */
const freshMs = 1_000;
/** ms after which a database that has not answered is not there. */
const patienceMs = 3_000;

/**
 * One transaction of the kinds of writing that fail where a disk is full or the database takes no writes: a temporary file (more rows
 * than the memory allowed here holds), a row, and the log's flush at the commit.
 */
async function write(database: Pick<Database, "open">): Promise<void> {
  await database.open.transaction().execute(async (db) => {
    await sql`set local work_mem = '64kB'`.execute(db);
    await sql`select count(*) from generate_series(1, 10000)`.execute(db);
    await sql`insert into throttles (key, count, resets_at) values ('readiness', 1, now() + interval '1 day')
      on conflict (key) do update set resets_at = excluded.resets_at`.execute(db);
  });
}

/** ms since its last question within which a probe is taken to ask again. */
const probingMs = 60_000;
/** ms it is waited for. */
const heardWithinMs = 2_000;

type Status = "ready" | "waiting for the database" | "stopping";

/** What probes are told of this process. */
export interface Readiness {
  /** Whether the database answers and takes writes; "stopping" from the moment it is. */
  ask(): Promise<Status>;
  /** Resolves when the probe that has been asking, if there is one, has heard that this process stops, or does not ask again. */
  stop(): Promise<void>;
}

export function createReadiness(database: Pick<Database, "open">): Readiness {
  let looked: { readonly at: number; readonly found: Promise<Status> } | null = null;
  let askedAt = Number.NEGATIVE_INFINITY;
  const stopped = Promise.withResolvers<void>();
  let isStopping = false;

  function present(): Promise<Status> {
    if (looked === null || performance.now() - looked.at > freshMs) {
      const asked = write(database).then<Status, Status>(
        () => "ready",
        () => "waiting for the database",
      );
      const late = delay<Status>(patienceMs, "waiting for the database", { ref: false });
      looked = { at: performance.now(), found: Promise.race([asked, late]) };
    }
    return looked.found;
  }

  return {
    async ask() {
      askedAt = performance.now();
      if (!isStopping) return present();
      stopped.resolve();
      return "stopping";
    },
    async stop() {
      isStopping = true;
      if (performance.now() - askedAt < probingMs) await Promise.race([stopped.promise, delay(heardWithinMs, undefined, { ref: false })]);
    },
  };
}
