import { z } from "zod";
import { defineRoutes } from "./route.ts";
import { transactionStatuses } from "./transactions.ts";
import { AccountNumber, Amount, Instant, ListMeta, Name, PositiveAmount, Uuid } from "./wire.ts";

const base = "/service/payment/api/merchant/v1";

/** Until then signatures without `v2=`, made over `timestamp.METHOD.path.body`, are accepted too. */
export const oldSignaturesUntil = "2027-06-01T00:00:00.000Z";

/** What a merchant sees of a transaction; callbacks carry the same. */
export const MerchantTransaction = z.object({
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
});
export type MerchantTransaction = z.infer<typeof MerchantTransaction>;

const params = z.strictObject({ uuid: Uuid });
const created = [
  "amount.not-positive",
  "merchant.number-taken",
  "merchant.inactive",
  "request.idempotency-mismatch",
  "request.in-progress",
] as const;

export const merchantRoutes = defineRoutes({
  createDeposit: {
    method: "POST",
    path: `${base}/deposits`,
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
    refuses: ["account.none-found", ...created],
  },
  reportDepositPaid: {
    method: "POST",
    path: `${base}/deposits/{uuid}/paid`,
    permission: "merchant",
    money: true,
    params,
    body: z.strictObject({ reference_no: Name(100), payment_date: Instant.optional() }),
    answer: MerchantTransaction,
    refuses: ["deposit.not-pending", "request.idempotency-mismatch", "request.in-progress"],
  },
  createWithdrawal: {
    method: "POST",
    path: `${base}/withdrawals`,
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
  listMerchantTransactions: {
    method: "GET",
    path: `${base}/transactions`,
    permission: "merchant",
    query: z.strictObject({
      cursor: z.string().max(500).optional(),
      limit: z.coerce.number().int().min(1).max(500).default(100),
      merchant_txn_no: z.string().max(64).optional(),
    }),
    answer: z.array(MerchantTransaction),
    meta: ListMeta,
  },
  readMerchantTransaction: {
    method: "GET",
    path: `${base}/transactions/{uuid}`,
    permission: "merchant",
    params,
    answer: MerchantTransaction,
  },
  readBalance: {
    method: "GET",
    path: `${base}/balance`,
    permission: "merchant",
    answer: z.object({ currency: z.string(), available: Amount, held: Amount }),
  },
});
