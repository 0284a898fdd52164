import type { Deps } from "../../src/server/call.ts";
import { openDatabase } from "../../src/server/db/scope.ts";
import { runAttempt } from "../../src/server/jobs/attempt.ts";
import type { JobKind } from "../../src/server/jobs/kind.ts";
import { openQueue } from "../../src/server/jobs/queue.ts";
import type { TestDatabase } from "./database.ts";
import { makeDeps } from "./factories.ts";

/** A server on the database that runs jobs, with connections of its own. */
export interface JobServer {
  readonly deps: Deps;
  stop(): Promise<void>;
}

export function startJobServer(db: TestDatabase, kinds: readonly JobKind[], more: Partial<Deps> = {}): JobServer {
  const database = openDatabase(db.connectAs, 4);
  const base = makeDeps(db);
  const deps: Deps = { ...base, ...more, database, jobs: openQueue(database, base.log) };
  deps.jobs.start(kinds, (of, entry, signal) => runAttempt(deps, of, entry, signal));
  return {
    deps,
    async stop() {
      await deps.jobs.stop();
      await database.close();
    },
  };
}
