import type { ReadTransaction } from "../../contract/merchant-api.ts";
import { untoldReason } from "../../contract/settings.ts";
import { amountText } from "../../values/money.ts";
import { merchantView } from "../payments/transaction-rows.ts";
import type { TransactionRow } from "../payments/transaction-rows.ts";

/** The transaction as the merchant reads it: a rejection's reason only as the tenant tells it, and both amounts of a deposit. */
export function readView(row: TransactionRow): ReadTransaction {
  return {
    ...merchantView(row),
    reject_reason: row.reject_reason === null ? null : (row.told_reason ?? untoldReason),
    asked_amount: row.asked_amount && amountText(row.asked_amount),
    amount_reason: row.amount_reason,
  };
}
