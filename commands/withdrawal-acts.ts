import type { Route } from "../src/contract/route.ts";
import type { Withdrawal } from "../src/contract/withdrawals.ts";
import { withdrawalRoutes } from "../src/contract/withdrawals.ts";
import type { Reason } from "../src/console/kit/command.ts";
import type { Context } from "../src/console/kit/context.ts";
import type { MessageKey } from "../src/console/kit/messages.ts";
import { reasonPresets } from "../src/console/kit/reason-presets.ts";
import type { CallOptions, Services } from "../src/console/kit/services.ts";
import { bulk } from "./withdrawal-bulk.ts";
import { bulkLimit, moneyOf, shortId } from "./withdrawal-rules.ts";
import type { Rows } from "./withdrawal-rules.ts";
import { intend, keyed, only, ref, sayDone, sayRefused, spread } from "./withdrawal-sending.ts";
import type { Outcome } from "./withdrawal-sending.ts";

/** One reason for all. */
export async function reject(
  rows: Rows,
  against: (row: Withdrawal, context: Context) => Reason | null,
  services: Services,
  context: Context,
): Promise<void> {
  const intents = new Map(rows.map((row) => [row.uuid, intend("reject", [row])]));
  const presets = context.pane?.desk?.settings.reject_reasons ?? [];
  const [first] = rows;
  const reason = await services.ask("reason", {
    title: rows.length === 1 ? "withdrawal.ask.reject" : "withdrawal.ask.reject-many",
    words: { id: shortId(first), amount: moneyOf(first), payee: first.holder, count: rows.length },
    presets: reasonPresets(presets, services),
  });
  if (reason === null) return;
  const named = presets.find(({ code }) => code === reason.code);
  const spoken = reason.text ?? named?.text ?? services.text(`reason.${reason.code}` as MessageKey);
  const send = async (row: Withdrawal, options: CallOptions = {}): Promise<Outcome> => {
    const intent = intents.get(row.uuid) ?? intend("reject", [row]);
    const body = { rows: [ref(row)], reason };
    const { data } = await keyed(intent, (all) => services.call(withdrawalRoutes.rejectWithdrawals, { body }, all), options);
    return only(data.outcomes);
  };
  if (rows.length > 1) {
    const done = await bulk(
      rows,
      against,
      (row) => send(row, { quiet: true }),
      { title: "withdrawal.ask.reject-run", words: { reason: spoken } },
      services,
      context,
    );
    if (done.length > 0) services.say("withdrawal.said.rejected-many", { count: done.length }, "done");
    return;
  }
  const outcome = await send(first);
  if (outcome.done) services.say("withdrawal.said.rejected", { id: shortId(first), amount: moneyOf(first), reason: spoken }, "done");
  else sayRefused(services, first, outcome.problem);
  spread(services, [outcome]);
}

// ── the rest: no money moves ──

type PlainRoute = (typeof withdrawalRoutes)["claimWithdrawals" | "releaseWithdrawals" | "deferWithdrawals" | "sendWithdrawalCallbacks"];

/** Rows one request takes: it is answered before its time is over. */
const sliceOf = 20;

/** Acts on all rows it can take, at most `bulkLimit`, a slice a request; more than one slice shows how far it is and can be stopped. */
export async function plain(
  route: PlainRoute & Route,
  rows: Rows,
  against: (row: Withdrawal, context: Context) => Reason | null,
  texts: { title: MessageKey; done: MessageKey },
  services: Services,
  context: Context,
): Promise<void> {
  const able = rows.filter((row) => against(row, context) === null).slice(0, bulkLimit);
  const send = async (slice: readonly Withdrawal[], options: CallOptions): Promise<readonly Outcome[]> => {
    const body = { rows: slice.map(ref) };
    return (await keyed(intend(route.path, slice), (all) => services.call(route, { body }, all), options)).data.outcomes;
  };
  if (able.length <= sliceOf) {
    const outcomes = await send(able, {});
    sayDone(services, able, outcomes, texts.done);
    spread(services, outcomes);
    return;
  }
  const sent = new Map<string, Promise<readonly Outcome[]>>();
  const act = async (row: Withdrawal): Promise<Outcome> => {
    let answer = sent.get(row.uuid);
    if (answer === undefined) {
      const from = able.indexOf(row);
      const slice = able.slice(from, from + sliceOf);
      answer = send(slice, { quiet: true });
      for (const { uuid } of slice) sent.set(uuid, answer);
    }
    return only((await answer).filter(({ uuid }) => uuid === row.uuid));
  };
  await bulk(rows, against, act, { title: texts.title }, services, context, (id) => sent.has(id));
}

export async function takeOver(row: Withdrawal, services: Services): Promise<void> {
  const reason = await services.ask("text", {
    title: "withdrawal.ask.take-over",
    words: { id: shortId(row), name: row.claim?.name ?? "" },
    initial: "",
    maximum: 500,
  });
  if (reason === null) return;
  const text = reason.trim();
  const { data } = await services.call(withdrawalRoutes.takeOverWithdrawals, {
    body: { rows: [ref(row)], ...(text !== "" && { reason: text }) },
  });
  sayDone(services, [row], data.outcomes, "withdrawal.said.taken-over");
  spread(services, data.outcomes);
}

/** By the second person, who must say why. */
export async function handBack(row: Withdrawal, services: Services): Promise<void> {
  const intent = intend("hand-back", [row]);
  const reason = await services.ask("text", {
    title: "withdrawal.ask.hand-back",
    words: { id: shortId(row), name: row.first_approved_by?.name ?? "" },
    initial: "",
    maximum: 500,
    refuse: (typed) => (typed === "" ? "problem.reason.missing" : null),
  });
  if (reason === null) return;
  const body = { rows: [ref(row)], reason };
  const { data } = await keyed(intent, (all) => services.call(withdrawalRoutes.handBackWithdrawals, { body }, all));
  sayDone(services, [row], data.outcomes, "withdrawal.said.handed-back");
  spread(services, data.outcomes);
}

export async function remark(row: Withdrawal, services: Services): Promise<void> {
  const text = await services.ask("text", {
    title: "withdrawal.ask.remark",
    words: { id: shortId(row) },
    initial: row.remark ?? "",
    maximum: 1000,
  });
  if (text === null || text === (row.remark ?? "")) return;
  const { data } = await services.call(withdrawalRoutes.remarkWithdrawal, {
    params: { uuid: row.uuid },
    body: { version: row.version, remark: text },
  });
  services.say("withdrawal.said.remarked", { id: shortId(row) }, "done");
  services.changed("withdrawal", [data]);
}
