import type { DecisionDetail, DecisionRow, Outcome } from "../../src/contract/decisions.ts";
import { isAllowed } from "../../src/contract/permissions.ts";
import type { Context } from "../../src/console/kit/commands/context.ts";
import type { CallOptions, Services } from "../../src/console/kit/commands/services.ts";
import { shownAmount } from "../../src/console/kit/look/amounts.ts";
import { bulk } from "./bulk.ts";
import type { DecisionActs } from "./decision-kind.ts";
import type { DecisionRules } from "./decision-rules.ts";
import { awaitsSecond, isFree } from "./decision-rules.ts";
import { moneyOf, shortId, sumOf } from "./rows.ts";
import type { Rows } from "./rows.ts";
import { intend, keyed, only, ref, sayDone, sayRefused, spread } from "./sending.ts";

/** How rows of one kind are approved, and taken back. */
export interface Approvals<Row extends DecisionRow, Choice> {
  one(row: Row, services: Services, context: Context, chosen?: Choice): Promise<void>;
  many(rows: Rows<Row>, services: Services, context: Context): Promise<void>;
  /** `context`: of the list it is taken back in; the cursor is on it again there, because it may come in above what is in view. */
  recall(row: Row, services: Services, context: Context): Promise<void>;
}

export function approvalsOf<Row extends DecisionRow, Detail extends DecisionDetail<Row>, Choice>(
  kind: DecisionActs<Row, Detail, Choice>,
  { leftOutOfBulk }: Pick<DecisionRules<Row>, "leftOutOfBulk">,
): Approvals<Row, Choice> {
  const { subject, routes } = kind;

  /** One request: rows that all await the second approval, or none that does. Free ones are claimed by it. */
  async function send(
    rows: readonly Row[],
    { chosen, isConfirmed }: { readonly chosen?: Choice | undefined; readonly isConfirmed: boolean },
    services: Services,
    options: CallOptions,
  ): Promise<readonly Outcome<Row>[]> {
    if (routes.second && rows.some(awaitsSecond)) {
      const body = { rows: rows.map((row) => ({ ...ref(row), ...kind.sent(row, { chosen: undefined, isConfirmed: true }) })) };
      return (await services.call(routes.second.approve, { body }, options)).data.outcomes;
    }
    const claim = { claim: true } as const;
    const body = { rows: rows.map((row) => ({ ...ref(row), ...kind.sent(row, { chosen, isConfirmed }), ...(isFree(row) && claim) })) };
    return (await services.call(routes.approve, { body }, options)).data.outcomes;
  }

  async function confirmed(row: Row, services: Services, chosen?: Choice): Promise<boolean> {
    const isSecond = awaitsSecond(row);
    const { flags, warnings, ...money } = kind.confirmation(row, services, chosen);
    const first = isSecond ? [services.text("transaction.ask.first-by", { name: row.first_approved_by?.name ?? "" })] : [];
    const next = !isSecond && row.tier === 3 ? [services.text("transaction.ask.second-needed")] : [];
    const asked = {
      title: isSecond ? "transaction.ask.second" : "transaction.ask.approve",
      words: { id: shortId(row) },
      amount: shownAmount(row.amount),
      currency: row.currency,
      ...money,
      notes: [...flags, ...first, ...warnings, ...next],
    } as const;
    return (await services.ask("money", asked)) === true;
  }

  /** What can be taken back counts down in the status bar, with its key, for those who may. */
  function offerRecall(row: Row, services: Services, context: Context): void {
    const seconds = context.pane?.decision?.settings.recall_seconds ?? 0;
    if (row.status !== "approved" || row.recallable_until === null || seconds === 0) return;
    if (!isAllowed(context.permissions, routes.recall.permission)) return;
    services.pushUndo({
      id: `recall ${row.uuid}`,
      text: "transaction.undo.approved",
      words: { id: shortId(row), amount: moneyOf(row) },
      until: performance.now() + seconds * 1000,
      back: () => recall(row, services, context),
      again: { command: `${subject}.approve`, uuid: row.uuid },
    });
  }

  function sayApproved(row: Row, services: Services, context: Context): void {
    const words = { id: shortId(row), amount: moneyOf(row) };
    if (row.status === "process") return services.say("transaction.said.first-approved", words, "done");
    offerRecall(row, services, context);
    const left = context.pane?.decision?.left([row.uuid]) ?? null;
    if (left === null) return services.say("transaction.said.approved", words, "done");
    services.say("transaction.said.approved-left", { ...words, count: left }, "done");
  }

  async function one(row: Row, services: Services, context: Context, chosen?: Choice): Promise<void> {
    const intent = intend("approve", [row]);
    const wasConfirmed = chosen !== undefined && kind.choiceConfirms === true;
    const isAsked = wasConfirmed || row.tier > 1 || awaitsSecond(row);
    if (isAsked && !wasConfirmed && !(await confirmed(row, services, chosen))) return;
    const sendOne = async (as: Row, under: typeof intent, isConfirmed: boolean) =>
      only(await keyed(under, (options) => send([as], { chosen, isConfirmed }, services, options)));
    let outcome = await sendOne(row, intent, isAsked);
    // a check that turned to a warning meanwhile raised the tier
    if (!outcome.done && !isAsked && outcome.problem.code === `${subject}.confirm-needed`) {
      // a free one stays claimed under a version that only the server knows
      const held = isFree(row) ? (await services.call(routes.read, { params: { uuid: row.uuid } })).data.row : row;
      if (!(await confirmed(held, services, chosen))) return spread(services, subject, [outcome]);
      outcome = await sendOne(held, intend("approve", [held]), true);
    }
    if (outcome.done) sayApproved(outcome.row, services, context);
    else sayRefused(services, row, outcome.problem);
    spread(services, subject, [outcome]);
  }

  async function many(rows: Rows<Row>, services: Services, context: Context): Promise<void> {
    const done = await bulk(
      rows,
      {
        subject,
        title: kind.own("ask.approve-many"),
        against: leftOutOfBulk,
        way: (row) => (awaitsSecond(row) ? "second-approve" : "approve"),
        async send(slice, options) {
          const outcomes = await send(slice, { isConfirmed: false }, services, options);
          for (const outcome of outcomes) if (outcome.done) offerRecall(outcome.row, services, context);
          return outcomes;
        },
      },
      services,
      context,
    );
    const words = { count: done.length, amount: `${shownAmount(sumOf(done))} ${rows[0].currency}` };
    if (done.length > 0) services.say("transaction.said.approved-many", words, "done");
  }

  async function recall(row: Row, services: Services, context: Context): Promise<void> {
    const intent = intend("recall", [row]);
    const { data } = await keyed(intent, (all) => services.call(routes.recall, { body: { rows: [ref(row)] } }, all));
    spread(services, subject, data.outcomes);
    const back = only(data.outcomes);
    // with as many claims as are allowed it came back free
    const free = back.done && back.row.claim === null;
    // in the queue one that came back free is not the one to decide
    if (back.done && !(free && context.pane?.queue?.active === true)) context.pane?.grid?.scrollToId(row.uuid);
    sayDone(services, [row], data.outcomes, free ? kind.own("said.recalled-free") : "transaction.said.recalled");
  }

  return { one, many, recall };
}
