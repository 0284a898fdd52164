import type { Outcome } from "../../src/contract/decisions.ts";
import type { SubjectName } from "../../src/contract/index.ts";
import type { Context } from "../../src/console/kit/commands/context.ts";
import type { CallOptions, Questions, Services } from "../../src/console/kit/commands/services.ts";
import { shownAmount } from "../../src/console/kit/look/amounts.ts";
import { unmark } from "../../src/console/kit/commands/unmark.ts";
import type { MessageKey, Words } from "../../src/console/kit/texts/messages.ts";
import { formatCount } from "../../src/values/counts.ts";
import { money } from "../../src/values/money.ts";
import { bulkLimit, failureText, moneyOf, problemText, shortId, sumOf, worded } from "./rows.ts";
import type { Against, Moved, Rows } from "./rows.ts";
import { intend, isLeft, keyed, sayDone, sliceOf, slicesOf, spread } from "./sending.ts";
import type { Intent } from "./sending.ts";

/** One act on many rows. */
export interface BulkAct<Row extends Moved> {
  readonly subject: SubjectName;
  readonly title: MessageKey;
  readonly words?: Words;
  readonly against: Against<Row>;
  /** What tells the request of this row from others: rows of different ways never share one. */
  way(row: Row): string;
  /** One request; answers for each row. */
  send(rows: readonly Row[], options: CallOptions): Promise<readonly Outcome<Row>[]>;
}

type AskedSlice = Questions["bulk"]["asked"]["slices"][number];

/** Rows that go the same way, a slice a request, each under a key of its own. */
function requestsOf<Row extends Moved>(
  rows: readonly Row[],
  way: (row: Row) => string,
): readonly { readonly rows: readonly Row[]; readonly intent: Intent }[] {
  return [...Map.groupBy(rows, way)].flatMap(([act, some]) =>
    slicesOf(act, some).map((slice) => ({ rows: slice, intent: intend(act, slice) })),
  );
}

/** Puts the facts before the operator, then acts slice by slice; what failed stays marked. Answers what was done. */
export async function bulk<Row extends Moved>(
  rows: Rows<Row>,
  act: BulkAct<Row>,
  services: Services,
  context: Context,
): Promise<readonly Row[]> {
  const reasons = new Map(rows.map((row) => [row.uuid, act.against(row, context)]));
  const taken = rows.filter(({ uuid }) => reasons.get(uuid) === null).slice(0, bulkLimit);
  const [first] = taken;
  if (first === undefined) return [];
  const label = (row: Row) => ({
    id: row.uuid,
    label: [shortId(row), moneyOf(row), row.customer_name].filter((part) => part !== undefined).join(" · "),
  });
  const isTaken = new Set(taken.map(({ uuid }) => uuid));
  const skipped = rows
    .filter(({ uuid }) => !isTaken.has(uuid))
    .map((row) => {
      const reason = reasons.get(row.uuid) ?? null;
      const why = reason === null ? services.text("transaction.left-out.limit", { count: bulkLimit }) : worded(services, reason);
      return { ...label(row), why };
    });
  const largest = taken.reduce((most, row) => (money(row.amount) > money(most.amount) ? row : most), first);
  const oldest = taken.reduce((most, row) => (row.created_at < most.created_at ? row : most), first);
  const matching = context.pane?.grid?.marksEverything()?.count ?? rows.length;
  const done: Row[] = [];

  async function send(slice: readonly Row[], intent: Intent): ReturnType<AskedSlice["send"]> {
    try {
      const outcomes = await keyed(intent, (options) => act.send(slice, options), { quiet: true });
      return outcomes.map((outcome) => {
        const id = outcome.uuid;
        if (!outcome.done) return { id, done: false, left: isLeft(outcome), why: problemText(services, outcome.problem) };
        done.push(outcome.row);
        return { id, done: true };
      });
    } catch (error) {
      return slice.map(({ uuid }) => ({ id: uuid, done: false, why: failureText(services, error) }));
    }
  }

  await services.ask("bulk", {
    title: act.title,
    words: { count: taken.length, ...act.words },
    facts: [
      { label: "transaction.fact.count", value: String(taken.length) },
      // marked beyond what one act takes, and not even loaded
      ...(matching > rows.length ? [{ label: "transaction.fact.matching" as const, value: formatCount(matching) }] : []),
      { label: "transaction.fact.sum", value: `${shownAmount(sumOf(taken))} ${first.currency}` },
      { label: "transaction.fact.largest", value: `${moneyOf(largest)} · ${shortId(largest)}` },
      { label: "transaction.fact.oldest", value: [context.pane?.decision?.age(oldest), shortId(oldest)].filter(Boolean).join(" · ") },
    ],
    slices: requestsOf(taken, (row) => act.way(row)).map(({ rows: slice, intent }) => ({
      rows: slice.map(label),
      send: () => send(slice, intent),
    })),
    skipped,
  });
  const isDone = new Set(done.map(({ uuid }) => uuid));
  if (context.pane?.grid) unmark(context.pane.grid, isDone);
  services.changed(act.subject, [...done, ...taken.filter(({ uuid }) => !isDone.has(uuid)).map(({ uuid }) => ({ uuid }))]);
  return done;
}

/** Acts on all rows it can take, with nothing asked where one request holds them all. */
export async function actOnMany<Row extends Moved>(
  rows: Rows<Row>,
  act: BulkAct<Row> & { readonly done: MessageKey },
  services: Services,
  context: Context,
): Promise<void> {
  const able = rows.filter((row) => act.against(row, context) === null);
  const requests = requestsOf(able.slice(0, sliceOf), (row) => act.way(row));
  const [request] = requests;
  if (able.length > sliceOf || requests.length !== 1 || request === undefined) return void (await bulk(rows, act, services, context));
  const outcomes = await keyed(request.intent, (options) => act.send(request.rows, options));
  sayDone(services, request.rows, outcomes, act.done);
  spread(services, act.subject, outcomes);
}
