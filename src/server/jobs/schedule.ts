import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { Deps } from "../call.ts";
import { inTenant } from "../db/scope.ts";
import type { JobKind } from "./kind.ts";
import { roundRobin } from "./record.ts";

/** Rows of a table that each have their turn every so often, as a job: a watcher's check, a provider's probe. */
export interface Schedule<P extends object = object> {
  readonly kind: JobKind<P>;
  /** It has `tenant_id`, `id` and `next_at`, the next turn (null: none); sweeps may read it (`let_worker_read`). */
  readonly table: string;
  /** From one turn of a row to its next, in SQL: sql`make_interval(mins => every_minutes)`. */
  readonly every: RawBuilder<unknown>;
  payload(id: string): NoInfer<P>;
}

export const defineSchedule = <P extends object>(schedule: Schedule<P>): Schedule<P> => schedule;

/** Rows of one tenant in one transaction. */
const batch = 200;

/**
 * Queues a job for each row whose turn has come and sets its next turn, in one transaction. Turns that were missed are left out, and a row
 * whose job still waits or runs gets no other. Several processes may do it at once.
 */
export async function queueTurns(deps: Deps, { kind, table, every, payload }: Schedule): Promise<void> {
  const from = sql.table(table);
  const due = sql`next_at <= now()`;
  const { rows } = await sql<{ tenant_id: string }>`select distinct tenant_id from ${from} where ${due}`.execute(deps.database.worker);
  await roundRobin(
    deps,
    `turns of ${kind.name}`,
    rows.map(({ tenant_id }) => tenant_id),
    async (tenant) => {
      const turns = await inTenant(deps.database, tenant, async (db) => {
        // by whole intervals, so that a row keeps its minute
        const taken = await sql<{ id: string }>`update ${from} set next_at = next_at
            + ${every} * (floor(extract(epoch from now() - next_at) / extract(epoch from ${every})) + 1)
          where tenant_id = ${tenant} and id in (
            select id from ${from} where tenant_id = ${tenant} and ${due} order by next_at limit ${batch} for no key update skip locked)
          returning id`.execute(db);
        for (const { id } of taken.rows) await deps.jobs.send(db, kind, tenant, payload(id), { key: id });
        return taken.rows.length;
      });
      if (turns > 0) deps.jobs.wake(kind);
      return turns === batch ? "more" : "done";
    },
  );
}
