import { sql } from "kysely";
import type { FirstStep, FirstSteps, firstStepRoutes } from "../../contract/first-steps.ts";
import { firstSteps } from "../../contract/first-steps.ts";
import { actorOf } from "../audit/record.ts";
import { audit, differences } from "../audit/records.ts";
import type { StaffCall } from "../call.ts";
import { inTenant } from "../db/scope.ts";
import type { Scoped } from "../db/scope.ts";
import type { Handlers } from "../handlers.ts";
import { once } from "../idempotency.ts";

interface Kept {
  readonly open: boolean;
  readonly skipped: readonly string[];
}
const none: Kept = { open: false, skipped: [] };

async function kept(db: Scoped, tenant: string, lock: "lock" | "read"): Promise<Kept> {
  const { rows } = await sql<Kept>`select open, skipped from first_steps where tenant_id = ${tenant}
    ${lock === "lock" ? sql`for no key update` : sql``}`.execute(db);
  return rows[0] ?? none;
}

/** What is there counts as done, however it came about; of people one besides whoever was first. */
async function doneIn(db: Scoped, tenant: string): Promise<Readonly<Record<FirstStep, boolean>>> {
  const { rows } = await sql<Record<FirstStep, boolean>>`select
      exists (select from currencies where tenant_id = ${tenant}) as currency,
      exists (select from payment_accounts where tenant_id = ${tenant}) as account,
      exists (select from merchants where tenant_id = ${tenant}) as merchant,
      exists (select from payment_groups where tenant_id = ${tenant}) as "group",
      exists (select from memberships where tenant_id = ${tenant} offset 1) as colleague`.execute(db);
  const [row] = rows;
  if (!row) throw new Error("a select without from has one row");
  return row;
}

async function answer(db: Scoped, tenant: string, { open, skipped }: Kept): Promise<FirstSteps> {
  const done = await doneIn(db, tenant);
  return { open, steps: firstSteps.map((step) => ({ step, state: done[step] ? "done" : skipped.includes(step) ? "skipped" : "open" })) };
}

export const firstStepHandlers: Handlers<typeof firstStepRoutes, StaffCall> = {
  readFirstSteps: ({ deps, tenant }) =>
    inTenant(deps.database, tenant, async (db) => ({ data: await answer(db, tenant, await kept(db, tenant, "read")) })),

  async updateFirstSteps(call, { body }) {
    const { tenant } = call;
    const data = await once(call, null, async (db) => {
      await sql`insert into first_steps (tenant_id, open) values (${tenant}, false) on conflict do nothing`.execute(db);
      const was = await kept(db, tenant, "lock");
      const skipped = firstSteps.filter((step) => body.skipped[step] ?? was.skipped.includes(step));
      const now: Kept = { open: body.open ?? was.open, skipped };
      const changed = differences(was, now);
      if (changed !== null) {
        await sql`update first_steps set open = ${now.open}, skipped = ${now.skipped}, updated_at = clock_timestamp()
          where tenant_id = ${tenant}`.execute(db);
        await audit(db, { tenant, entity: "first-steps", id: tenant }, actorOf(call), "update", changed);
      }
      return { answer: await answer(db, tenant, now) };
    });
    return { data };
  },
};
