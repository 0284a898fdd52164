import type { TestDatabase } from "./database.ts";
import type { Tenant } from "./factories.ts";

/** How often each of a tenant's transactions that stand approved or completed was approved: once, unless one was recalled. */
export async function approvalsOf({ owner }: TestDatabase, { id }: Pick<Tenant, "id">): Promise<ReadonlyMap<string, number>> {
  const { rows } = await owner.query<{ id: string; approvals: number }>(
    `select t.id, (select count(*)::integer from transaction_events e where e.tenant_id = t.tenant_id and e.transaction_id = t.id and e.act = 'approve') as approvals
      from transactions t where t.tenant_id = $1 and t.status in ('approved', 'completed')`,
    [id],
  );
  return new Map(rows.map((row) => [row.id, row.approvals]));
}
