import type { DecisionDetail, DecisionRoutes, DecisionRow, RowsRoute } from "../../src/contract/decisions.ts";
import type { Permission } from "../../src/contract/permissions.ts";
import type { SubjectName } from "../../src/contract/index.ts";
import type { Context } from "../../src/console/kit/commands/context.ts";
import type { CallOptions, Services } from "../../src/console/kit/commands/services.ts";
import type { MessageKey, Words } from "../../src/console/kit/texts/messages.ts";
import type { RowRef } from "../../src/contract/wire.ts";
import { actOnMany } from "./bulk.ts";
import type { DecisionActs } from "./decision-kind.ts";
import { reject } from "./reasons.ts";
import { shortId } from "./rows.ts";
import type { Against, Moved, Rows } from "./rows.ts";
import { intend, keyed, ref, sayDone, spread } from "./sending.ts";

/** Nothing is approved blind: with the detail hidden the first press opens it instead. True where it did. */
export function looksFirst({ shell, say }: Services, { pane }: Context): boolean {
  if (pane?.detail !== null) return false;
  shell.togglePane("detail");
  say("transaction.said.look-first");
  return true;
}

/** An act that takes nothing but rows, and moves no money. */
export interface PlainAct<Row extends DecisionRow> {
  readonly subject: SubjectName;
  readonly route: RowsRoute<Row>;
  readonly against: Against<Row>;
  readonly title: MessageKey;
  readonly done: MessageKey;
}

export function plain<Row extends DecisionRow>(
  { route, ...act }: PlainAct<Row>,
  rows: Rows<Row>,
  services: Services,
  context: Context,
): Promise<void> {
  const send = async (some: readonly Row[], options: CallOptions) =>
    (await services.call(route, { body: { rows: some.map(ref) } }, options)).data.outcomes;
  return actOnMany(rows, { ...act, way: () => route.path, send }, services, context);
}

/** For reasons the tenant has set. */
export function rejectRows<Row extends DecisionRow, Detail extends DecisionDetail<Row>, Choice>(
  kind: DecisionActs<Row, Detail, Choice>,
  against: Against<Row>,
  rows: Rows<Row>,
  services: Services,
  context: Context,
): Promise<void> {
  return reject(
    rows,
    {
      subject: kind.subject,
      against,
      presets: context.pane?.decision?.settings.reject_reasons ?? [],
      payeeOf: (row) => kind.payeeOf(row),
      titles: { one: kind.own("ask.reject"), many: kind.own("ask.reject-many"), run: kind.own("ask.reject-run") },
      said: { one: "transaction.said.rejected", many: "transaction.said.rejected-many" },
      send: async (some, reason, options) =>
        (await services.call(kind.routes.reject, { body: { rows: some.map(ref), reason } }, options)).data.outcomes,
    },
    services,
    context,
  );
}

export async function takeOver<Row extends DecisionRow>(
  route: DecisionRoutes<Row, never>["takeOver"],
  subject: SubjectName,
  row: Row,
  services: Services,
): Promise<void> {
  const reason = await services.ask("text", {
    title: "transaction.ask.take-over",
    label: "sheet.text.reason-optional",
    words: { id: shortId(row), name: row.claim?.name ?? "" },
    initial: "",
    maximum: 500,
  });
  if (reason === null) return;
  const text = reason.trim();
  const { data } = await services.call(route, { body: { rows: [ref(row)], ...(text !== "" && { reason: text }) } });
  sayDone(services, [row], data.outcomes, "transaction.said.taken-over");
  spread(services, subject, data.outcomes);
}

/** Puts rows off after it was written why. */
export async function deferWhy<Row extends DecisionRow, Detail extends DecisionDetail<Row>, Choice>(
  { subject, routes: { defer } }: DecisionActs<Row, Detail, Choice>,
  against: Against<Row>,
  rows: Rows<Row>,
  services: Services,
  context: Context,
): Promise<void> {
  const reason = await askReason({ title: "transaction.ask.defer", words: {} }, services);
  if (reason === null) return;
  const send = async (some: readonly Row[], options: CallOptions) =>
    (await services.call(defer, { body: { rows: some.map(ref), reason } }, options)).data.outcomes;
  const title = `command.${subject}.defer-why` as MessageKey; // as of every command
  await actOnMany(rows, { subject, against, title, done: "transaction.said.deferred", way: () => defer.path, send }, services, context);
}

/** A reason, without which nothing is done; null: given up. */
const askReason = ({ title, words }: { readonly title: MessageKey; readonly words: Words }, services: Services): Promise<string | null> =>
  services.ask("text", {
    title,
    words,
    label: "sheet.text.reason",
    initial: "",
    maximum: 500,
    refuse: (typed) => (typed === "" ? "problem.reason.missing" : null),
  });

interface Reasoned<Row> {
  readonly subject: SubjectName;
  readonly act: string;
  readonly route: RowsRoute<Row, RowRef, { reason: string }, Permission | readonly [Permission, Permission]>;
  readonly title: MessageKey;
  readonly words: Words;
  readonly done: MessageKey;
}

/** An act on one row, after its reason was written, without which it is not done. */
export async function withReason<Row extends Moved>({ route, ...of }: Reasoned<Row>, row: Row, services: Services): Promise<void> {
  const intent = intend(of.act, [row]);
  const reason = await askReason(of, services);
  if (reason === null) return;
  const body = { rows: [ref(row)], reason };
  const { data } = await keyed(intent, (all) => services.call(route, { body }, all));
  sayDone(services, [row], data.outcomes, of.done);
  spread(services, of.subject, data.outcomes);
}

/** By the second person, who must say why. */
export const handBack = <Row extends DecisionRow>(
  route: NonNullable<DecisionRoutes<Row, never>["second"]>["handBack"],
  subject: SubjectName,
  row: Row,
  services: Services,
): Promise<void> => {
  const words = { id: shortId(row), name: row.first_approved_by?.name ?? "" };
  const title = "transaction.ask.hand-back" as const;
  return withReason({ subject, act: "hand-back", route, title, words, done: "transaction.said.handed-back" }, row, services);
};
