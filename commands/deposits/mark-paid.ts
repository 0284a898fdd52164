import { depositRoutes } from "../../src/contract/deposit-routes.ts";
import type { Deposit } from "../../src/contract/deposits.ts";
import type { AnyCommand } from "../../src/console/kit/commands/command.ts";
import { recordCommand } from "../transactions/decision-commands.ts";
import { moneyOf, shortId } from "../transactions/rows.ts";
import { intend, keyed, ref, sayDone, spread } from "../transactions/sending.ts";
import { depositActs, rules } from "./decision.ts";

/** The customer has paid: with the number of the payment, where it is known, the deposit waits to be decided. */
export const markPaid: AnyCommand = recordCommand<Deposit, "one">(depositActs, {
  name: "process",
  takes: "one",
  permission: depositRoutes.processDeposits.permission,
  keys: ["p"],
  refuse: ([row], context) => rules.undecided(row, context) ?? (row.status === "pending" ? null : "problem.deposit.not-pending"),
  async run([row], services) {
    const intent = intend("process", [row]);
    const typed = await services.ask("text", {
      title: "deposit.ask.process",
      words: { id: shortId(row), amount: moneyOf(row) },
      hint: "deposit.ask.reference",
      initial: row.reference_no ?? "",
      maximum: 100,
    });
    if (typed === null) return;
    const body = { rows: [{ ...ref(row), ...(typed !== "" && { reference_no: typed }) }] };
    const { data } = await keyed(intent, (options) => services.call(depositRoutes.processDeposits, { body }, options));
    sayDone(services, [row], data.outcomes, "deposit.said.processed");
    spread(services, depositActs.subject, data.outcomes);
  },
});
