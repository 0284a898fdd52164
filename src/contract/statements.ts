import { z } from "zod";
import { defineColumns } from "./record-columns.ts";
import { recordRoutes } from "./record-routes.ts";
import { defineRoutes } from "./route.ts";
import { transactionStatuses } from "./transactions.ts";
import { Amount, Instant, Texts, Uuid, Version } from "./wire.ts";

/** What moves a merchant's wallet, or what is held of it, as the ledger calls its postings. */
export const walletMovements = [
  "deposit",
  "deposit.recall",
  "withdrawal.hold",
  "withdrawal.release",
  "withdrawal",
  "withdrawal.recall",
  "settlement.hold",
  "settlement.release",
  "settlement",
  "settlement.recall",
  "adjustment",
  "adjustment.recall",
  "opening",
] as const;

/** What moves the balance of a payment account. */
export const accountMovements = [
  "deposit",
  "deposit.recall",
  "withdrawal",
  "withdrawal.recall",
  "settlement",
  "settlement.recall",
  "transfer",
  "transfer.recall",
  "manual-transfer",
  "manual-transfer.recall",
  "clearing",
  "clearing.recall",
  "adjustment",
  "opening",
] as const;

const sources = ["api", "manual"] as const;

/**
 * One movement of a merchant's wallet or of a payment account's balance: an entry of the ledger, which never changes, with what is known
 * of its transaction now.
 */
export const StatementLine = z.object({
  uuid: Uuid,
  version: Version,
  /** When it was posted. */
  created_at: Instant,
  /** One of the movements above, or what a later edition posts. */
  kind: z.string(),
  /** By the merchant's own system or by a person; null: by the platform itself. */
  source: z.enum(sources).nullable(),
  merchant_uuid: Uuid.nullable(),
  merchant_code: z.string().nullable(),
  merchant_name: z.string().nullable(),
  account_uuid: Uuid.nullable(),
  account_code: z.string().nullable(),
  account_bank: z.string().nullable(),
  /** The payment account at the other end of a transfer between two. */
  counter_uuid: Uuid.nullable(),
  counter_code: z.string().nullable(),
  counter_bank: z.string().nullable(),
  /** The deposit, withdrawal or transfer it belongs to; what follows down to `merchant_receive` is of that. */
  transaction: z.object({ uuid: Uuid, kind: z.enum(["deposit", "withdrawal", "transfer"]) }).nullable(),
  status: z.enum(transactionStatuses).nullable(),
  txn_no: z.string().nullable(),
  merchant_txn_no: z.string().nullable(),
  reference_no: z.string().nullable(),
  customer_name: z.string().nullable(),
  amount: Amount.nullable(),
  charges: Amount.nullable(),
  charges_type: z.enum(["fixed", "percent"]).nullable(),
  charges_borne_by: z.enum(["merchant", "house"]).nullable(),
  final_amount: Amount.nullable(),
  merchant_receive: Amount.nullable(),
  amount_in: Amount.nullable(),
  amount_out: Amount.nullable(),
  /** What this movement cost; below zero where it is given back. */
  fee: Amount.nullable(),
  previous_balance: Amount,
  balance: Amount,
  payment_date: Instant.nullable(),
  requested_at: Instant.nullable(),
  requested_by: z.string().nullable(),
  processed_at: Instant.nullable(),
  processed_by: z.string().nullable(),
  approved_at: Instant.nullable(),
  approved_by: z.string().nullable(),
  rejected_at: Instant.nullable(),
  rejected_by: z.string().nullable(),
  reject_reason: z.string().nullable(),
  expired_at: Instant.nullable(),
  completed_at: Instant.nullable(),
  last_action_at: Instant.nullable(),
  last_action_by: z.string().nullable(),
  remark: z.string().nullable(),
  has_receipt: z.boolean(),
  /** Who posted it; null: the system or the merchant. */
  by: z.string().nullable(),
  /** Of the posting. */
  reason: z.string().nullable(),
});
export type StatementLine = z.infer<typeof StatementLine>;

const StatementLineDetail = z.object({ row: StatementLine });

/**
 * A statement has one order, that of the ledger. Its opening and closing balance are answered only while it is filtered by nothing but time
 * and whose it is, because with some of the movements left out they would not add up; so is `difference`, by which they do not.
 */
const columns = <const K extends readonly [string, ...string[]]>(movements: K) =>
  defineColumns({
    created_at: { filter: "time", sort: true },
    merchant_code: { filter: "whole", most: 40, find: "part" },
    account_code: { filter: "whole", most: 40, find: "part" },
    kind: { filter: "choices", of: movements },
    source: { filter: "choices", of: sources },
    customer_name: { filter: "part", most: 200, find: "part" },
    txn_no: { filter: "whole", most: 40, find: "part" },
    merchant_txn_no: { filter: "whole", most: 64, find: "part" },
    reference_no: { filter: "whole", most: 100, find: "part" },
    amount: { filter: "amount" },
    amount_in: { filter: "amount", sum: true },
    amount_out: { filter: "amount", sum: true },
    fee: { sum: true },
    previous_balance: { sum: "opening" },
    balance: { sum: "closing" },
    uuid: { filter: "rows" },
  });
export const merchantTransactionColumns = defineColumns({
  ...columns(walletMovements),
  /** What is held of the merchants for withdrawals and settlements that are open, instead of their wallets. */
  hold: { filter: "choices", of: ["only"] },
});
export const accountTransactionColumns = defineColumns({ ...columns(accountMovements), counter_code: { filter: "whole", most: 40 } });

/** The balance at a moment of each wallet or account, or of those with these codes. */
const asOf = <const P extends "pas.merchant.transactions.view" | "pas.account.transactions.view">(path: string, permission: P) =>
  ({
    method: "GET",
    path: `${path}/balances`,
    permission,
    currency: true,
    query: z.strictObject({ at: Instant, code: Texts(40).optional() }),
    reads: "much",
    answer: z.object({
      at: Instant,
      total: Amount,
      balances: z.array(
        z.object({
          uuid: Uuid,
          code: z.string(),
          name: z.string(),
          balance: Amount,
          /** Of the last movement before that moment; null: there was none. */
          moved_at: Instant.nullable(),
        }),
      ),
    }),
  }) as const;

/** Lines of a statement that are printed; a file has all of them. */
export const mostPrinted = 2_000;

/** A statement of one wallet or account, of which nothing is left out. */
export const WholeStatement = z.object({
  uuid: Uuid,
  code: z.string(),
  name: z.string(),
  currency: z.string(),
  /** The window, its end excluded; null: it has none on that side. */
  from: Instant.nullable(),
  to: Instant.nullable(),
  made_at: Instant,
  opening: Amount,
  closing: Amount,
  /** What opening balance and movements miss of the closing balance. */
  difference: Amount,
  /** Movements between. */
  count: z.int(),
  totals: z.array(z.object({ kind: z.string(), count: z.int(), amount_in: Amount, amount_out: Amount, fee: Amount })),
  /** From the oldest on, `mostPrinted` at most. */
  lines: z.array(StatementLine),
});
export type WholeStatement = z.infer<typeof WholeStatement>;

/** What is asked for: whose, by code, and the window. */
export const StatementWindow = z.strictObject({
  code: z.string().trim().min(1).max(40),
  from: Instant.optional(),
  to: Instant.optional(),
});

/** The statement of a window, with what it opens and closes with. */
const whole = <const P extends "pas.merchant.transactions.view" | "pas.account.transactions.view">(path: string, permission: P) =>
  ({
    method: "GET",
    path: `${path}/statement`,
    permission,
    currency: true,
    query: StatementWindow,
    reads: "much",
    answer: WholeStatement,
  }) as const;

const [merchantBase, accountBase] = [
  "/service/payment/api/tenant/v1/merchant-transactions",
  "/service/payment/api/tenant/v1/payment-account-transactions",
];
const shapes = { currency: true, row: StatementLine, detail: StatementLineDetail } as const;

export const merchantTransactionRoutes = defineRoutes({
  ...recordRoutes(merchantBase, "pas.merchant.transactions", {
    one: "MerchantStatementLine",
    many: "MerchantStatementLines",
    columns: merchantTransactionColumns,
    ...shapes,
  }),
  readWalletBalances: asOf(merchantBase, "pas.merchant.transactions.view"),
  readWalletStatement: whole(merchantBase, "pas.merchant.transactions.view"),
});

export const accountTransactionRoutes = defineRoutes({
  ...recordRoutes(accountBase, "pas.account.transactions", {
    one: "AccountStatementLine",
    many: "AccountStatementLines",
    columns: accountTransactionColumns,
    ...shapes,
  }),
  readAccountBalances: asOf(accountBase, "pas.account.transactions.view"),
  readAccountStatement: whole(accountBase, "pas.account.transactions.view"),
});
