import { bankTransactionRoutes } from "../../src/contract/bank-transactions.ts";
import type { Deposit } from "../../src/contract/deposits.ts";
import type { AnyCommand } from "../../src/console/kit/commands/command.ts";
import { shownAmount } from "../../src/console/kit/look/amounts.ts";
import { recordCommand } from "../transactions/decision-commands.ts";
import { moneyOf, problemText, shortId } from "../transactions/rows.ts";
import { intend, keyed } from "../transactions/sending.ts";
import { depositActs, rules } from "./decision.ts";

const { suggestBankLines, matchBankLines } = bankTransactionRoutes;

/** The bank line that proves a deposit, of the five that fit best. */
export const match: AnyCommand = recordCommand<Deposit, "one">(depositActs, {
  name: "match",
  takes: "one",
  permission: matchBankLines.permission,
  keys: ["m"],
  danger: "money",
  refuse: ([row], context) => (row.status === "expired" ? "deposit.refuse.expired" : rules.rejection(row, context)),
  async run([row], services) {
    const { data: lines } = await services.call(suggestBankLines, { query: { transaction: row.uuid } });
    const chosen = await services.ask("choice", {
      title: "deposit.ask.match",
      words: { id: shortId(row), amount: moneyOf(row) },
      money: true,
      options: lines.map(({ line, score }) => ({
        id: line.uuid,
        label: `${score.total} · ${shownAmount(line.amount)}`,
        note: [line.counterparty, line.reference, line.description].filter((part) => part !== null && part !== "").join(" · "),
        refused: null,
      })),
    });
    const line = lines.find((one) => one.line.uuid === chosen)?.line;
    if (line === undefined) return;
    const { uuid, version } = row;
    const body = { rows: [{ uuid: line.uuid, version: line.version, transactions: [{ uuid, version }] }] };
    const intent = intend(`match ${line.uuid}@${line.version}`, [row]);
    const { data } = await keyed(intent, (options) => services.call(matchBankLines, { body }, options));
    const [outcome] = data.outcomes;
    services.changed(depositActs.subject, [{ uuid }]);
    if (outcome?.done === true) services.say("deposit.said.matched", { id: shortId(row) }, "done");
    else if (outcome !== undefined)
      services.say("transaction.said.refused", { id: shortId(row), why: problemText(services, outcome.problem) }, "fail");
  },
});
