import type { RawBuilder, Selectable } from "kysely";
import { sql } from "kysely";
import type { PaymentAccount, PaymentAccountDetail } from "../../contract/payment-accounts.ts";
import { amountText } from "../../values/money.ts";
import type { Permission } from "../../contract/permissions.ts";
import type { StaffCall } from "../call.ts";
import type { Scoped } from "../db/scope.ts";
import type { Tables } from "../db/tables.ts";
import { linkedGroups, groupsOfAccount } from "../payment-groups/group-links.ts";
import { isCritical } from "../payments/critical.ts";
import { linkedRecords, linkedTo } from "../records/links.ts";
import { findRecords } from "../records/record-list.ts";
import { linesOf, pendingOn, resetsOf } from "./account-panel.ts";
import { countOpen } from "./open-items.ts";

/** A payment account with its balance, its derived status and state, and what is used of its limits today and this month. */
export interface AccountRow extends Selectable<Tables["payment_accounts"]> {
  readonly balance: string;
  readonly payable: string;
  readonly pending_out: string;
  readonly shown_status: PaymentAccount["status"];
  readonly state: PaymentAccount["state"];
  readonly deposit_daily_used: string;
  readonly deposit_monthly_used: string;
  readonly withdrawal_daily_used: string;
  readonly withdrawal_monthly_used: string;
  readonly groups: string[];
  /** Of its rate-limit group; null: none. */
  readonly rate_limit_group: string | null;
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
    hold_until: row.hold_until && row.hold_until.toISOString(),
    pending_out: amountText(row.pending_out),
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
    notice_key: row.notice_key,
    last_used_at: row.last_used_at && row.last_used_at.toISOString(),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

export type AccountScope = Pick<StaffCall, "tenant" | "currency" | "currencyFacts">;

/**
 * The accounts of a tenant's currency. An active account with a limit used up is overused; critical are those the counter
 * counts (notifications.ts).
 */
export function accountsOf({ tenant, currency, currencyFacts: { zoneMinutes } }: AccountScope): RawBuilder<unknown> {
  const kinds = ["deposit", "withdrawal"] as const;
  const periods = ["daily", "monthly"] as const;
  const limits = kinds.flatMap((kind) => periods.map((period) => ({ kind, period })));
  const used = sql.join(
    limits.map(({ kind, period }) => sql`${sql.ref(`${kind}.${period}_used`)} as ${sql.ref(`${kind}_${period}_used`)}`),
  );
  const usedUp = sql.join(
    limits.map(({ kind, period }) => sql`${sql.ref(`${kind}.${period}_used`)} >= ${sql.ref(`${kind}.${period}_limit`)}`),
    sql` or `,
  );
  const joins = sql.join(
    kinds.map(
      (kind) => sql`cross join limits_of(a.tenant_id, a.id, ${sql.lit(kind)}, local_day(now(), ${zoneMinutes}::integer),
        a.deposit_daily_limit, a.deposit_monthly_limit, a.withdrawal_daily_limit, a.withdrawal_monthly_limit) ${sql.ref(kind)}`,
    ),
    sql` `,
  );
  return sql`select a.*, l.balance, lower(a.bank) as bank_key,
      account_pending_out(a.tenant_id, a.id) as pending_out,
      account_payable(a.tenant_id, a.id, l.balance, a.hold_amount, a.reserve_amount) as payable, ${used},
      case when a.status = 'active' and (${usedUp}) then 'overuse' else a.status end as shown_status,
      case when a.status = 'suspend' then 'suspended' when ${isCritical} then 'critical' else 'normal' end as state,
      ${linkedTo(groupsOfAccount, tenant, sql.ref("a.id"))} as groups, a.rate_limit_group_id as rate_limit_group
    from payment_accounts a
    join ledger_accounts l on l.tenant_id = a.tenant_id and l.id = a.ledger_account_id ${joins}
    where a.tenant_id = ${tenant} and a.currency = ${currency}`;
}

export const findAccounts = (db: Scoped, scope: AccountScope, ids: readonly string[]): Promise<AccountRow[]> =>
  findRecords(db, accountsOf(scope), ids);

export async function accountDetail(db: Scoped, call: StaffCall, row: AccountRow): Promise<Omit<PaymentAccountDetail, "row" | "history">> {
  const { tenant, caller } = call;
  const may = (permission: Permission) => caller.permissions.has(permission);
  const limits = row.rate_limit_group === null ? [] : await linkedRecords(db, tenant, "rate_limit_groups", [row.rate_limit_group]);
  return {
    groups: await linkedGroups(db, tenant, row.groups),
    rate_limit_group: limits[0] ?? null,
    open: await countOpen(db, call, row.id),
    resets: await resetsOf(db, call),
    transfers: may("pas.transaction.transfers.view") ? await pendingOn(db, call, row.id) : [],
    ...(may("pas.transaction.bank-transactions.view") ? await linesOf(db, call, row.id) : { lines: [], last_line_at: null }),
  };
}
