import type { Outcome } from "../../src/contract/decisions.ts";
import type { SubjectName } from "../../src/contract/index.ts";
import type { Transaction } from "../../src/contract/transactions.ts";
import type { Context } from "../../src/console/kit/commands/context.ts";
import type { CallOptions, Questions, Services } from "../../src/console/kit/commands/services.ts";
import { reasonPresets } from "../../src/console/kit/sheets/reason-presets.ts";
import type { MessageKey } from "../../src/console/kit/texts/messages.ts";
import { bulk } from "./bulk.ts";
import { moneyOf, shortId } from "./rows.ts";
import type { Against, Rows } from "./rows.ts";
import { intend, keyed, only, sayRefused, spread } from "./sending.ts";

type Given = Questions["reason"]["answer"];

/** How one kind of transaction is rejected. */
export interface RejectAct<Row extends Transaction> {
  readonly subject: SubjectName;
  readonly against: Against<Row>;
  /** The tenant's reasons; those without a text are the product's. */
  readonly presets: readonly { readonly code: string; readonly text: string | null }[];
  /** Who gets, or gave, the money. */
  payeeOf(row: Row): string;
  readonly titles: { readonly one: MessageKey; readonly many: MessageKey; readonly run: MessageKey };
  readonly said: { readonly one: MessageKey; readonly many: MessageKey };
  send(rows: readonly Row[], reason: Given, options: CallOptions): Promise<readonly Outcome<Row>[]>;
}

/** One reason for all. */
export async function reject<Row extends Transaction>(
  rows: Rows<Row>,
  act: RejectAct<Row>,
  services: Services,
  context: Context,
): Promise<void> {
  const { subject, against, presets, titles, said } = act;
  const [first] = rows;
  const intent = intend("reject", [first]);
  const reason = await services.ask("reason", {
    title: rows.length === 1 ? titles.one : titles.many,
    words: { id: shortId(first), amount: moneyOf(first), payee: act.payeeOf(first), count: rows.length },
    presets: reasonPresets(presets, services),
  });
  if (reason === null) return;
  const named = presets.find(({ code }) => code === reason.code);
  const spoken = reason.text ?? named?.text ?? services.text(`reason.${reason.code}` as MessageKey); // the contract's codes without a text are worded
  if (rows.length > 1) {
    const done = await bulk(
      rows,
      {
        subject,
        against,
        title: titles.run,
        words: { reason: spoken },
        // another reason is another request, which the key of the first may not carry
        way: () => `reject for ${reason.code} ${reason.text ?? ""}`,
        send: (slice, options) => act.send(slice, reason, options),
      },
      services,
      context,
    );
    if (done.length > 0) services.say(said.many, { count: done.length }, "done");
    return;
  }
  const outcome = only(await keyed(intent, (options) => act.send(rows, reason, options)));
  if (outcome.done) services.say(said.one, { id: shortId(first), amount: moneyOf(first), reason: spoken }, "done");
  else sayRefused(services, first, outcome.problem);
  spread(services, subject, [outcome]);
}
