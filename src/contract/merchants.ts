import { z } from "zod";
import { IpList, Url } from "./urls.ts";
import { control, Linked } from "./controls.ts";
import { PaymentGroups } from "./payment-groups.ts";
import { defineColumns, sortsOf } from "./record-columns.ts";
import { recordRoutes } from "./record-routes.ts";
import { RecordEvent } from "./records.ts";
import { defineRoutes } from "./route.ts";
import { secretLives } from "./secrets.ts";
import { Amount, Instant, Name, Percent, PlainCode, Uuid, Version } from "./wire.ts";

export const merchantStatuses = ["active", "inactive", "suspended"] as const;
const chargesBearers = ["merchant", "house"] as const;

/** How a merchant's address takes callbacks; none: it has no address; disabled: nothing is sent there after days of failure. */
export const endpointStates = ["none", "working", "failing", "disabled"] as const;

export const Merchant = z.object({
  uuid: Uuid,
  version: Version,
  code: z.string(),
  name: z.string(),
  currency: z.string(),
  status: z.enum(merchantStatuses),
  deposit_rate: z.string(),
  withdrawal_rate: z.string(),
  settlement_rate: z.string(),
  charges_borne_by: z.enum(chargesBearers),
  website_url: z.string().nullable(),
  backoffice_url: z.string().nullable(),
  callback_url: z.string().nullable(),
  /** Comma list. */
  whitelist_ips: z.string(),
  api_key: z.string(),
  /** Until when the secret before the present one is taken beside it; null: it is not. */
  old_secret_until: Instant.nullable(),
  /** The balance the merchant can draw on, and the amount held for open withdrawals. */
  wallet: Amount,
  hold: Amount,
  endpoint: z.enum(endpointStates),
  created_at: Instant,
  updated_at: Instant,
});
export type Merchant = z.infer<typeof Merchant>;

export const MerchantDetail = z.object({
  row: Merchant,
  groups: z.array(Linked),
  /** When requests were last signed with the secret and with the old one, to the minute. */
  keys: z.object({ secret_used_at: Instant.nullable(), old_secret_used_at: Instant.nullable() }),
  /** Its callback address, and what waits to be sent there. */
  endpoint: z.object({
    state: z.enum(endpointStates),
    failing_since: Instant.nullable(),
    disabled_at: Instant.nullable(),
    /** The next attempt of any waiting callback; null: nothing waits, or nothing is sent. */
    next_attempt_at: Instant.nullable(),
    waiting: z.int(),
    failed: z.int(),
  }),
  today: z.object({ deposits: z.int(), deposit_amount: Amount, withdrawals: z.int(), withdrawal_amount: Amount, open: z.int() }),
  history: z.array(RecordEvent),
});
export type MerchantDetail = z.infer<typeof MerchantDetail>;

/** The fields of a merchant's form; code and currency are fixed after creation. */
export const MerchantForm = z.strictObject({
  name: Name(120),
  deposit_rate: Percent,
  withdrawal_rate: Percent,
  settlement_rate: Percent,
  charges_borne_by: z.enum(chargesBearers).meta(control("choice")),
  website_url: Url,
  backoffice_url: Url,
  callback_url: Url,
  whitelist_ips: IpList,
  groups: PaymentGroups,
});
export type MerchantForm = z.infer<typeof MerchantForm>;

export const merchantColumns = defineColumns({
  name: { filter: "part", most: 120, sort: true, find: "part" },
  code: { filter: "part", most: 40, sort: true, find: "part" },
  status: { filter: "choices", of: merchantStatuses, sort: true },
  wallet: { filter: "amount", sum: true },
  hold: { filter: "amount", sum: true },
  endpoint: { filter: "choices", of: endpointStates },
  created_at: { filter: "time", sort: true },
});
export const merchantSorts = sortsOf(merchantColumns);

const base = "/service/payment/api/tenant/v1/merchants";

/**
 * A merchant's secret is answered only by a reset of its credentials and by `viewMerchantSecret`. Changing the callback address, the
 * allow-list or a rate requires step-up.
 */
const merchantRecordRoutes = recordRoutes(base, "pas.merchant.merchants", {
  one: "Merchant",
  many: "Merchants",
  currency: true,
  columns: merchantColumns,
  row: Merchant,
  detail: MerchantDetail,
  create: MerchantForm.extend({
    code: PlainCode,
  }),
  update: MerchantForm,
  status: merchantStatuses,
  remove: true,
});

export const tenantMerchantRoutes = defineRoutes({
  ...merchantRecordRoutes,
  /** Answers the secret in use now. Audited. */
  viewMerchantSecret: {
    method: "POST",
    path: `${base}/{uuid}/credentials/view`,
    permission: "pas.merchant.merchants.view-secret",
    currency: true,
    stepUp: true,
    params: z.strictObject({ uuid: Uuid }),
    answer: z.object({ secret: z.string() }),
  },
  /** Ends the old secret that a reset left valid for a while. */
  revokeOldMerchantSecret: {
    method: "POST",
    path: `${base}/{uuid}/credentials/revoke-old`,
    permission: "pas.merchant.merchants.reset-credentials",
    currency: true,
    stepUp: true,
    params: z.strictObject({ uuid: Uuid }),
    body: z.strictObject({ version: Version }),
    answer: z.object({ row: Merchant }),
    refuses: ["record.stale"],
  },
  /** Sends one event `test` to the callback address; one that takes it is enabled again. */
  testMerchantCallback: {
    method: "POST",
    path: `${base}/{uuid}/endpoint/test`,
    permission: "pas.merchant.merchants.update",
    currency: true,
    params: z.strictObject({ uuid: Uuid }),
    answer: z.object({ delivered: z.boolean(), status: z.int().nullable(), error: z.string().nullable(), milliseconds: z.int() }),
    refuses: ["callback.no-address"],
  },
  /** Sends callbacks again to an address that was disabled after days of failure: those that waited first. */
  enableMerchantEndpoint: {
    method: "POST",
    path: `${base}/{uuid}/endpoint/enable`,
    permission: "pas.merchant.merchants.update",
    currency: true,
    params: z.strictObject({ uuid: Uuid }),
    answer: z.object({ enabled: z.boolean() }),
  },
  /** Answers the new secret. Until the old one ends both are accepted, and both sign callbacks. */
  resetMerchantCredentials: {
    method: "POST",
    path: `${base}/{uuid}/credentials`,
    permission: "pas.merchant.merchants.reset-credentials",
    currency: true,
    stepUp: true,
    params: z.strictObject({ uuid: Uuid }),
    body: z.strictObject({ version: Version, old_secret: z.enum(secretLives) }),
    answer: z.object({ row: Merchant, secret: z.string() }),
    refuses: ["record.stale"],
  },
});
