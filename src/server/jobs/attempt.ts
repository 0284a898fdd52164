import { sql } from "kysely";
import type { Deps } from "../call.ts";
import { inTenant } from "../db/scope.ts";
import type { Scoped } from "../db/scope.ts";
import { AttemptOver, JobFailure } from "./kind.ts";
import type { JobKind } from "./kind.ts";
import type { Entry } from "./queue.ts";

/** Ms between two writes of the progress. */
const progressMs = 250;
/** What a person is told of a failure nobody foresaw; the log says more. */
const unforeseen = "unforeseen";

/**
 * Runs one attempt at an entry of the queue and writes how it ended. Answers when nothing is to be tried again, also for a job that was
 * cancelled; otherwise it throws, and the queue tries it again. A server that stops hands the job back as if it had not been begun.
 */
export async function runAttempt(deps: Deps, kind: JobKind, entry: Entry, signal: AbortSignal): Promise<void> {
  const { database, log } = deps;
  const { tenant, job, attempt } = entry;
  const row = job === null ? null : await beginRow(deps, tenant, job);
  if (row === "over") return;
  const id = job ?? entry.id;
  const over = (): AttemptOver => (signal.reason instanceof AttemptOver ? signal.reason : new AttemptOver("over"));
  try {
    const result = await kind.work({
      deps,
      tenant,
      id,
      payload: kind.payload.parse(entry.payload),
      attempt,
      signal,
      async progress(done, total = null) {
        if (signal.aborted) throw over();
        await row?.progress(done, total);
      },
    });
    await inTenant(database, tenant, async (db) => {
      await row?.end(db, "done");
      await result?.(db);
    });
  } catch (error) {
    if (signal.aborted && over().why === "stopping") return handBack(deps, kind, entry);
    if (signal.aborted || error instanceof AttemptOver) return;
    const isHopeless = error instanceof JobFailure;
    log.error({ err: error, job: kind.name, id, tenant, attempt, again: !isHopeless && !entry.isLast }, "a job has failed");
    const code = isHopeless ? error.code : unforeseen;
    if (isHopeless || entry.isLast) await inTenant(database, tenant, async (db) => row?.end(db, "failed", code));
    if (!isHopeless) throw error;
  }
}

/** Queues a watched job again under another entry, because an attempt that a stop cut short is none; the others' next turn comes anyway. */
async function handBack(deps: Deps, kind: JobKind, { tenant, job, payload }: Entry): Promise<void> {
  if (job === null) throw new AttemptOver("stopping");
  await inTenant(deps.database, tenant, async (db) => {
    const { numUpdatedRows } = await db
      .updateTable("jobs")
      .set({ state: "waiting", attempt: sql`attempt - 1`, done: "0", total: null, began_at: null })
      .where("tenant_id", "=", tenant)
      .where("id", "=", job)
      .where("state", "=", "running")
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return;
    const again = await deps.jobs.send(db, kind, tenant, kind.payload.parse(payload), { job });
    if (again === null) throw new Error("a job that was handed back was not queued");
    await db.updateTable("jobs").set({ queued_as: again }).where("tenant_id", "=", tenant).where("id", "=", job).execute();
  });
}

/** The row of a job as one attempt writes it; each write fails once the job was cancelled or begun anew. */
interface AttemptRow {
  progress(done: number, total: number | null): Promise<void>;
  end(db: Scoped, state: "done" | "failed", failure?: string): Promise<void>;
}

/** "over": it was cancelled, or has ended. */
async function beginRow({ database }: Deps, tenant: string, job: string): Promise<AttemptRow | "over"> {
  const begun = await inTenant(database, tenant, (db) =>
    db
      .updateTable("jobs")
      .set({ state: "running", attempt: sql`attempt + 1`, done: "0", total: null, began_at: sql`now()` })
      .where("tenant_id", "=", tenant)
      .where("id", "=", job)
      .where("state", "in", ["waiting", "running"])
      .returning("attempt")
      .executeTakeFirst(),
  );
  if (begun === undefined) return "over";
  let told: { done: string; total?: string } = { done: "0" };
  let writtenAt = 0;
  const write = async (db: Scoped, set: object): Promise<void> => {
    const { numUpdatedRows } = await db
      .updateTable("jobs")
      .set({ ...told, ...set })
      .where("tenant_id", "=", tenant)
      .where("id", "=", job)
      .where("state", "=", "running")
      .where("attempt", "=", begun.attempt)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw new AttemptOver("over");
  };
  return {
    async progress(done, total) {
      told = { done: String(done), ...(total !== null && { total: String(total) }) };
      const now = performance.now();
      if (now - writtenAt < progressMs) return;
      writtenAt = now;
      await inTenant(database, tenant, (db) => write(db, {}));
    },
    end: (db, state, failure) => write(db, { state, ended_at: sql`now()`, ...(failure !== undefined && { failure }) }),
  };
}
