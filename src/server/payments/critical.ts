import { sql } from "kysely";
import type { Scoped } from "../db/scope.ts";

/** Whether payment account `a` is critical: one that is not to be used alarms nobody, however little it holds. */
export const isCritical = sql`(a.critical and a.status not in ('inactive', 'suspend'))`;

/**
 * Updates `critical` of payment accounts: set below the threshold, cleared 5 % above it. Postings do this themselves (post_legs); this is
 * for a changed threshold. Answers the accounts that changed.
 */
export async function recomputeCritical(db: Scoped, tenant: string, accounts: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update payment_accounts p
      set critical = not p.critical, critical_since = case when p.critical then null else clock_timestamp() end
      from ledger_accounts l
      where p.tenant_id = ${tenant} and p.id = any(${accounts}::uuid[]) and l.tenant_id = p.tenant_id and l.id = p.ledger_account_id
        and p.critical <> (l.balance < p.threshold * case when p.critical then 1.05 else 1 end)
      returning p.id`.execute(db);
  return rows.map(({ id }) => id);
}
