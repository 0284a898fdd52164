import type { Route } from "../src/contract/route.ts";
import type { PayingAccount } from "../src/contract/transactions.ts";
import type { Withdrawal } from "../src/contract/withdrawals.ts";
import { withdrawalRoutes } from "../src/contract/withdrawals.ts";
import type { Reason } from "../src/console/kit/command.ts";
import type { Context } from "../src/console/kit/context.ts";
import type { MessageKey } from "../src/console/kit/messages.ts";
import type { CallOptions, Questions, Services } from "../src/console/kit/services.ts";
import { formatAmount, groupAmounts, money, moneyText } from "../src/values/money.ts";
import { newUuid } from "../src/values/uuid.ts";
import { awaitsSecond, bulkLimit, isFree, leftOutOfBulk, moneyOf, problemText, shortId, worded } from "./withdrawal-rules.ts";
import type { Rows } from "./withdrawal-rules.ts";

type Problem = { readonly code: string; readonly message: string };
export type Outcome =
  | { readonly uuid: string; readonly done: true; readonly row: Withdrawal }
  | { readonly uuid: string; readonly done: false; readonly problem: Problem };

const ref = ({ uuid, version }: Withdrawal) => ({ uuid, version });

// ── intents ──

/** Keys of intents that got no answer: the same intent formed again is sent under the same key, so that it counts once. */
const unanswered = new Map<string, string>();

interface Intent {
  readonly name: string;
  readonly key: string;
}

/** An act on rows as they were seen; made when the operator decides, before anything is asked or sent. */
function intend(act: string, rows: readonly Withdrawal[]): Intent {
  const name = `${act} ${rows.map(({ uuid, version }) => `${uuid}@${version}`).join()}`;
  return { name, key: unanswered.get(name) ?? newUuid() };
}

function wasAnswered(error: unknown): boolean {
  const status = typeof error === "object" && error !== null && "status" in error ? error.status : null;
  return typeof status === "number" && status > 0 && status < 500;
}

async function keyed<T>(intent: Intent, send: (options: CallOptions) => Promise<T>, options: CallOptions = {}): Promise<T> {
  unanswered.set(intent.name, intent.key);
  try {
    const answer = await send({ ...options, idempotencyKey: intent.key });
    unanswered.delete(intent.name);
    return answer;
  } catch (error) {
    if (wasAnswered(error)) unanswered.delete(intent.name);
    throw error;
  }
}

/** The outcome of the one row that was sent. */
function only(outcomes: readonly Outcome[]): Outcome {
  const [outcome] = outcomes;
  if (outcome === undefined) throw new Error("an act on one row answered for none");
  return outcome;
}

// ── telling ──

/** Takes changed rows over, and has rows of a refused act looked at again. */
function spread(services: Services, outcomes: readonly Outcome[]): void {
  services.changed(
    "withdrawal",
    outcomes.map((outcome) => (outcome.done ? outcome.row : { uuid: outcome.uuid })),
  );
}

function sayRefused(services: Services, row: Withdrawal, problem: Problem): void {
  services.say("withdrawal.said.refused", { id: shortId(row), why: problemText(services, problem) }, "fail");
}

/** What was done to one or many, and how many were refused with the first reason. */
function sayDone(services: Services, rows: readonly Withdrawal[], outcomes: readonly Outcome[], done: MessageKey): void {
  const succeeded = outcomes.filter((outcome) => outcome.done).length;
  const refused = outcomes.find((outcome) => !outcome.done);
  const [first] = rows;
  if (first !== undefined && succeeded > 0)
    services.say(done, rows.length === 1 ? { count: 1, id: shortId(first) } : { count: succeeded, id: String(succeeded) }, "done");
  if (refused === undefined || refused.done) return;
  const row = rows.find(({ uuid }) => uuid === refused.uuid);
  if (rows.length === 1 && row !== undefined) return sayRefused(services, row, refused.problem);
  services.say("withdrawal.said.some-refused", { count: outcomes.length - succeeded, why: problemText(services, refused.problem) }, "fail");
}

// ── approving ──

interface Approval {
  readonly account?: string;
  readonly confirmed?: true;
}

const confirmation = (row: Withdrawal) => ({ amount: row.amount, holder: row.holder });

/** The row as the approval must find it: a free one is claimed first. */
async function held(row: Withdrawal, services: Services, options: CallOptions = {}): Promise<Outcome> {
  if (!isFree(row)) return { uuid: row.uuid, done: true, row };
  const { data } = await services.call(withdrawalRoutes.claimWithdrawals, { body: { rows: [ref(row)] } }, options);
  return only(data.outcomes);
}

async function sendApproval(
  row: Withdrawal,
  intent: Intent,
  approval: Approval,
  services: Services,
  options: CallOptions = {},
): Promise<Outcome> {
  const { call } = services;
  if (awaitsSecond(row)) {
    const body = { rows: [{ ...ref(row), confirmed: confirmation(row) }] };
    return only((await keyed(intent, (all) => call(withdrawalRoutes.secondApproveWithdrawals, { body }, all), options)).data.outcomes);
  }
  const { account } = approval;
  const body = {
    rows: [
      {
        ...ref(row),
        ...(account !== undefined && { payment_account: account }),
        ...(approval.confirmed && { confirmed: confirmation(row) }),
      },
    ],
  };
  return only((await keyed(intent, (all) => call(withdrawalRoutes.approveWithdrawals, { body }, all), options)).data.outcomes);
}

async function confirmed(row: Withdrawal, services: Services): Promise<boolean> {
  const second = awaitsSecond(row);
  const notes = [
    ...(row.flags.length > 0
      ? [services.text("withdrawal.ask.flags", { flags: row.flags.map((flag) => services.text(`withdrawal.flag.${flag}`)).join(", ") })]
      : []),
    ...(second ? [services.text("withdrawal.ask.first-by", { name: row.first_approved_by?.name ?? "" })] : []),
    ...(!second && row.tier === 3 ? [services.text("withdrawal.ask.second-needed")] : []),
  ];
  const asked = {
    title: second ? "withdrawal.ask.second" : "withdrawal.ask.approve",
    words: { id: shortId(row) },
    amount: formatAmount(row.amount),
    currency: row.currency,
    payee: row.holder,
    account: services.text("withdrawal.ask.account", { bank: row.bank, number: row.account_number }),
    notes,
  } as const;
  return (await services.ask("money", asked)) === true;
}

function offerRecall(row: Withdrawal, services: Services, context: Context): boolean {
  const seconds = context.pane?.desk?.settings.recall_seconds ?? 0;
  if (row.status !== "approved" || row.recallable_until === null || seconds === 0) return false;
  services.pushUndo({
    id: `recall ${row.uuid}`,
    text: "withdrawal.undo.approved",
    words: { id: shortId(row), amount: moneyOf(row) },
    until: performance.now() + seconds * 1000,
    back: () => recall(row, services),
  });
  return true;
}

function sayApproved(row: Withdrawal, services: Services, context: Context): void {
  const words = { id: shortId(row), amount: moneyOf(row) };
  if (row.status === "process") return services.say("withdrawal.said.first-approved", words, "done");
  const undoable = offerRecall(row, services, context);
  const left = context.pane?.desk?.left([row.uuid]) ?? null;
  if (left === null) return services.say(undoable ? "withdrawal.said.approved-undo" : "withdrawal.said.approved", words, "done");
  services.say(undoable ? "withdrawal.said.approved-left-undo" : "withdrawal.said.approved-left", { ...words, count: left }, "done");
}

export async function approveOne(row: Withdrawal, services: Services, context: Context, account?: string): Promise<void> {
  const intent = intend("approve", [row]);
  const approval: Approval = account === undefined ? {} : { account };
  let sure = false;
  if (row.tier > 1 || awaitsSecond(row)) {
    if (!(await confirmed(row, services))) return;
    sure = true;
  }
  const claim = await held(row, services);
  if (!claim.done) {
    sayRefused(services, row, claim.problem);
    return spread(services, [claim]);
  }
  let outcome = await sendApproval(claim.row, intent, sure ? { ...approval, confirmed: true } : approval, services);
  // a check that turned to a warning meanwhile raised the tier
  if (!outcome.done && !sure && outcome.problem.code === "withdrawal.confirm-needed") {
    if (!(await confirmed(claim.row, services))) return spread(services, [outcome]);
    outcome = await sendApproval(claim.row, intend("approve", [claim.row]), { ...approval, confirmed: true }, services);
  }
  if (outcome.done) sayApproved(outcome.row, services, context);
  else sayRefused(services, row, outcome.problem);
  spread(services, [outcome]);
}

/** The suggestion, then what else may pay, then what may not. */
const byUse = (a: PayingAccount, b: PayingAccount): number =>
  Number(b.suggested) - Number(a.suggested) || Number(a.unfit !== null) - Number(b.unfit !== null);

/** Lets the operator choose the paying account; those that may not pay say why. */
export async function approveWith(row: Withdrawal, services: Services, context: Context): Promise<void> {
  const accounts =
    context.pane?.desk?.accounts(row.uuid) ??
    (await services.call(withdrawalRoutes.readWithdrawal, { params: { uuid: row.uuid } })).data.accounts;
  const account = await services.ask("choice", {
    title: "withdrawal.ask.account-choice",
    words: { id: shortId(row), amount: moneyOf(row) },
    options: accounts.toSorted(byUse).map(({ uuid, code, holder, unfit, balance_after, suggested }) => ({
      id: uuid,
      label: `${code} ${holder}`,
      note: services.text(suggested ? "withdrawal.ask.after-suggested" : "withdrawal.ask.after", { amount: formatAmount(balance_after) }),
      refused: unfit === null ? null : services.text(`unfit.${unfit.code}`, groupAmounts(unfit.values)),
    })),
  });
  if (account !== null) await approveOne(row, services, context, account);
}

export async function recall(row: Withdrawal, services: Services): Promise<void> {
  const intent = intend("recall", [row]);
  const { data } = await keyed(intent, (all) => services.call(withdrawalRoutes.recallWithdrawals, { body: { rows: [ref(row)] } }, all));
  spread(services, data.outcomes);
  sayDone(services, [row], data.outcomes, "withdrawal.said.recalled");
}

// ── bulk ──

type BulkAct = (row: Withdrawal) => Promise<Outcome>;

const why = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Puts the facts before the operator, then acts row by row; what failed stays marked. */
async function bulk(
  rows: Rows,
  against: (row: Withdrawal, context: Context) => Reason | null,
  act: BulkAct,
  texts: { title: MessageKey; words?: Record<string, string> },
  services: Services,
  context: Context,
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
      ...(matching > rows.length ? [{ label: "withdrawal.fact.matching" as const, value: matching.toLocaleString("en-US") }] : []),
      { label: "withdrawal.fact.sum", value: `${formatAmount(sumOf(taken))} ${first.currency}` },
      { label: "withdrawal.fact.largest", value: `${moneyOf(largest)} · ${shortId(largest)}` },
      { label: "withdrawal.fact.oldest", value: `${context.pane?.desk?.age(oldest) ?? ""} · ${shortId(oldest)}` },
    ],
    rows: taken.map(label),
    skipped,
    async act(id) {
      const row = taken.find(({ uuid }) => uuid === id);
      if (row === undefined) return { done: false, why: services.text("failure.unknown") };
      try {
        const outcome = await act(row);
        if (!outcome.done) return { done: false, why: problemText(services, outcome.problem) };
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

export async function approveMany(rows: Rows, services: Services, context: Context): Promise<void> {
  const intents = new Map(rows.map((row) => [row.uuid, intend("approve", [row])]));
  const act: BulkAct = async (row) => {
    const claim = await held(row, services, { quiet: true });
    if (!claim.done) return claim;
    const outcome = await sendApproval(claim.row, intents.get(row.uuid) ?? intend("approve", [row]), {}, services, { quiet: true });
    if (outcome.done) offerRecall(outcome.row, services, context);
    return outcome;
  };
  const done = await bulk(rows, leftOutOfBulk, act, { title: "withdrawal.ask.approve-many" }, services, context);
  if (done.length > 0)
    services.say(
      "withdrawal.said.approved-many",
      { count: done.length, amount: `${formatAmount(sumOf(done))} ${rows[0].currency}` },
      "done",
    );
}

// ── rejecting ──

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
    presets: presets.map(({ code, text }) => ({ code, text: text ?? services.text(`reason.${code}` as MessageKey) })), // the tenant's own codes carry a text
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

/** Acts on all rows it can take in one call, at most `bulkLimit`. */
export async function plain(
  route: PlainRoute & Route,
  rows: Rows,
  against: (row: Withdrawal, context: Context) => Reason | null,
  done: MessageKey,
  services: Services,
  context: Context,
): Promise<void> {
  const able = rows.filter((row) => against(row, context) === null).slice(0, bulkLimit);
  const { data } = await services.call(route, { body: { rows: able.map(ref) } });
  sayDone(services, able, data.outcomes, done);
  spread(services, data.outcomes);
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
