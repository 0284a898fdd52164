import { withdrawalDecision } from "../../../contract/withdrawals.ts";
import type { Withdrawal, WithdrawalDetail, WithdrawalView } from "../../../contract/withdrawals.ts";
import type { DecisionKind } from "../../transactions/decision-kind.ts";
import { everything, inProcess, mine, secondApproval, today, workList } from "../../transactions/decision-views.ts";
import type { DecisionView } from "../../transactions/decision-views.ts";
import { withdrawalFilters } from "./filters.ts";

type View = DecisionView<Withdrawal> & { readonly id: WithdrawalView };

/** On the digits 1–6. */
export const withdrawalViews = [workList, mine, inProcess, today, secondApproval, everything] as const satisfies readonly View[];

/** What tells withdrawals from other transactions where people decide on them. */
export const withdrawals: DecisionKind<Withdrawal, WithdrawalDetail> = {
  subject: "withdrawal",
  screen: "withdrawals",
  live: "withdraw",
  routes: withdrawalDecision,
  views: withdrawalViews,
  filters: withdrawalFilters,
  settingsOf: (config) => config.withdrawals,
  own: (sentence) => `withdrawal.${sentence}`,
  unready: ({ row }) => (row.paying_account === null && row.status !== "approved" ? "withdrawal.refuse.no-account" : null),
  accountsOf: ({ accounts }) => accounts,
};
