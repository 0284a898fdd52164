import { z } from "zod";
import { endpointStates } from "./merchants.ts";
import { defineColumns } from "./record-columns.ts";
import { recordRoutes } from "./record-routes.ts";
import { defineRoutes } from "./route.ts";
import { Instant, outcomeOf, Rows, Uuid, Version } from "./wire.ts";

/** What a merchant is told of: its type, as the callback has it. */
export const callbackEvents = [
  "deposit.approved",
  "deposit.rejected",
  "deposit.expired",
  "withdrawal.approved",
  "withdrawal.rejected",
] as const;

/**
 * waiting: not tried yet, or asked for again; failing: tried in vain, and tried again; failed: given up; superseded: a newer decision is
 * told instead; cancelled: its decision was taken back.
 */
export const callbackStatuses = ["waiting", "failing", "failed", "delivered", "superseded", "cancelled"] as const;
export type CallbackStatus = (typeof callbackStatuses)[number];

/** Most callbacks that one act on all failed ones sends again. */
export const mostResent = 1_000;

/** One decision on a transaction, as its merchant is told of it. */
export const MerchantCallback = z.object({
  uuid: Uuid,
  /** Grows with each attempt. */
  version: Version,
  created_at: Instant,
  /** One of the events above, or what a later edition tells of. */
  event: z.string(),
  status: z.enum(callbackStatuses),
  merchant_uuid: Uuid,
  merchant_code: z.string(),
  merchant_name: z.string(),
  transaction: z.object({ uuid: Uuid, kind: z.enum(["deposit", "withdrawal"]) }),
  txn_no: z.string(),
  merchant_txn_no: z.string().nullable(),
  /** How often it was tried. */
  attempts: z.int(),
  /** Of the last attempt: when it was, the HTTP status it was answered with, and why there was no answer. */
  last_at: Instant.nullable(),
  last_status: z.int().nullable(),
  last_error: z.string().nullable(),
  /** When it is tried next; null: it is not, unless somebody asks for it. */
  next_attempt_at: Instant.nullable(),
  delivered_at: Instant.nullable(),
  /** A person has asked for the attempt that is due. */
  asked: z.boolean(),
});
export type MerchantCallback = z.infer<typeof MerchantCallback>;

/** One attempt to deliver it. */
export const CallbackAttempt = z.object({
  n: z.int(),
  at: Instant,
  /** null: no answer, for the reason in `error`. */
  status: z.int().nullable(),
  milliseconds: z.int(),
  /** The first 2 kB. */
  answer: z.string().nullable(),
  error: z.string().nullable(),
  /** Who asked for it; null: the schedule did. */
  by: z.string().nullable(),
});
export type CallbackAttempt = z.infer<typeof CallbackAttempt>;

export const MerchantCallbackDetail = z.object({
  row: MerchantCallback,
  /** Where the last attempt went, or the next one will. */
  url: z.string().nullable(),
  /** How the merchant's address takes callbacks now. */
  endpoint: z.object({ state: z.enum(endpointStates), failing_since: Instant.nullable(), disabled_at: Instant.nullable() }),
  /** The newest fifty, newest first. */
  tries: z.array(CallbackAttempt),
});
export type MerchantCallbackDetail = z.infer<typeof MerchantCallbackDetail>;

export const merchantCallbackColumns = defineColumns({
  created_at: { filter: "time", sort: true },
  merchant_code: { filter: "whole", most: 40 },
  status: { filter: "choices", of: callbackStatuses },
  event: { filter: "choices", of: callbackEvents },
  txn_no: { filter: "whole", most: 40, find: "part" },
  uuid: { filter: "rows" },
});

const base = "/service/payment/api/tenant/v1/merchant-callbacks";
/** Either is enough to ask; callbacks of the other kind are refused, or left out where all failed ones are meant. */
const sending = ["pas.transaction.deposits.send-callback", "pas.transaction.withdrawals.send-callback"] as const;

/** Which failed callbacks are meant: those tried in vain since a moment, of one merchant or of all of the currency. */
const Failed = { since: Instant, merchant_code: z.string().trim().min(1).max(40).optional() } as const;

/** Who sees what moved a merchant's wallet sees what the merchant was told of it, too. */
export const merchantCallbackRoutes = defineRoutes({
  ...recordRoutes(base, "pas.merchant.transactions", {
    one: "MerchantCallback",
    many: "MerchantCallbacks",
    currency: true,
    columns: merchantCallbackColumns,
    row: MerchantCallback,
    detail: MerchantCallbackDetail,
  }),
  /** Makes each due now, as a new attempt with the same id; one that is on its way is sent again after its answer. */
  resendCallbacks: {
    method: "POST",
    path: `${base}/resend`,
    permission: sending,
    currency: true,
    body: z.strictObject({ rows: Rows }),
    answer: z.object({ outcomes: z.array(outcomeOf(MerchantCallback)) }),
    refuses: ["callback.none", "callback.no-address", "callback.replaced", "permission.missing"],
  },
  /** What `resendFailedCallbacks` would send again. */
  countFailedCallbacks: {
    method: "GET",
    path: `${base}/failed`,
    permission: sending,
    currency: true,
    query: z.strictObject(Failed),
    answer: z.object({
      /** At most `mostResent` of these are sent by one act, the oldest first. */
      count: z.int(),
      merchants: z.int(),
      /** Of these, callbacks to addresses that are disabled: each is tried once all the same. */
      disabled: z.int(),
      /** Callbacks of merchants without an address, which are left out. */
      unaddressed: z.int(),
    }),
  },
  resendFailedCallbacks: {
    method: "POST",
    path: `${base}/resend-failed`,
    permission: sending,
    currency: true,
    body: z.strictObject(Failed),
    answer: z.object({ sent: z.int(), left: z.int() }),
  },
});
