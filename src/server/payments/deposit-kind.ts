import type { Deposit, DepositDetail } from "../../contract/deposits.ts";
import { asRequested } from "./deposit-amounts.ts";
import { depositDetail, depositView, loadDepositFacts } from "./deposit-rows.ts";
import type { DecisionKind } from "./decision-kind.ts";
import type { KnownDeposit } from "./transaction-rows.ts";
import { findDeposit } from "./transaction-rows.ts";

/** Deposits: a free one is in process, and a claim leaves it there. */
export const depositKind: DecisionKind<KnownDeposit, Deposit, DepositDetail> = {
  name: "deposit",
  event: "deposit",
  find: findDeposit,
  atClaim: () => ({}),
  undone: (row) => (row.asked_amount === null ? { set: {} } : { set: asRequested(row), limit: "recount" }),
  view: async (db, row, settings) => depositView(row, await loadDepositFacts(db, [row], settings)),
  detail: depositDetail,
};
