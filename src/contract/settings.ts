import { z } from "zod";
import { control } from "./controls.ts";
import { languages } from "./languages.ts";
import { parseMoney } from "../values/money.ts";
import { RecordEvent } from "./records.ts";
import type { ChangeEventName } from "./notifications.ts";
import { defineRoutes } from "./route.ts";
import { Amount, Instant, Uuid, Version } from "./wire.ts";

/** Counters that can make a sound when they rise, and the alarm of score watchers. */
export const soundEvents = ["deposit", "withdraw", "paymentAccount", "scoreAlarm"] as const satisfies readonly ChangeEventName[];

/** Reasons with a text in every language (`reason.<code>`); any other reason needs its own text. */
export const wordedReasons = [
  "name-mismatch",
  "account-closed",
  "account-invalid",
  "duplicate",
  "over-limit",
  "suspected-fraud",
  "merchant-asked",
] as const;

/** What a merchant is told of a rejection whose reason the tenant keeps to itself. */
export const untoldReason = "declined";

/** A rejection reason on a digit key. `text` null: the product's own text. */
const RejectReason = z.strictObject({
  code: z
    .string()
    .regex(/^[a-z][a-z-]{0,39}$/, "Must be 1 to 40 lowercase letters or hyphens")
    .refine((code) => code !== "other", "Reserved for a reason in your own words")
    .meta(control("text")),
  text: z.string().trim().min(1).max(120).nullable().meta(control("text")),
  /** The code merchants are told instead. */
  told: z
    .string()
    .regex(/^[a-z][a-z-]{0,39}$/, "Must be 1 to 40 lowercase letters or hyphens")
    .default(untoldReason)
    .meta(control("text")),
});
type RejectReason = z.infer<typeof RejectReason>;

const TierAmount = Amount.refine((text) => !text.startsWith("-"), "Must not be below zero");

/** Amounts from which a confirmation, and a second person, is required. */
const Tier = z.strictObject({ confirm_from: TierAmount, second_from: TierAmount });
type Tier = z.infer<typeof Tier>;

const OnOff = z.boolean().meta(control("switch"));

/** A tenant's settings with their bounds. */
export const settingParts = {
  deposit_expiry_minutes: z.int().min(1).max(10_080).meta(control("minutes")),
  /** null: never. */
  withdrawal_expiry_hours: z.int().min(1).max(8_760).nullable().meta(control("count")),
  claim_limit: z.int().min(1).max(100).meta(control("count")),
  recall_seconds: z.int().min(0).max(60).meta(control("count")),
  /** Currency → its tier; a currency without one uses the default. */
  tiers: z.record(z.string().regex(/^[A-Z]{3}$/, "Must be a currency code"), Tier),
  /** Currency → the least a settlement may be; a currency without one has none. */
  settlement_minimum: z.record(z.string().regex(/^[A-Z]{3}$/, "Must be a currency code"), TierAmount),
  /** In the order of the digits 1–9. */
  reject_reasons: z.array(RejectReason).min(1).max(9),
  /** Minutes of age from which a row is amber, and red. */
  sla: z.strictObject({
    amber_minutes: z.int().min(1).max(10_080).meta(control("minutes")),
    red_minutes: z.int().min(1).max(10_080).meta(control("minutes")),
  }),
  auto_match: OnOff,
  approve_on_match: OnOff,
  require_two_factor: OnOff,
  languages: z.array(z.enum(languages)).max(languages.length),
  sounds: z.strictObject({ deposit: OnOff, withdraw: OnOff, paymentAccount: OnOff, scoreAlarm: OnOff }),
  /** Development only: callbacks may go to loopback addresses and over plain http. */
  loopback_callbacks: OnOff,
} as const;
export type SettingName = keyof typeof settingParts;

/** The sections of their screen, in its order, and what each sets. */
export const settingSections = {
  deposits: ["deposit_expiry_minutes", "auto_match", "approve_on_match"],
  withdrawals: ["withdrawal_expiry_hours", "claim_limit", "recall_seconds", "sla"],
  tiers: ["tiers", "settlement_minimum"],
  reasons: ["reject_reasons"],
  access: ["require_two_factor", "languages"],
  sounds: ["sounds"],
  development: ["loopback_callbacks"],
} as const satisfies Record<string, readonly SettingName[]>;
export type SettingSectionName = keyof typeof settingSections;

export const SettingValues = z.strictObject(settingParts);
export type SettingValues = z.infer<typeof SettingValues>;

/** The changed settings; each is replaced whole. */
export const SettingChange = z.strictObject(settingParts).partial().extend({ version: Version }).superRefine(checkParts);

/** Rules that involve several values of a setting. */
function checkParts({ tiers, reject_reasons, sla }: Partial<SettingValues>, context: z.core.$RefinementCtx): void {
  const wrong = (path: (string | number)[], message: string) => context.addIssue({ code: "custom", path, message });
  for (const [currency, { confirm_from, second_from }] of Object.entries(tiers ?? {})) {
    if ((parseMoney(confirm_from) ?? 0n) > (parseMoney(second_from) ?? 0n))
      wrong(["tiers", currency, "confirm_from"], "Must not exceed the second-approval amount");
  }
  for (const [at, { code, text }] of (reject_reasons ?? []).entries()) {
    if (reject_reasons?.findIndex((other) => other.code === code) !== at) wrong(["reject_reasons", at, "code"], "Appears twice");
    if (text === null && !wordedReasons.some((one) => one === code)) wrong(["reject_reasons", at, "text"], "Must be filled in");
  }
  if (sla && sla.amber_minutes >= sla.red_minutes) wrong(["sla", "amber_minutes"], "Must be below the red limit");
}

export const TenantSetting = SettingValues.extend({
  /** The id of the tenant. */
  uuid: Uuid,
  version: Version,
});
export type TenantSetting = z.infer<typeof TenantSetting>;

/** The settings with what their form shows about them. */
export const TenantSettingDetail = z.object({
  row: TenantSetting,
  /** The defaults, with the tier of every currency of the tenant. */
  defaults: SettingValues,
  /** Whether loopback callbacks can be allowed: on a development server, or one with demo data. */
  development: z.boolean(),
  /** Who last changed each setting, and when; left out: never changed. */
  changed: z.partialRecord(z.enum(Object.keys(settingParts) as [SettingName, ...SettingName[]]), z.object({ by: z.string(), at: Instant })), // Object.keys widens
  history: z.array(RecordEvent),
});
export type TenantSettingDetail = z.infer<typeof TenantSettingDetail>;

const path = "/service/payment/api/tenant/v1/settings";

export const settingRoutes = defineRoutes({
  readSettings: { method: "GET", path, permission: "tenant-setting.view", answer: TenantSettingDetail },
  /** Takes effect with the next request of any process. Changing `tiers`, `claim_limit` or `require_two_factor` requires step-up. */
  updateSettings: {
    method: "PATCH",
    path,
    permission: "tenant-setting.update",
    body: SettingChange,
    answer: TenantSettingDetail,
    refuses: ["record.stale"],
  },
});
