import { scoreWatcherColumns, scoreWatcherRoutes as routes } from "../../../contract/score-watchers.ts";
import type { ScoreWatcherDetail } from "../../../contract/score-watchers.ts";
import { defineEntity } from "../../entity/entity.ts";
import { linksTo } from "../../entity/named.ts";
import { Checks } from "../../provider-checks/checks.tsx";
import { whyFailed } from "../../provider-checks/why-failed.ts";

/** Watchers of the credit in the house's accounts at providers. */
export const scoreWatchers = defineEntity({
  screen: "score-watchers",
  subject: "score-watcher",
  routes: {
    list: routes.listScoreWatchers,
    read: routes.readScoreWatcher,
    create: routes.createScoreWatcher,
    update: routes.updateScoreWatcher,
    remove: routes.deleteScoreWatcher,
  },
  live: "scoreWatcher",
  titleOf: ({ master_account }) => master_account.name,
  nameOf: ({ master_account }) => master_account.code ?? master_account.name,
  codeOf: ({ master_account }) => master_account.code ?? "",
  marks: ["state"],
  order: "master_account",
  columns: [
    { field: "state", as: "status", width: 152 },
    { field: "master_account", width: 200, minWidth: 120, grow: 1, at: "master_account.name" },
    { field: "balance", as: "amount", width: 132 },
    { field: "threshold", as: "amount", width: 132 },
    { field: "every_minutes", as: "minutes", width: 104 },
    { field: "notify", as: "choice", width: 84 },
    { field: "mail", as: "choice", width: 72, rooms: ["wide"] },
    { field: "last_checked_at", as: "time", width: 156 },
    { field: "last_notified_at", as: "time", width: 156, rooms: ["wide"] },
    { field: "next_at", as: "time", width: 156, rooms: ["wide"] },
    { field: "created_at", as: "time", width: 156, rooms: [] },
  ],
  columnMap: scoreWatcherColumns,
  firstFilters: ["state"],
  views: [
    { id: "all", search: {} },
    { id: "alarm", search: { state: "below,error" } },
    { id: "resting", search: { state: "resting" } },
  ],
  sections: [
    {
      name: "watch",
      lines: [
        { field: "state", as: "status" },
        { field: "balance", as: "amount" },
        { field: "threshold", as: "amount" },
        { field: "failure", value: (of: ScoreWatcherDetail) => whyFailed(of) },
        { field: "master_account", links: ({ row }) => linksTo("master-accounts", [row.master_account]) },
        { field: "currency", as: "mono" },
      ],
    },
    {
      name: "turns",
      lines: [
        { field: "every_minutes", as: "minutes" },
        { field: "is_paused", as: "choice" },
        { field: "last_checked_at", as: "time" },
        { field: "next_at", as: "time" },
        { field: "down_until", as: "time" },
      ],
    },
    {
      name: "alarm",
      lines: [
        { field: "notify", as: "choice" },
        { field: "mail", as: "choice" },
        { field: "last_notified_at", as: "time" },
      ],
    },
    { name: "readings", draw: Checks },
    {
      name: "dates",
      lines: [
        { field: "created_at", as: "time" },
        { field: "updated_at", as: "time" },
      ],
    },
  ],
  form: {
    groups: [
      { name: "watch", fields: ["master_account", "threshold"] },
      { name: "turns", fields: ["every_minutes", "is_paused"] },
      { name: "alarm", fields: ["notify", "mail"] },
    ],
    // so that one that is only confirmed watches, and tells
    begins: { every_minutes: "15", notify: "on" },
  },
});
