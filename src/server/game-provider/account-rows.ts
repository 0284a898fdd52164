import type { Selectable } from "kysely";
import { sql } from "kysely";
import type { MasterAccount } from "../../contract/master-accounts.ts";
import type { CheckFailure, CheckSettings } from "../../contract/provider-checks.ts";
import { amountText } from "../../values/money.ts";
import type { AvailabilityRow } from "./availability.ts";
import { availabilityColumns, availabilityView } from "./availability.ts";
import type { Scoped } from "../db/scope.ts";
import type { Tables } from "../db/tables.ts";

export interface MasterAccountRow extends Selectable<Tables["master_accounts"]>, AvailabilityRow {
  readonly state: MasterAccount["state"];
}

/** The state follows from what a person set and from the balance. */
const state = sql`case when a.status = 'suspend' then 'suspended' when a.critical then 'critical' else 'normal' end`;

/** Of the currency; a list is of one, a job of any. */
export const accountRows = (tenant: string, currency: string | null) => sql`select a.*, ${state} as state,
    ${availabilityColumns(tenant, { account: sql`a.id` })} from master_accounts a
  where a.tenant_id = ${tenant} ${currency === null ? sql`` : sql`and a.currency = ${currency}`}`;

/** How its provider is asked, as the form has it. */
export const settingsIn = (row: MasterAccountRow): CheckSettings => ({
  check_url: row.check_url,
  check_method: row.check_method,
  check_headers: row.check_headers,
  check_body: row.check_body ?? "",
  timeout_seconds: row.timeout_seconds,
  require_proxy: row.require_proxy,
  proxy_url: row.proxy_url ?? "",
  balance_pointer: row.balance_pointer,
  credit_pointer: row.credit_pointer ?? "",
  currency_pointer: row.currency_pointer ?? "",
  success_pointer: row.success_pointer ?? "",
  success_value: row.success_value ?? "",
});

export const accountView = (row: MasterAccountRow): MasterAccount => ({
  uuid: row.id,
  version: row.version,
  tenant_id: row.tenant_id,
  currency: row.currency,
  code: row.code,
  name: row.name,
  upline: row.upline,
  status: row.status,
  state: row.state,
  ...availabilityView(row),
  threshold: amountText(row.threshold),
  balance: row.balance && amountText(row.balance),
  has_credit: row.has_credit,
  is_error: row.is_error,
  misses: row.misses,
  failure: row.failure as CheckFailure | null, // only checks write it
  last_checked_at: row.last_checked_at?.toISOString() ?? null,
  last_notified_at: row.last_notified_at?.toISOString() ?? null,
  enable_notification: row.enable_notification,
  has_credentials: row.credentials !== null,
  ...settingsIn(row),
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

/**
 * Sets `critical` by balance and threshold: below it, until 5 % above it, as for payment accounts. One whose balance is not known is not
 * critical.
 */
export async function recomputeCritical(db: Scoped, tenant: string, id: string): Promise<void> {
  await sql`update master_accounts set critical = not critical, critical_since = case when critical then null else clock_timestamp() end
    where tenant_id = ${tenant} and id = ${id}
      and critical <> coalesce(balance < threshold * case when critical then 1.05 else 1 end, false)`.execute(db);
}
