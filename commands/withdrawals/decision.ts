import type { PayingAccount } from "../../src/contract/transactions.ts";
import { withdrawalDecision, withdrawalViews } from "../../src/contract/withdrawals.ts";
import type { Withdrawal, WithdrawalDetail } from "../../src/contract/withdrawals.ts";
import { groupedNumber } from "../../src/console/kit/look/account-number.ts";
import { approvalsOf } from "../transactions/approval.ts";
import type { DecisionActs } from "../transactions/decision-kind.ts";
import { decisionRules } from "../transactions/decision-rules.ts";

/** What tells the decisions on withdrawals from others: money leaves, from an account that the operator may choose. */
export const withdrawalActs: DecisionActs<Withdrawal, WithdrawalDetail, PayingAccount> = {
  subject: "withdrawal",
  screen: "withdrawals",
  routes: withdrawalDecision,
  views: withdrawalViews,
  own: (sentence) => `withdrawal.${sentence}`,
  notAwaited: "problem.withdrawal.second-not-awaited",
  payeeOf: (row) => row.holder,
  leftOut: (row) => (row.paying_account === null ? "withdrawal.left-out.no-account" : null),

  confirmation(row, services, chosen) {
    const from = chosen ?? row.paying_account;
    // that it stands in a bank's file speaks for its being paid, not against it
    const against = row.flags.filter((flag) => flag !== "exported");
    const flags = against.map((flag) => services.text(`withdrawal.flag.${flag}`)).join(", ");
    return {
      payee: row.holder,
      account: services.text("withdrawal.ask.account", { bank: row.bank, number: groupedNumber(row.account_number) }),
      from: from === null ? null : services.text("withdrawal.ask.pays-from", { account: from.code }),
      flags: against.length > 0 ? [services.text("withdrawal.ask.flags", { flags })] : [],
      warnings: from?.critical === true ? [services.text("withdrawal.pays-critical", { account: from.code })] : [],
    };
  },

  sent: ({ amount, holder }, { chosen, isConfirmed }) => ({
    ...(chosen !== undefined && { payment_account: chosen.uuid }),
    ...(isConfirmed && { confirmed: { amount, holder } }),
  }),
};

export const rules = decisionRules(withdrawalActs);
export const approvals = approvalsOf(withdrawalActs, rules);
