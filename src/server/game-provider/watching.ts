import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { z } from "zod";
import { alarmStates } from "../../contract/score-watchers.ts";
import type { ScoreWatcher } from "../../contract/score-watchers.ts";
import { screens } from "../../contract/screens.ts";
import { minorDigitsOf } from "../../values/currencies.ts";
import { formatAmount } from "../../values/money.ts";
import type { Deps } from "../call.ts";
import type { Scoped } from "../db/scope.ts";
import { inTenant } from "../db/scope.ts";
import { defineJob } from "../jobs/kind.ts";
import { defineSchedule } from "../jobs/schedule.ts";
import { mailOwners, recordLink } from "../mail/owners.ts";
import { findRecords } from "../records/record-list.ts";
import { checkAccounts } from "./check-accounts.ts";
import { watcherRows } from "./watcher-rows.ts";
import type { WatcherRow } from "./watcher-rows.ts";

/** s by which a turn may come early and its alarm still be a whole interval after the last one. */
const leeway = 30;

/**
 * A watcher's turn: its account's provider is asked, and the alarm given where the balance is below the threshold or three checks have
 * failed, unless the account is set to give none; again only after the watcher's interval. A turn that a kill has cut short is made again, and asks the provider at most once
 * more. Whoever rests asks nobody.
 */
export const scoreWatchJob = defineJob({
  name: "score-watch",
  payload: z.strictObject({ watcher: z.uuid() }),
  attempts: 3,
  atOnce: 8,
  perTenant: 6,
  minutes: 5,
  async work({ deps, tenant, id, payload: { watcher }, signal }) {
    const found = await inTenant(deps.database, tenant, (db) => watcherOf(db, tenant, watcher));
    if (found === null || found.state === "resting") return;
    await checkAccounts(deps, tenant, [found.master_account_id], { job: id, user: null }, signal, async () => undefined);
    signal.throwIfAborted();
    const alarmed = await inTenant(deps.database, tenant, (db) => judge(db, deps, tenant, watcher));
    deps.publisher.changed(tenant, "scoreWatcher", [watcher]);
    if (alarmed) deps.publisher.changed(tenant, "scoreAlarm", [watcher]);
  },
});

export const scoreWatches = defineSchedule({
  kind: scoreWatchJob,
  table: "score_watchers",
  every: sql`make_interval(mins => every_minutes)`,
  payload: (watcher: string) => ({ watcher }),
});

async function watcherOf(db: Scoped, tenant: string, id: string): Promise<WatcherRow | null> {
  return (await findRecords<WatcherRow>(db, watcherRows(tenant, null), [id]))[0] ?? null;
}

const isAlarm = (state: ScoreWatcher["state"]): boolean => alarmStates.some((one) => one === state);

/** Writes that it has looked; answers whether the alarm is given now. */
async function judge(db: Scoped, deps: Deps, tenant: string, id: string): Promise<boolean> {
  const of = sql`where tenant_id = ${tenant} and id = ${id}`;
  await sql`select from score_watchers ${of} for no key update`.execute(db);
  const row = await watcherOf(db, tenant, id);
  if (row === null) return false; // deleted meanwhile
  await sql`update score_watchers set last_checked_at = now() ${of}`.execute(db);
  if (!isAlarm(row.state) || !row.enable_notification || !(row.notify || row.mail)) return false;
  const { numAffectedRows: due } = await sql`update score_watchers set last_notified_at = now() ${of}
    and (last_notified_at is null or last_notified_at <= now() - make_interval(mins => every_minutes, secs => ${-leeway}))`.execute(db);
  if (due !== 1n) return false;
  await sql`update master_accounts set last_notified_at = now()
    where tenant_id = ${tenant} and id = ${row.master_account_id}`.execute(db);
  if (row.mail) await mailAlarm(db, deps, tenant, row);
  return row.notify;
}

async function mailAlarm(db: Scoped, deps: Deps, tenant: string, row: WatcherRow): Promise<void> {
  const shown = (amount: string) => `${formatAmount(amount, minorDigitsOf(row.currency))} ${row.currency}`;
  const words = {
    account: `${row.account_code} · ${row.account_name}`,
    balance: row.balance === null ? "–" : shown(row.balance),
    threshold: shown(row.threshold),
    link: recordLink(deps, screens["score-watchers"].path, { record: row.id, tenant, currency: row.currency }),
  };
  await mailOwners(db, deps, tenant, row.state === "below" ? "mail.score-below" : "mail.score-error", words);
}

/** Watchers of a currency in which the alarm is given. */
export async function alarmedWatchers(db: Scoped, tenant: string, currency: string): Promise<number> {
  const rows: RawBuilder<unknown> = watcherRows(tenant, currency);
  const found = await sql<{ count: number }>`select count(*)::integer as count from (${rows}) w
    where w.state = any(${[...alarmStates]}::text[])`.execute(db);
  return found.rows[0]?.count ?? 0;
}
