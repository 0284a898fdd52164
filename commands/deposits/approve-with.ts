import { depositRoutes } from "../../src/contract/deposit-routes.ts";
import type { Deposit } from "../../src/contract/deposits.ts";
import type { AnyCommand } from "../../src/console/kit/commands/command.ts";
import { looksFirst } from "../transactions/decision-acts.ts";
import { recordCommand } from "../transactions/decision-commands.ts";
import { awaitsSecond } from "../transactions/decision-rules.ts";
import { shortId } from "../transactions/rows.ts";
import { approvals, depositActs, rules } from "./decision.ts";

/** Both amounts stand in the question, so that its answer is the confirmation. */
export const approveWith: AnyCommand = recordCommand<Deposit, "one">(depositActs, {
  name: "approve-with",
  takes: "one",
  permission: depositRoutes.approveDeposits.permission,
  keys: ["Shift+a"],
  danger: "money",
  passing: rules.whileUnread,
  refuse: ([row], context) =>
    rules.approval(row, context) ?? (awaitsSecond(row) ? "deposit.refuse.arrived-chosen" : null) ?? rules.unseen(row, context),
  async run([row], services, context) {
    if (looksFirst(services, context)) return;
    const { flags } = depositActs.confirmation(row, services);
    const arrived = await services.ask("amount", {
      title: "deposit.ask.approve-with",
      words: { id: shortId(row), payee: row.customer_name },
      currency: row.currency,
      expected: row.amount,
      labels: { expected: "deposit.asked", amount: "deposit.arrived" },
      notes: [...flags, ...(row.tier === 3 ? [services.text("transaction.ask.second-needed")] : [])],
    });
    if (arrived !== null) await approvals.one(row, services, context, arrived);
  },
});
