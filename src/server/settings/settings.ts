import { z } from "zod";
import { alwaysOffered, languages } from "../../contract/languages.ts";
import { settingParts, untoldReason, wordedReasons } from "../../contract/settings.ts";
import type { SettingValues } from "../../contract/settings.ts";
import type { Scoped } from "../db/scope.ts";

const parts = settingParts;

/** A tenant's settings with their defaults. Stored as a partial object; read with `readSettings`. */
export const TenantSettings = z.object({
  deposit_expiry_minutes: parts.deposit_expiry_minutes.default(30),
  withdrawal_expiry_hours: parts.withdrawal_expiry_hours.default(null),
  claim_limit: parts.claim_limit.default(10),
  recall_seconds: parts.recall_seconds.default(5),
  tiers: parts.tiers.default({}),
  settlement_minimum: parts.settlement_minimum.default({}),
  reject_reasons: parts.reject_reasons.default(wordedReasons.map((code) => ({ code, text: null, told: untoldReason }))),
  sla: parts.sla.default({ amber_minutes: 5, red_minutes: 10 }),
  auto_match: parts.auto_match.default(false),
  approve_on_match: parts.approve_on_match.default(false),
  require_two_factor: parts.require_two_factor.default(false),
  languages: parts.languages.default([...alwaysOffered]),
  // kept before watchers gave an alarm, they do not name it
  sounds: parts.sounds
    .extend({ scoreAlarm: parts.sounds.shape.scoreAlarm.default(true) })
    .default({ deposit: true, withdraw: true, paymentAccount: true, scoreAlarm: true }),
  loopback_callbacks: parts.loopback_callbacks.default(false),
});
export type TenantSettings = SettingValues;

export function readSettings(stored: unknown): TenantSettings {
  return TenantSettings.parse(stored ?? {});
}

/** Seconds a claim is leased for. */
export const leaseSeconds = 90;

/** The default amounts from which a confirmation and a second person are required. */
export const defaultTier = { confirm_from: "5000.00", second_from: "50000.00" };

/** The tier of each of a tenant's currencies. */
export function tiersOf({ tiers }: Pick<TenantSettings, "tiers">, currencies: readonly string[]): TenantSettings["tiers"] {
  return Object.fromEntries(currencies.map((code) => [code, tiers[code] ?? defaultTier]));
}

/** The offered languages in the product's order, with those always offered. */
export function offeredLanguages({ languages: opened }: Pick<TenantSettings, "languages">): TenantSettings["languages"] {
  return languages.filter((one) => opened.includes(one) || alwaysOffered.some((always) => always === one));
}

export async function settingsOf(db: Scoped, tenant: string): Promise<TenantSettings> {
  const row = await db.selectFrom("tenants").select("settings").where("id", "=", tenant).executeTakeFirst();
  return readSettings(row?.settings);
}
