import { bankTransactionRoutes } from "../../src/contract/bank-transaction-routes.ts";
import type { Deposit } from "../../src/contract/deposits.ts";
import type { AnyCommand } from "../../src/console/kit/commands/command.ts";
import { recordCommand } from "../transactions/decision-commands.ts";
import { matchLine, unlessSeen } from "../transactions/match-line.ts";
import { depositActs, rules } from "./decision.ts";

/** The bank line that proves a deposit, of the five that fit best. */
export const match: AnyCommand = recordCommand<Deposit, "one">(depositActs, {
  name: "match",
  takes: "one",
  permission: bankTransactionRoutes.matchBankLines.permission,
  keys: ["m"],
  danger: "money",
  refuse: ([row], context) =>
    row.status === "expired" ? "deposit.refuse.expired" : (rules.undecided(row, context) ?? unlessSeen(context)),
  async run([row], services, context) {
    const of = { subject: depositActs.subject, title: "deposit.ask.match", done: "deposit.said.matched" } as const;
    await matchLine(of, row, services, context);
  },
});
