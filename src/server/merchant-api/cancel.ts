import { Refusal } from "../../contract/problems.ts";
import type { Scoped } from "../db/scope.ts";
import { findWithdrawal } from "../payments/transaction-rows.ts";
import type { TransactionRow } from "../payments/transaction-rows.ts";
import type { Creating } from "../payments/transactions.ts";
import { transition, unclaimed } from "../payments/transition.ts";
import { isAtBank, releaseHold } from "../payments/withdrawal-kind.ts";

/** The reason of a rejection the merchant itself has asked for. */
const cancelled = "merchant-asked";

/**
 * pending → rejected by the merchant itself, and the whole hold returns. Refuses withdrawal.not-pending with the state once an operator has
 * begun, put it into a file for the bank or decided it, and not-found for another merchant's.
 */
export async function cancelWithdrawal(db: Scoped, { tenant, merchant, actor }: Creating, uuid: string): Promise<TransactionRow> {
  const found = await findWithdrawal(db, { tenant, uuid, merchant }, "lock");
  if (!found) throw new Refusal("not-found");
  const { row } = found;
  if (row.status !== "pending" || isAtBank(row))
    throw new Refusal("withdrawal.not-pending", { status: row.status, at: row.last_action_at.toISOString() });
  const rejected = await transition(db, row, actor, {
    act: "reject",
    to: "rejected",
    set: { ...unclaimed, rejected_at: row.now, reject_reason: cancelled },
    reason: cancelled,
    decision: "rejected",
  });
  await releaseHold(db, row, null);
  return rejected;
}
