import type { MerchantCallback } from "../src/contract/merchant-callbacks.ts";
import { merchantCallbackRoutes as routes, mostResent } from "../src/contract/merchant-callbacks.ts";
import { isSole, readAsked } from "../src/values/asked.ts";
import { plainMoment, readMoment } from "../src/values/moments.ts";
import { formatCount } from "../src/values/counts.ts";
import { newUuid } from "../src/values/uuid.ts";
import type { AnyCommand, Reason } from "../src/console/kit/commands/command.ts";
import { defineCommand } from "../src/console/kit/commands/command.ts";
import type { Context } from "../src/console/kit/commands/context.ts";
import type { BulkOutcome, Services } from "../src/console/kit/commands/services.ts";
import { unmark } from "../src/console/kit/commands/unmark.ts";
import { failureText, problemText } from "./transactions/rows.ts";

/** Callbacks of one request, and of one act on marked ones. */
const [sliceOf, mostMarked] = [50, 200];
/** What is offered at first: those of the last day. */
const lastDay = "-24h";

const whyNot = ({ status }: MerchantCallback): Reason | null =>
  status === "superseded" || status === "cancelled" ? "merchant-callback.refuse.replaced" : null;

const labelOf = ({ uuid, txn_no, merchant_code }: MerchantCallback) => ({ id: uuid, label: `${txn_no} · ${merchant_code}` });

/** Sends these again; answers what became of each. */
async function send(rows: readonly MerchantCallback[], services: Services): Promise<BulkOutcome[]> {
  const body = { rows: rows.map(({ uuid, version }) => ({ uuid, version })) };
  try {
    const { data } = await services.call(routes.resendCallbacks, { body }, { idempotencyKey: newUuid(), quiet: true });
    services.changed(
      "merchant-callback",
      data.outcomes.map((outcome) => (outcome.done ? outcome.row : { uuid: outcome.uuid })),
    );
    return data.outcomes.map((outcome) =>
      outcome.done ? { id: outcome.uuid, done: true } : { id: outcome.uuid, done: false, why: problemText(services, outcome.problem) },
    );
  } catch (error) {
    return rows.map(({ uuid }) => ({ id: uuid, done: false, why: failureText(services, error) }));
  }
}

/** One is sent at once; of several it is said first how many they are. */
async function resend(rows: readonly MerchantCallback[], services: Services, { pane }: Context): Promise<void> {
  const able = rows.filter((row) => whyNot(row) === null);
  const taken = able.slice(0, mostMarked);
  const [first] = taken;
  if (rows.length === 1 && first !== undefined) {
    const [outcome] = await send([first], services);
    if (outcome?.done === true) services.say("merchant-callback.said.sent", { id: first.txn_no, merchant: first.merchant_code }, "done");
    else if (outcome)
      services.toast("merchant-callback.said.not-sent", "merchant-callback.said.why", { id: first.txn_no, why: outcome.why }, "fail");
    return;
  }
  const slices = Array.from({ length: Math.ceil(taken.length / sliceOf) }, (_, at) => taken.slice(at * sliceOf, (at + 1) * sliceOf));
  const left = (row: MerchantCallback) =>
    services.text(whyNot(row) === null ? "merchant-callback.left-out.most" : "merchant-callback.refuse.replaced", { count: mostMarked });
  const done = new Set<string>();
  async function sendSlice(slice: readonly MerchantCallback[]): ReturnType<typeof send> {
    const outcomes = await send(slice, services);
    for (const outcome of outcomes) if (outcome.done) done.add(outcome.id);
    return outcomes;
  }
  await services.ask("bulk", {
    title: "merchant-callback.ask.resend",
    words: { count: taken.length },
    facts: [
      { label: "merchant-callback.fact.count", value: formatCount(taken.length) },
      { label: "merchant-callback.fact.merchants", value: formatCount(new Set(taken.map(({ merchant_uuid }) => merchant_uuid)).size) },
    ],
    slices: slices.map((slice) => ({ rows: slice.map(labelOf), send: () => sendSlice(slice) })),
    skipped: rows.filter((row) => !taken.includes(row)).map((row) => ({ ...labelOf(row), why: left(row) })),
  });
  if (pane?.grid) unmark(pane.grid, done);
}

/** The code of the one merchant the list is filtered by, "" where it is of all; null where it is of some, or of all but some. */
function merchantAsked({ pane }: Context): string | null {
  const filter = pane?.list?.exports?.asked().query["filter[merchant_code]"] ?? "";
  const asked = readAsked(filter);
  if (filter === "") return "";
  return asked !== null && isSole(asked) ? (asked.of[0] ?? null) : null;
}

/** Asks since when, says how many these are, and sends them again. */
async function resendFailed(services: Services, zone: number, code: string): Promise<void> {
  const instantOf = (typed: string) =>
    readMoment(
      plainMoment(typed, (word) => services.text(`moment.${word}`)),
      Date.now(),
      zone,
    );
  const typed = await services.ask("text", {
    title: "merchant-callback.ask.since",
    words: {},
    initial: lastDay,
    maximum: 40,
    hint: "form.moment.type",
    refuse: (text) => (instantOf(text) === null ? { key: "list.said.filter-unreadable", words: { text } } : null),
  });
  const moment = typed === null ? null : instantOf(typed);
  if (typed === null || moment === null) return;
  const asked = { since: new Date(moment.from).toISOString(), ...(code !== "" && { merchant_code: code }) };
  const { data } = await services.call(routes.countFailedCallbacks, { query: asked });
  const { count, merchants, disabled, unaddressed } = data;
  if (count === 0) return services.say("merchant-callback.said.none-failed", {}, "warn");
  const sure = await services.ask("preview", {
    title: "merchant-callback.ask.failed",
    words: { count: Math.min(count, mostResent) },
    facts: [
      { label: "merchant-callback.fact.count", value: formatCount(Math.min(count, mostResent)) },
      { label: "merchant-callback.fact.merchants", value: formatCount(merchants) },
    ],
    lines: [],
    notes: [
      ...(code === "" ? [] : [services.text("merchant-callback.note.merchant", { code })]),
      ...(count > mostResent
        ? [services.text("merchant-callback.note.left", { count: count - mostResent, most: formatCount(mostResent) })]
        : []),
      ...(disabled > 0 ? [services.text("merchant-callback.note.disabled", { count: disabled })] : []),
      ...(unaddressed > 0 ? [services.text("merchant-callback.note.unaddressed", { count: unaddressed })] : []),
    ],
    skipped: [],
    yes: "merchant-callback.ask.failed-yes",
  });
  if (sure !== true) return;
  const answer = await services.call(routes.resendFailedCallbacks, { body: asked }, { idempotencyKey: newUuid() });
  services.say("merchant-callback.said.failed-sent", { count: answer.data.sent }, "done");
}

/** Commands that only callbacks have. */
export const merchantCallbackCommands: readonly AnyCommand[] = [
  // No key, so that nobody does it by mistake.
  defineCommand({
    id: "merchant-callback.resend",
    scope: "pane",
    subject: "merchant-callback",
    takes: "many",
    careful: true,
    permission: routes.resendCallbacks.permission,
    refuse: (rows) => (rows.every((row) => whyNot(row) !== null) ? "merchant-callback.refuse.replaced" : null),
    run: resend,
  }),
  defineCommand({
    id: "merchant-callback.resend-failed",
    scope: "screen",
    screen: "merchant-callbacks",
    desk: "list",
    subject: null,
    takes: "none",
    careful: true,
    hint: true,
    permission: routes.resendFailedCallbacks.permission,
    keys: ["Shift+a"],
    refuse: (_, context) => (merchantAsked(context) === null ? "merchant-callback.refuse.one-merchant" : null),
    run: (_, services, context) => resendFailed(services, services.workplace(context.pane?.id ?? "").zone, merchantAsked(context) ?? ""),
  }),
];
