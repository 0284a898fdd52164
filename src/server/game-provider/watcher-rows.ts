import type { Selectable } from "kysely";
import { sql } from "kysely";
import type { CheckFailure } from "../../contract/provider-checks.ts";
import type { ScoreWatcher } from "../../contract/score-watchers.ts";
import { amountText } from "../../values/money.ts";
import type { Tables } from "../db/tables.ts";
import { downUntil } from "./availability.ts";

export interface WatcherRow extends Selectable<Tables["score_watchers"]> {
  /** What its list is searched and sorted by. */
  readonly master_account: string;
  readonly account_code: string;
  readonly account_name: string;
  readonly balance: string | null;
  readonly failure: string | null;
  /** Whether the account gives alarms at all. */
  readonly enable_notification: boolean;
  readonly down_until: Date | null;
  readonly state: ScoreWatcher["state"];
}

/** Whether a watcher `w` of an account `a`, down until `d.until`, asks nobody now: the one place where that is said. */
const rests = sql`(w.is_paused or a.status = 'suspend' or d.until is not null)`;

const state = sql`case when ${rests} then 'resting' when a.is_error then 'error' when a.balance is null then 'waiting'
  when a.balance < w.threshold then 'below' else 'normal' end`;

/** Of the currency; a list is of one, a job of any. */
export const watcherRows = (tenant: string, currency: string | null) => sql`select w.*, a.code || ' ' || a.name as master_account,
    a.code as account_code, a.name as account_name, a.balance, a.failure, a.enable_notification, d.until as down_until, ${state} as state
  from score_watchers w join master_accounts a on a.tenant_id = w.tenant_id and a.id = w.master_account_id
    cross join lateral (select ${downUntil(tenant, { account: sql`a.id` })} as until) d
  where w.tenant_id = ${tenant} ${currency === null ? sql`` : sql`and w.currency = ${currency}`}`;

export const watcherView = (row: WatcherRow): ScoreWatcher => ({
  uuid: row.id,
  version: row.version,
  master_account: { uuid: row.master_account_id, name: row.account_name, code: row.account_code },
  currency: row.currency,
  state: row.state,
  threshold: amountText(row.threshold),
  balance: row.balance && amountText(row.balance),
  failure: row.failure as CheckFailure | null, // only checks write it
  every_minutes: row.every_minutes,
  notify: row.notify,
  mail: row.mail,
  is_paused: row.is_paused,
  down_until: row.down_until?.toISOString() ?? null,
  next_at: row.is_paused ? null : (row.next_at?.toISOString() ?? null),
  last_checked_at: row.last_checked_at?.toISOString() ?? null,
  last_notified_at: row.last_notified_at?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});
