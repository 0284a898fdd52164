import { z } from "zod";
import { fileRefusals, mostReceiptBytes } from "./receipts.ts";
import { defineRoutes } from "./route.ts";
import { transactionStatuses } from "./transactions.ts";
import { AccountNumber, Amount, choices, Instant, ListMeta, Name, PositiveAmount, Uuid } from "./wire.ts";

export const merchantBase = "/service/payment/api/merchant/v1";

/**
 * Until then these are accepted too: signatures by the text of the secret instead of the bytes it stands for, and signatures without
 * `v2=`, made over `timestamp.METHOD.path.body`. Their answers carry `Deprecation` and `Sunset`.
 */
export const oldSignaturesUntil = "2027-06-01T00:00:00.000Z";
/** Since then the forms above are deprecated. */
export const oldSignaturesSince = "2026-11-24T00:00:00.000Z";

/** What callbacks tell of a transaction. */
export const CallbackTransaction = z.object({
  uuid: Uuid,
  txn_no: z.string(),
  merchant_txn_no: z.string(),
  type: z.enum(["deposit", "withdrawal"]),
  status: z.enum(transactionStatuses),
  currency: z.string(),
  amount: Amount,
  fee: Amount,
  merchant_receive: Amount.nullable(),
  reject_reason: z.string().nullable(),
  created_at: Instant,
  updated_at: Instant,
  charges: Amount,
  charges_borne_by: z.enum(["merchant", "house"]),
  /** Added to the merchant's balance by an approved deposit; otherwise null. */
  credited: Amount.nullable(),
  /** Taken from the merchant's balance by an approved withdrawal; otherwise null. */
  debited: Amount.nullable(),
  reference_no: z.string().nullable(),
  /** Of a deposit whose customer paid another amount than this one, which was asked for; left out of all others. */
  asked_amount: Amount.optional(),
  amount_reason: z.string().optional(),
});
export type MerchantTransaction = z.infer<typeof CallbackTransaction>;

/** What the merchant reads of a transaction. */
export const MerchantTransaction = CallbackTransaction.extend({
  asked_amount: Amount.nullable(),
  amount_reason: z.string().nullable(),
});
export type ReadTransaction = z.infer<typeof MerchantTransaction>;

/** Whether it can be played on: `maintenance` and when that ends, or `closed` by the house. */
const playable = {
  state: z.enum(["open", "maintenance", "closed"]),
  /** null: it is not down. */
  maintenance_until: Instant.nullable(),
};
const MerchantsProvider = z.object({
  uuid: Uuid,
  name: z.string(),
  environment: z.enum(["production", "test"]),
  platform_type: z.enum(["web", "mobile", "app"]),
  ...playable,
  games: z.int(),
});
const MerchantsGame = z.object({ code: z.string(), name: z.string(), type: z.string(), ...playable });

const params = z.strictObject({ uuid: Uuid });
const created = [
  "currency.invalid",
  "amount.not-positive",
  "merchant.number-taken",
  "merchant.inactive",
  "request.idempotency-mismatch",
  "request.in-progress",
] as const;

export const merchantRoutes = defineRoutes({
  createDeposit: {
    method: "POST",
    path: `${merchantBase}/deposits`,
    permission: "merchant",
    money: true,
    body: z.strictObject({
      merchant_txn_no: Name(64),
      amount: PositiveAmount,
      currency: z.string().regex(/^[A-Z]{3}$/),
      method: z.enum(["bank_transfer", "e_wallet", "qr"]),
      member: Name(100),
      customer_name: Name(200),
    }),
    answer: z.object({
      transaction: MerchantTransaction,
      pay_into: z.object({ bank: z.string(), account_number: z.string(), holder: z.string() }),
      expires_at: Instant.nullable(),
    }),
    refuses: ["account.none-found", "deposit.rate-limited", ...created],
  },
  reportDepositPaid: {
    method: "POST",
    path: `${merchantBase}/deposits/{uuid}/paid`,
    permission: "merchant",
    money: true,
    params,
    body: z.strictObject({ reference_no: Name(100), payment_date: Instant.optional() }),
    answer: MerchantTransaction,
    refuses: ["deposit.not-pending", "request.idempotency-mismatch", "request.in-progress"],
  },
  /** The bytes of the customer's receipt, as PNG, JPEG, WebP or PDF; a pending deposit is thereby reported paid. */
  sendDepositReceipt: {
    method: "POST",
    path: `${merchantBase}/deposits/{uuid}/receipt`,
    permission: "merchant",
    params,
    file: { most: mostReceiptBytes },
    answer: MerchantTransaction,
    refuses: [...fileRefusals],
  },
  createWithdrawal: {
    method: "POST",
    path: `${merchantBase}/withdrawals`,
    permission: "merchant",
    money: true,
    body: z.strictObject({
      merchant_txn_no: Name(64),
      amount: PositiveAmount,
      currency: z.string().regex(/^[A-Z]{3}$/),
      method: z.enum(["bank_transfer", "e_wallet", "qr"]),
      member: Name(100),
      /** The merchant's registered name of the customer. */
      customer_name: Name(200),
      bank: Name(60),
      account_number: AccountNumber,
      /** Name on the account the money goes to. */
      holder: Name(200),
    }),
    answer: MerchantTransaction,
    refuses: ["merchant.insufficient-balance", ...created],
  },
  /** Rejects the merchant's own withdrawal while nobody has begun to pay it; the whole hold returns. */
  cancelWithdrawal: {
    method: "POST",
    path: `${merchantBase}/withdrawals/{uuid}/cancel`,
    permission: "merchant",
    money: true,
    params,
    answer: MerchantTransaction,
    refuses: ["withdrawal.not-pending"],
  },
  listMerchantTransactions: {
    method: "GET",
    path: `${merchantBase}/transactions`,
    permission: "merchant",
    query: z.strictObject({
      cursor: z.string().max(200).optional(),
      limit: z.coerce.number().int().min(1).max(500).default(100),
      merchant_txn_no: z.string().max(64).optional(),
      type: z.enum(["deposit", "withdrawal"]).optional(),
      status: choices(transactionStatuses).optional(),
      created_from: Instant.optional(),
      created_to: Instant.optional(),
      /** Lists by the last change, oldest first, and always answers a cursor: the one to ask with for what changes next. */
      updated_since: Instant.optional(),
    }),
    answer: z.array(MerchantTransaction),
    meta: ListMeta,
  },
  readMerchantTransaction: {
    method: "GET",
    path: `${merchantBase}/transactions/{uuid}`,
    permission: "merchant",
    params,
    answer: MerchantTransaction,
  },
  readBalance: {
    method: "GET",
    path: `${merchantBase}/balance`,
    permission: "merchant",
    answer: z.object({ currency: z.string(), available: Amount, held: Amount }),
  },
  /** The merchant's set-ups at game providers. */
  listMyProviders: {
    method: "GET",
    path: `${merchantBase}/providers`,
    permission: "merchant",
    answer: z.array(MerchantsProvider),
  },
  /** The games of one of them. While the whole provider is down it is refused, with `until`. */
  listMyGames: {
    method: "GET",
    path: `${merchantBase}/providers/{uuid}/games`,
    permission: "merchant",
    params,
    query: z.strictObject({
      /** The code of the last game of the page before. */
      after: z.string().max(80).optional(),
      limit: z.coerce.number().int().min(1).max(1_000).default(500),
    }),
    answer: z.array(MerchantsGame),
    refuses: ["provider.inactive", "provider.maintenance"],
  },
  /** Sends a signed event `test` to the merchant's callback URL and answers what came of it. */
  sendTestCallback: {
    method: "POST",
    path: `${merchantBase}/callbacks/test`,
    permission: "merchant",
    perMinute: 6,
    answer: z.object({
      webhook_id: z.string(),
      delivered: z.boolean(),
      /** null: no answer, for the reason in `error`. */
      status: z.int().nullable(),
      error: z.string().nullable(),
      milliseconds: z.int(),
    }),
    refuses: ["callback.no-address"],
  },
});
