import { bankTransactionRoutes as routes } from "../../src/contract/bank-transaction-routes.ts";
import type { BankLine } from "../../src/contract/bank-transactions.ts";
import { isAllowed } from "../../src/contract/permissions.ts";
import type { Context } from "../../src/console/kit/commands/context.ts";
import type { CallOptions, Services } from "../../src/console/kit/commands/services.ts";
import { shownAmount } from "../../src/console/kit/look/amounts.ts";
import type { MessageKey } from "../../src/console/kit/texts/messages.ts";
import { problemText } from "./rows.ts";
import { intend, keyed, ref } from "./sending.ts";

export type Lines = readonly [BankLine, ...BankLine[]];
type Outcomes = { data: { outcomes: readonly LineOutcome[] } };
type LineOutcome =
  | { readonly uuid: string; readonly done: true; readonly row: BankLine }
  | { readonly uuid: string; readonly done: false; readonly problem: { readonly code: string; readonly message: string } };

/** How long `z` takes a match back, in ms. */
const undoFor = 8_000;

/** Sends one act on these lines, shows what became of each, and says how many were refused and why. Answers those done. */
export async function actOnLines(
  name: string,
  rows: Lines,
  services: Services,
  send: (options: CallOptions) => Promise<Outcomes>,
  said: MessageKey,
): Promise<readonly BankLine[]> {
  const { data } = await keyed(intend(name, rows), send);
  services.changed(
    "bank-line",
    data.outcomes.map((outcome) => (outcome.done ? outcome.row : { uuid: outcome.uuid })),
  );
  const done = data.outcomes.flatMap((outcome) => (outcome.done ? [outcome.row] : []));
  const refused = data.outcomes.find((outcome) => !outcome.done);
  const [first] = rows;
  if (done.length > 0) services.say(said, { n: done.length, amount: shownAmount(first.amount) }, "done");
  if (refused !== undefined && !refused.done)
    services.say("bank-line.said.refused", { n: data.outcomes.length - done.length, why: problemText(services, refused.problem) }, "fail");
  return done;
}

export async function unmatch(rows: Lines, reason: string, services: Services): Promise<void> {
  const way = `unmatch ${reason}`;
  const body = { rows: rows.map(ref), reason };
  await actOnLines(way, rows, services, (options) => services.call(routes.unmatchBankLines, { body }, options), "bank-line.said.unmatched");
}

/** A line just matched is taken back by `z`, where the user may unmatch; `after`: what else has changed by that. */
export function offerUnmatch(line: BankLine, services: Services, { permissions }: Pick<Context, "permissions">, after?: () => void): void {
  if (!isAllowed(permissions, routes.unmatchBankLines.permission)) return;
  services.pushUndo({
    id: `unmatch ${line.uuid}`,
    text: "bank-line.undo.matched",
    words: { amount: shownAmount(line.amount) },
    until: performance.now() + undoFor,
    async back() {
      await unmatch([line], services.text("bank-line.undo.reason"), services);
      after?.();
    },
  });
}
