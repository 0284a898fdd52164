import type { Withdrawal, WithdrawalDetail } from "../../contract/withdrawals.ts";
import type { Scoped } from "../db/scope.ts";
import { post, releaseLegs } from "../ledger/ledger.ts";
import type { DecisionKind } from "./decision-kind.ts";
import type { KnownWithdrawal } from "./transaction-rows.ts";
import { findWithdrawal } from "./transaction-rows.ts";
import { loadDecisionFacts, withdrawalDetail, withdrawalView } from "./withdrawal-rows.ts";

/** Withdrawals: a claim is what processes one, and a free one is pending. */
export const withdrawalKind: DecisionKind<KnownWithdrawal, Withdrawal, WithdrawalDetail> = {
  name: "withdrawal",
  event: "withdraw",
  find: findWithdrawal,
  atClaim: (row, user) => ({ processed_at: row.now, processed_by: user }),
  undone: () => ({ set: {} }),
  atRejection: releaseHold,
  view: async (db, row, settings) => withdrawalView(row, await loadDecisionFacts(db, [row], settings)),
  detail: withdrawalDetail,
};

/** The bank may be paying it: it is in a file for the bank, or has the bank's own number. Only an operator can end it then. */
export const isAtBank = ({ payout_file_id, reference_no }: KnownWithdrawal): boolean => payout_file_id !== null || reference_no !== null;

/** Returns the whole hold. */
export async function releaseHold(db: Scoped, row: KnownWithdrawal, by: string | null): Promise<void> {
  await post(db, { kind: "withdrawal.release", currency: row.currency, transaction: row.id, by, legs: releaseLegs(row) });
}
