import { sql } from "kysely";
import type { StaffCall } from "../call.ts";
import type { Scoped } from "../db/scope.ts";

/** Locks an account's counters of today and this month, created when missing, so that nothing is counted against them meanwhile. */
export async function lockLimits(db: Scoped, { tenant, currency, currencyFacts }: StaffCall, id: string): Promise<void> {
  await sql`insert into limit_usage as u (tenant_id, payment_account_id, kind, period, starts, used)
    select a.tenant_id, a.id, p.kind, p.period, date_trunc(p.period, local_day(now(), ${currencyFacts.zoneMinutes}::integer))::date, 0
    from payment_accounts a, (values (1, 'deposit', 'day'), (2, 'deposit', 'month'), (3, 'withdrawal', 'day'), (4, 'withdrawal', 'month'))
      p (n, kind, period)
    where a.tenant_id = ${tenant} and a.currency = ${currency} and a.id = ${id} order by p.n
    on conflict (tenant_id, payment_account_id, kind, period, starts) do update set used = u.used`.execute(db);
}

/** Locks the accounts of the ledger before our rows, as postings do, because what is decided depends on their balances. */
export async function lockLedgerAccounts(db: Scoped, { tenant, currency }: StaffCall, ids: readonly string[]): Promise<void> {
  await sql`select from ledger_accounts where tenant_id = ${tenant} and id in (select ledger_account_id from payment_accounts
    where tenant_id = ${tenant} and currency = ${currency} and id = any(${ids}::uuid[])) order by id for update`.execute(db);
}
