import { bankTransactionRoutes } from "../../src/contract/bank-transaction-routes.ts";
import { isAllowed } from "../../src/contract/permissions.ts";
import type { SubjectName } from "../../src/contract/index.ts";
import type { Reason } from "../../src/console/kit/commands/command.ts";
import type { Context } from "../../src/console/kit/commands/context.ts";
import type { Services } from "../../src/console/kit/commands/services.ts";
import { shownAmount } from "../../src/console/kit/look/amounts.ts";
import type { MessageKey } from "../../src/console/kit/texts/messages.ts";
import { offerUnmatch } from "./bank-lines.ts";
import type { Moved } from "./rows.ts";
import { moneyOf, problemText, shortId } from "./rows.ts";
import { intend, keyed, ref } from "./sending.ts";

const { suggestBankLines, matchBankLines } = bankTransactionRoutes;

/** Lines that fit are read before one of them is matched. */
export function unlessSeen({ permissions }: Pick<Context, "permissions">): Reason | null {
  const { permission } = suggestBankLines;
  return isAllowed(permissions, permission) ? null : { key: "refuse.no-right", words: { permission } };
}

/** Matches one of the five bank lines that fit a row best: the operator says which. Answers whether one was matched. */
export async function matchLine(
  { subject, title, done }: { readonly subject: SubjectName; readonly title: MessageKey; readonly done: MessageKey },
  row: Moved,
  services: Services,
  context: Pick<Context, "permissions">,
): Promise<boolean> {
  const { data: lines } = await services.call(suggestBankLines, { query: { transaction: row.uuid } });
  const chosen = await services.ask("choice", {
    title,
    words: { id: shortId(row), amount: moneyOf(row) },
    money: true,
    options: lines.map(({ line, score }) => ({
      id: line.uuid,
      label: `${score.total} · ${line.payment_account.code} · ${line.direction === "debit" ? "−" : ""}${shownAmount(line.amount)}`,
      note: [line.counterparty, line.reference, line.description].filter((part) => part !== null && part !== "").join(" · "),
      refused: null,
    })),
  });
  const line = lines.find((one) => one.line.uuid === chosen)?.line;
  if (line === undefined) return false;
  const body = { rows: [{ ...ref(line), transactions: [ref(row)] }] };
  const intent = intend(`match ${line.uuid}@${line.version}`, [row]);
  const { data } = await keyed(intent, (options) => services.call(matchBankLines, { body }, options));
  const [outcome] = data.outcomes;
  const tell = (): void => services.changed(subject, [{ uuid: row.uuid }]);
  tell();
  if (outcome?.done === true) {
    services.say(done, { id: shortId(row) }, "done");
    offerUnmatch(outcome.row, services, context, tell);
  } else if (outcome !== undefined)
    services.say("transaction.said.refused", { id: shortId(row), why: problemText(services, outcome.problem) }, "fail");
  return outcome?.done === true;
}
