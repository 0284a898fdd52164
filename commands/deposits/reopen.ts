import { depositRoutes } from "../../src/contract/deposit-routes.ts";
import type { Deposit } from "../../src/contract/deposits.ts";
import type { AnyCommand } from "../../src/console/kit/commands/command.ts";
import { recordCommand } from "../transactions/decision-commands.ts";
import { moneyOf, shortId } from "../transactions/rows.ts";
import { intend, keyed, ref, sayDone, spread } from "../transactions/sending.ts";
import { depositActs } from "./decision.ts";

/** Late money: an expired deposit waits to be decided again. No key on purpose. */
export const reopen: AnyCommand = recordCommand<Deposit, "one">(depositActs, {
  name: "reopen",
  takes: "one",
  permission: depositRoutes.reopenDeposits.permission,
  danger: "money",
  refuse: ([row], context) => context.pane?.decision?.gone(row.uuid) ?? (row.status === "expired" ? null : "problem.deposit.not-expired"),
  async run([row], services) {
    const intent = intend("reopen", [row]);
    const reason = await services.ask("text", {
      title: "deposit.ask.reopen",
      label: "sheet.text.reason",
      words: { id: shortId(row), amount: moneyOf(row), payee: row.customer_name },
      initial: "",
      maximum: 500,
      refuse: (typed) => (typed === "" ? "problem.reason.missing" : null),
    });
    if (reason === null) return;
    const body = { rows: [ref(row)], reason };
    const { data } = await keyed(intent, (options) => services.call(depositRoutes.reopenDeposits, { body }, options));
    sayDone(services, [row], data.outcomes, "deposit.said.reopened");
    spread(services, depositActs.subject, data.outcomes);
  },
});
