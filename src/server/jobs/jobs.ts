import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { Deps } from "../call.ts";
import type { Scoped } from "../db/scope.ts";
import type { JobKind } from "./kind.ts";

/** Where a job's row begins: who waits for it. */
interface Start {
  readonly tenant: string;
  /** The user who has asked for it. */
  readonly by: string;
  /** Its id, where another row is to have the same. */
  readonly id?: string;
}

/**
 * Starts a job that somebody watches, within the caller's transaction: its row in `jobs` tells how it goes. After the commit `jobs.wake`
 * makes this process look for it at once. Answers its id.
 */
export async function startJob<P extends object>(
  db: Scoped,
  { jobs }: Pick<Deps, "jobs">,
  { tenant, by, id = randomUUID() }: Start,
  kind: JobKind<P>,
  payload: NoInfer<P>,
): Promise<string> {
  const entry = await jobs.send(db, kind, tenant, payload, { job: id });
  if (entry === null) throw new Error(`a job ${kind.name} with a key of its own was not queued`);
  await db.insertInto("jobs").values({ tenant_id: tenant, id, kind: kind.name, queued_as: entry, started_by: by }).execute();
  return id;
}

/** Cancels a job within the caller's transaction, whether it waits or runs; false: it has ended before. */
export async function cancelJob(
  db: Scoped,
  { jobs }: Pick<Deps, "jobs">,
  { tenant, id }: { tenant: string; id: string },
  kind: JobKind,
): Promise<boolean> {
  const row = await db
    .updateTable("jobs")
    .set({ state: "cancelled", ended_at: sql`now()` })
    .where("tenant_id", "=", tenant)
    .where("id", "=", id)
    .where("state", "in", ["waiting", "running"])
    .returning("queued_as")
    .executeTakeFirst();
  if (row === undefined) return false;
  await jobs.cancel(db, kind, row.queued_as);
  return true;
}
