import { depositViews } from "../../src/contract/deposits.ts";
import { depositDecision } from "../../src/contract/deposit-routes.ts";
import type { Deposit, DepositDetail } from "../../src/contract/deposits.ts";
import type { Reason } from "../../src/console/kit/commands/command.ts";
import { shownAmount } from "../../src/console/kit/look/amounts.ts";
import { approvalsOf } from "../transactions/approval.ts";
import type { DecisionActs } from "../transactions/decision-kind.ts";
import { decisionRules } from "../transactions/decision-rules.ts";

/** Another amount arrived than was asked, and why it is credited. */
export interface Arrived {
  /** Decimal text. */
  readonly amount: string;
  readonly reason: string;
}

/** What tells the decisions on deposits from others: money has come, perhaps another amount than was asked. */
export const depositActs: DecisionActs<Deposit, DepositDetail, Arrived> = {
  subject: "deposit",
  screen: "deposits",
  routes: depositDecision,
  views: depositViews,
  own: (sentence) => `deposit.${sentence}`,
  notAwaited: "problem.deposit.second-not-awaited",
  early: ({ status }): Reason | null => (status === "pending" ? "deposit.refuse.early" : null),
  payeeOf: (row) => row.customer_name,
  choiceConfirms: true,

  confirmation(row, services) {
    const flags = row.flags.map((flag) => services.text(`deposit.flag.${flag}`)).join(", ");
    return {
      payee: row.customer_name,
      account: services.text("deposit.ask.account", {
        account: row.payment_account?.code ?? "",
        amount: `${shownAmount(row.merchant_receive)} ${row.currency}`,
      }),
      from: null,
      labels: { payee: "transaction.column.customer", account: "deposit.column.credited" },
      flags: flags === "" ? [] : [services.text("deposit.ask.flags", { flags })],
      warnings: [],
    };
  },

  sent: ({ amount, customer_name }, { chosen, isConfirmed }) => ({
    ...chosen,
    ...(isConfirmed && { confirmed: { amount: chosen?.amount ?? amount, payer: customer_name } }),
  }),
};

export const rules = decisionRules(depositActs);
export const approvals = approvalsOf(depositActs, rules);
