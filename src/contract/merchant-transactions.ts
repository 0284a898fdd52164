import { z } from "zod";
import { defineColumns } from "./record-columns.ts";
import { recordRoutes } from "./record-routes.ts";
import { Amount, Instant, Uuid, Version } from "./wire.ts";

/** What moves a merchant's wallet, as the ledger calls its postings. */
export const walletMovements = [
  "deposit",
  "deposit.recall",
  "withdrawal.hold",
  "withdrawal.release",
  "withdrawal",
  "withdrawal.recall",
  "adjustment",
  "opening",
] as const;

/** One movement of a merchant's wallet: an entry of the ledger, which never changes. */
export const StatementLine = z.object({
  uuid: Uuid,
  version: Version,
  created_at: Instant,
  /** One of `walletMovements`, or what a later edition posts. */
  kind: z.string(),
  merchant_uuid: Uuid,
  merchant_code: z.string(),
  merchant_name: z.string(),
  /** The deposit or withdrawal it belongs to. */
  transaction: z.object({ uuid: Uuid, kind: z.enum(["deposit", "withdrawal"]) }).nullable(),
  txn_no: z.string().nullable(),
  merchant_txn_no: z.string().nullable(),
  reference_no: z.string().nullable(),
  amount_in: Amount.nullable(),
  amount_out: Amount.nullable(),
  /** Within the amount; below zero where it is given back. */
  fee: Amount.nullable(),
  previous_balance: Amount,
  balance: Amount,
  /** Who posted it; null: the system or the merchant. */
  by: z.string().nullable(),
  reason: z.string().nullable(),
});
export type StatementLine = z.infer<typeof StatementLine>;

const StatementLineDetail = z.object({ row: StatementLine });

/**
 * A statement has one order, that of the ledger. Its opening and closing balance are answered only while it is filtered by
 * nothing but time and merchant, because with some of the movements left out they would not add up.
 */
export const merchantTransactionColumns = defineColumns({
  created_at: { filter: "time", sort: true },
  merchant_code: { filter: "whole", most: 40, find: "part" },
  kind: { filter: "choices", of: walletMovements },
  txn_no: { filter: "whole", most: 40, find: "part" },
  merchant_txn_no: { filter: "whole", most: 60, find: "part" },
  reference_no: { filter: "whole", most: 60, find: "part" },
  amount_in: { filter: "amount", sum: true },
  amount_out: { filter: "amount", sum: true },
  fee: { sum: true },
  previous_balance: { sum: "opening" },
  balance: { sum: "closing" },
});

export const merchantTransactionRoutes = recordRoutes("/service/payment/api/tenant/v1/merchant-transactions", "pas.merchant.transactions", {
  one: "StatementLine",
  many: "StatementLines",
  currency: true,
  columns: merchantTransactionColumns,
  row: StatementLine,
  detail: StatementLineDetail,
});
