import { z } from "zod";
import { parseMoney } from "../values/money.ts";
import { inCurrency } from "./amounts.ts";
import { control, Linked } from "./controls.ts";
import { checkFailures, CreditCheck } from "./provider-checks.ts";
import { defineColumns } from "./record-columns.ts";
import { recordRoutes } from "./record-routes.ts";
import { RecordEvent } from "./records.ts";
import { Amount, Instant, Uuid, Version } from "./wire.ts";

/**
 * normal: the last balance that was read is not below the threshold; below: it is; error: the account's last three checks failed; waiting:
 * none has been read yet; resting: it is paused, or its account is suspended or down for maintenance.
 */
export const watcherStates = ["normal", "below", "error", "waiting", "resting"] as const;
/** Those in which the alarm is given. */
export const alarmStates = ["below", "error"] as const;

/** Most minutes between two checks. */
export const mostMinutes = 1_440;

/** Asks for a master account's credit every so many minutes, and gives the alarm where it is too low or not known any more. */
export const ScoreWatcher = z.object({
  uuid: Uuid,
  version: Version,
  master_account: Linked,
  currency: z.string(),
  state: z.enum(watcherStates),
  threshold: Amount,
  /** Of its account, as last read by whatever check. */
  balance: Amount.nullable(),
  failure: z.enum(checkFailures).nullable(),
  every_minutes: z.int(),
  notify: z.boolean(),
  mail: z.boolean(),
  is_paused: z.boolean(),
  /** Of its account. */
  down_until: Instant.nullable(),
  next_at: Instant.nullable(),
  last_checked_at: Instant.nullable(),
  last_notified_at: Instant.nullable(),
  created_at: Instant,
  updated_at: Instant,
});
export type ScoreWatcher = z.infer<typeof ScoreWatcher>;

export const ScoreWatcherDetail = z.object({
  row: ScoreWatcher,
  /** The newest readings of its account, at most `mostChecks` of master accounts. */
  checks: z.array(CreditCheck),
  history: z.array(RecordEvent),
});
export type ScoreWatcherDetail = z.infer<typeof ScoreWatcherDetail>;

const ScoreWatcherForm = z.strictObject({
  threshold: inCurrency(Amount.refine((text) => (parseMoney(text) ?? -1n) >= 0n, "Must not be below zero").meta(control("amount"))),
  every_minutes: z.int().min(1).max(mostMinutes).meta(control("minutes")),
  notify: z.boolean().meta(control("switch")),
  mail: z.boolean().meta(control("switch")),
  is_paused: z.boolean().meta(control("switch")),
});
export type ScoreWatcherForm = z.infer<typeof ScoreWatcherForm>;

export const scoreWatcherColumns = defineColumns({
  master_account: { filter: "part", most: 120, sort: true, find: "part" },
  state: { filter: "choices", of: watcherStates },
  threshold: { filter: "amount", sort: true },
  balance: { filter: "amount", sort: true },
  last_checked_at: { filter: "time", sort: true },
  last_notified_at: { filter: "time", sort: true },
  created_at: { filter: "time", sort: true },
  uuid: { filter: "rows" },
});

export const scoreWatcherRoutes = recordRoutes("/service/game-provider/api/tenant/v1/score-watchers", "gps.provider.score-watchers", {
  one: "ScoreWatcher",
  many: "ScoreWatchers",
  currency: true,
  columns: scoreWatcherColumns,
  row: ScoreWatcher,
  detail: ScoreWatcherDetail,
  create: ScoreWatcherForm.extend({ master_account: Uuid.meta(control("reference", "master-accounts")) }),
  update: ScoreWatcherForm,
  remove: true,
});
