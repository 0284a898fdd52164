import type { RawBuilder, Selectable } from "kysely";
import { sql } from "kysely";
import type { PaymentAccount, PaymentAccountDetail, paymentAccountRoutes } from "../../contract/payment-accounts.ts";
import type { Received } from "../../contract/route.ts";
import type { ListMeta } from "../../contract/wire.ts";
import { amountText } from "../../values/money.ts";
import type { StaffCall } from "../call.ts";
import type { Scoped } from "../db/scope.ts";
import type { Tables } from "../db/tables.ts";
import { historyOf } from "../audit/records.ts";
import type { SortColumn, Sorts } from "../db/keyset.ts";
import { listRecords, withinRanges } from "../db/keyset.ts";

/** A payment account with its balance, its derived status and state, and what its limits are used by today and this month. */
export interface AccountRow extends Selectable<Tables["payment_accounts"]> {
  readonly balance: string;
  readonly payable: string;
  readonly shown_status: PaymentAccount["status"];
  readonly state: PaymentAccount["state"];
  readonly deposit_daily_used: string;
  readonly deposit_monthly_used: string;
  readonly withdrawal_daily_used: string;
  readonly withdrawal_monthly_used: string;
}

const maybe = (text: string | null): string | null => text && amountText(text);

export function accountView(row: AccountRow): PaymentAccount {
  return {
    uuid: row.id,
    version: row.version,
    code: row.code,
    bank: row.bank,
    account_number: row.account_number,
    holder: row.holder,
    currency: row.currency,
    type: row.type,
    purpose: row.purpose,
    method: row.method,
    status: row.shown_status,
    state: row.state,
    balance: amountText(row.balance),
    payable: amountText(row.payable),
    hold_amount: amountText(row.hold_amount),
    hold_reason: row.hold_reason,
    reserve_amount: amountText(row.reserve_amount),
    threshold: amountText(row.threshold),
    deposit_minimum: maybe(row.deposit_minimum),
    deposit_maximum: maybe(row.deposit_maximum),
    withdrawal_minimum: maybe(row.withdrawal_minimum),
    withdrawal_maximum: maybe(row.withdrawal_maximum),
    deposit_daily: { used: amountText(row.deposit_daily_used), limit: maybe(row.deposit_daily_limit) },
    deposit_monthly: { used: amountText(row.deposit_monthly_used), limit: maybe(row.deposit_monthly_limit) },
    withdrawal_daily: { used: amountText(row.withdrawal_daily_used), limit: maybe(row.withdrawal_daily_limit) },
    withdrawal_monthly: { used: amountText(row.withdrawal_monthly_used), limit: maybe(row.withdrawal_monthly_limit) },
    charges_type: row.charges_type,
    charges_value: amountText(row.charges_value),
    last_used_at: row.last_used_at && row.last_used_at.toISOString(),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

type AccountScope = Pick<StaffCall, "tenant" | "currency" | "currencyFacts">;

/**
 * The accounts of a tenant's currency. Overuse is of an active account with any limit used up; the critical are those the counter
 * counts (notifications.ts): any but the inactive.
 */
function accountsOf({ tenant, currency, currencyFacts: { zoneMinutes } }: AccountScope): RawBuilder<unknown> {
  const today = sql`local_day(now(), ${zoneMinutes}::integer)`;
  const limits = ["deposit", "withdrawal"].flatMap((kind) => [
    { name: `${kind}_daily`, kind, period: "day", starts: today },
    { name: `${kind}_monthly`, kind, period: "month", starts: sql`date_trunc('month', ${today})::date` },
  ]);
  const used = sql.join(limits.map(({ name }) => sql`coalesce(${sql.ref(`${name}.used`)}, 0) as ${sql.ref(`${name}_used`)}`));
  const usedUp = sql.join(
    limits.map(({ name }) => sql`coalesce(${sql.ref(`${name}.used`)}, 0) >= ${sql.ref(`a.${name}_limit`)}`),
    sql` or `,
  );
  const joins = sql.join(
    limits.map(({ name, kind, period, starts }) => {
      const usage = (column: string) => sql.ref(`${name}.${column}`);
      return sql`left join limit_usage ${sql.ref(name)} on ${usage("tenant_id")} = a.tenant_id and ${usage("payment_account_id")} = a.id
        and ${usage("kind")} = ${sql.lit(kind)} and ${usage("period")} = ${sql.lit(period)} and ${usage("starts")} = ${starts}`;
    }),
    sql` `,
  );
  return sql`select a.*, l.balance, (l.balance * 10000)::bigint as balance_key, lower(a.bank) as bank_key,
      l.balance - a.hold_amount - a.reserve_amount as payable, ${used},
      case when a.status = 'active' and (${usedUp}) then 'overuse' else a.status end as shown_status,
      case when a.critical and a.status <> 'inactive' then 'critical' when a.status = 'suspend' then 'suspended' else 'normal' end as state
    from payment_accounts a
    join ledger_accounts l on l.tenant_id = a.tenant_id and l.id = a.ledger_account_id ${joins}
    where a.tenant_id = ${tenant} and a.currency = ${currency}`;
}

export async function findAccounts(db: Scoped, scope: AccountScope, ids: readonly string[]): Promise<AccountRow[]> {
  const { rows } = await sql<AccountRow>`${accountsOf(scope)} and a.id = any(${ids}::uuid[])`.execute(db);
  return rows;
}

export async function findAccount(db: Scoped, scope: AccountScope, id: string): Promise<AccountRow | undefined> {
  return (await findAccounts(db, scope, [id]))[0];
}

const id: SortColumn = { name: "id", type: "uuid" };
const sorts: Sorts = {
  code: [{ name: "code", type: "text" }, id],
  bank: [{ name: "bank_key", type: "text" }, id],
  holder: [{ name: "holder_key", type: "text" }, id],
  balance: [{ name: "balance_key", type: "bigint" }, id],
  created_at: [{ name: "created_at", type: "timestamptz" }, id],
  // one that was never used stands before all that were
  last_used_at: [{ name: "last_used_at", type: "timestamptz", missing: "-infinity" }, id],
};

type Query = Received<typeof paymentAccountRoutes.listPaymentAccounts>["query"];

export function listAccounts(db: Scoped, scope: AccountScope, query: Query): Promise<{ rows: AccountRow[]; meta: ListMeta }> {
  const all = sql`from (${accountsOf(scope)}) t where ${filters(query)}`;
  return listRecords(db, scope, { all, sorts, sort: "code", sums: ["balance", "payable"] }, query);
}

/** By any part of a name, code or number: a tenant's accounts are few. */
function filters(query: Query): RawBuilder<unknown> {
  const ranges = { balance: "numeric", payable: "numeric", last_used_at: "timestamptz", created_at: "timestamptz" } as const;
  const parts = [sql`true`, ...withinRanges(query, ranges, "t")];
  const among = [
    ["shown_status", query["filter[status]"]],
    ["state", query["filter[state]"]],
    ["type", query["filter[type]"]],
  ] as const;
  for (const [column, values] of among) if (values) parts.push(sql`${sql.ref(`t.${column}`)} = any(${values}::text[])`);
  const uuids = query["filter[uuid]"];
  if (uuids) parts.push(sql`t.id = any(${uuids}::uuid[])`);
  const bank = query["filter[bank]"]?.trim();
  if (bank) parts.push(sql`t.bank_key = lower(${bank}::text)`);
  const { q } = query;
  if (q) {
    const holds = ["code", "bank", "holder"].map((column) => sql`strpos(lower(${sql.ref(`t.${column}`)}), lower(${q}::text)) > 0`);
    const digits = q.replace(/[ -]/g, "");
    if (digits !== "") holds.push(sql`strpos(lower(t.account_number), lower(${digits}::text)) > 0`);
    holds.push(sql`t.id::text = lower(${q}::text)`);
    parts.push(sql`(${sql.join(holds, sql` or `)})`);
  }
  return sql.join(parts, sql` and `);
}

export async function groupsOfAccount(db: Scoped, tenant: string, account: string): Promise<{ uuid: string; name: string }[]> {
  const { rows } = await sql<{ uuid: string; name: string }>`select g.id as uuid, g.name from payment_group_accounts l
    join payment_groups g on g.tenant_id = l.tenant_id and g.id = l.group_id
    where l.tenant_id = ${tenant} and l.payment_account_id = ${account} order by g.name, g.id`.execute(db);
  return rows;
}

/** Open deposits and withdrawals that name it, as the account they use or as the one a first approver chose. */
export async function openOf(db: Scoped, { tenant, currency }: AccountScope, account: string): Promise<number> {
  const { rows } = await sql<{ open: number }>`select count(*)::integer as open from transactions
    where tenant_id = ${tenant} and currency = ${currency} and kind in ('deposit', 'withdrawal') and status in ('pending', 'process')
      and (payment_account_id = ${account} or first_account_id = ${account})`.execute(db);
  return rows[0]?.open ?? 0;
}

export async function accountDetail(db: Scoped, call: AccountScope, row: AccountRow): Promise<PaymentAccountDetail> {
  const { tenant } = call;
  const limits = await sql<{ uuid: string; name: string }>`select id as uuid, name from rate_limit_groups
    where tenant_id = ${tenant} and id = ${row.rate_limit_group_id}`.execute(db);
  return {
    row: accountView(row),
    groups: await groupsOfAccount(db, tenant, row.id),
    rate_limit_group: limits.rows[0] ?? null,
    open: await openOf(db, call, row.id),
    history: await historyOf(db, { tenant, entity: "payment-account", id: row.id }),
  };
}
