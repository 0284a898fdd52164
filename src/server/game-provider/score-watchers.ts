import { sql } from "kysely";
import type { FieldLines } from "../../contract/problems.ts";
import type { ScoreWatcherForm, scoreWatcherRoutes } from "../../contract/score-watchers.ts";
import { scoreWatcherColumns } from "../../contract/score-watchers.ts";
import { amountText } from "../../values/money.ts";
import type { StaffCall } from "../call.ts";
import type { Scoped } from "../db/scope.ts";
import type { Handlers } from "../handlers.ts";
import { noSuchRecord } from "../records/links.ts";
import { recordHandlers } from "../records/record-handlers.ts";
import { newestChecks } from "./newest-checks.ts";
import { watcherRows, watcherView } from "./watcher-rows.ts";
import type { WatcherRow } from "./watcher-rows.ts";

interface Initial {
  readonly master_account: string;
}

/** One that was paused begins anew: its first turn is at once. So is that of one whose interval is another. */
async function setTurn(db: Scoped, { tenant }: StaffCall, id: string): Promise<void> {
  await sql`update score_watchers set next_at = case when is_paused then null else now() end
    where tenant_id = ${tenant} and id = ${id}`.execute(db);
}

const { list, read, create, update, remove } = recordHandlers({
  entity: "score-watcher",
  table: "score_watchers",
  currency: true,
  columns: scoreWatcherColumns,
  stored: {
    balance: { sort: [{ name: "balance", type: "numeric", missing: "-infinity" }] },
    last_checked_at: { sort: [{ name: "last_checked_at", type: "timestamptz", missing: "-infinity" }] },
    last_notified_at: { sort: [{ name: "last_notified_at", type: "timestamptz", missing: "-infinity" }] },
  },
  rows: ({ tenant, currency }) => watcherRows(tenant, currency),
  view: watcherView,
  nameOf: ({ account_code }: WatcherRow) => account_code,
  fixed: (of: Initial | WatcherRow) => ({ master_account_id: "master_account_id" in of ? of.master_account_id : of.master_account }),
  fields: (of: ScoreWatcherForm | WatcherRow) => ({
    threshold: amountText(of.threshold),
    every_minutes: of.every_minutes,
    notify: of.notify,
    mail: of.mail,
    is_paused: of.is_paused,
  }),
  made: async () => ({ next_at: new Date() }),
  refersTo: { master_account_id: { field: "master_account", table: "master_accounts" } },
  async faults(db, { tenant, currency }, { row, now }): Promise<FieldLines> {
    if (row !== null) return {};
    const { rows } = await sql`select from master_accounts
      where tenant_id = ${tenant} and currency = ${currency} and id = ${now.master_account_id} for key share`.execute(db);
    return rows.length === 0 ? { master_account: [noSuchRecord] } : {};
  },
  async written(db, call, id, changed) {
    if ("is_paused" in changed || "every_minutes" in changed) await setTurn(db, call, id);
  },
  detail: async (db, { tenant }, { master_account_id }: WatcherRow) => ({ checks: await newestChecks(db, tenant, master_account_id) }),
  live: "scoreWatcher",
});

export const scoreWatcherHandlers: Handlers<typeof scoreWatcherRoutes, StaffCall> = {
  listScoreWatchers: list,
  readScoreWatcher: read,
  createScoreWatcher: create,
  updateScoreWatcher: update,
  deleteScoreWatcher: remove,
};
