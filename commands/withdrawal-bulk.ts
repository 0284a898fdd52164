import type { Withdrawal } from "../src/contract/withdrawals.ts";
import type { Reason } from "../src/console/kit/command.ts";
import type { Context } from "../src/console/kit/context.ts";
import type { MessageKey } from "../src/console/kit/messages.ts";
import type { Questions, Services } from "../src/console/kit/services.ts";
import { shownAmount } from "../src/console/kit/amounts.ts";
import { formatCount } from "../src/values/counts.ts";
import { money, moneyText } from "../src/values/money.ts";
import { bulkLimit, moneyOf, problemText, shortId, worded } from "./withdrawal-rules.ts";
import type { Rows } from "./withdrawal-rules.ts";
import { isLeft } from "./withdrawal-sending.ts";
import type { Outcome } from "./withdrawal-sending.ts";

export type BulkAct = (row: Withdrawal) => Promise<Outcome>;

const why = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Puts the facts before the operator, then acts row by row; what failed stays marked. */
export async function bulk(
  rows: Rows,
  against: (row: Withdrawal, context: Context) => Reason | null,
  act: BulkAct,
  texts: { title: MessageKey; words?: Record<string, string> },
  services: Services,
  context: Context,
  isSent: (id: string) => boolean = () => false,
): Promise<readonly Withdrawal[]> {
  const able = rows.filter((row) => against(row, context) === null);
  const taken = able.slice(0, bulkLimit);
  const [first] = taken;
  const label = (row: Withdrawal) => ({ id: row.uuid, label: `${shortId(row)} · ${moneyOf(row)} · ${row.customer_name}` });
  const skipped = rows.flatMap((row): Questions["bulk"]["asked"]["skipped"][number][] => {
    const reason = against(row, context);
    if (reason !== null) return [{ ...label(row), why: worded(services, reason) }];
    return taken.includes(row) ? [] : [{ ...label(row), why: services.text("withdrawal.left-out.limit", { count: bulkLimit }) }];
  });
  if (first === undefined) return [];
  const largest = taken.reduce((most, row) => (money(row.amount) > money(most.amount) ? row : most), first);
  const oldest = taken.reduce((most, row) => (row.created_at < most.created_at ? row : most), first);
  const matching = context.pane?.grid?.marksEverything()?.count ?? rows.length;
  const done: Withdrawal[] = [];
  await services.ask("bulk", {
    title: texts.title,
    words: { count: taken.length, ...texts.words },
    facts: [
      { label: "withdrawal.fact.count", value: String(taken.length) },
      // marked beyond what one act takes, and not even loaded
      ...(matching > rows.length ? [{ label: "withdrawal.fact.matching" as const, value: formatCount(matching) }] : []),
      { label: "withdrawal.fact.sum", value: `${shownAmount(sumOf(taken))} ${first.currency}` },
      { label: "withdrawal.fact.largest", value: `${moneyOf(largest)} · ${shortId(largest)}` },
      { label: "withdrawal.fact.oldest", value: `${context.pane?.desk?.age(oldest) ?? ""} · ${shortId(oldest)}` },
    ],
    rows: taken.map(label),
    skipped,
    isSent,
    async act(id) {
      const row = taken.find(({ uuid }) => uuid === id);
      if (row === undefined) return { done: false, why: services.text("failure.unknown") };
      try {
        const outcome = await act(row);
        if (!outcome.done) return { done: false, left: isLeft(outcome), why: problemText(services, outcome.problem) };
        done.push(outcome.row);
        return { done: true };
      } catch (error) {
        return { done: false, why: why(error) };
      }
    },
  });
  const grid = context.pane?.grid ?? null;
  for (const { uuid } of done) grid?.toggleMark(uuid);
  services.changed("withdrawal", [
    ...done,
    ...taken.filter((row) => !done.some(({ uuid }) => uuid === row.uuid)).map(({ uuid }) => ({ uuid })),
  ]);
  return done;
}

export function sumOf(rows: readonly Withdrawal[]): string {
  return moneyText(rows.reduce((sum, row) => sum + money(row.amount), 0n));
}
