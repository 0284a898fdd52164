import type { Withdrawal } from "../src/contract/withdrawals.ts";
import type { MessageKey } from "../src/console/kit/messages.ts";
import type { CallOptions, Services } from "../src/console/kit/services.ts";
import { newUuid } from "../src/values/uuid.ts";
import { problemText, shortId } from "./withdrawal-rules.ts";

type Problem = { readonly code: string; readonly message: string };
export type Outcome =
  | { readonly uuid: string; readonly done: true; readonly row: Withdrawal }
  | { readonly uuid: string; readonly done: false; readonly problem: Problem };

export const ref = ({ uuid, version }: Withdrawal) => ({ uuid, version });

/** Keys of intents that got no answer: the same intent formed again is sent under the same key, so that it counts once. */
const unanswered = new Map<string, string>();

export interface Intent {
  readonly name: string;
  readonly key: string;
}

/** An act on rows as they were seen; made when the operator decides, before anything is asked or sent. */
export function intend(act: string, rows: readonly Withdrawal[]): Intent {
  const name = `${act} ${rows.map(({ uuid, version }) => `${uuid}@${version}`).join()}`;
  return { name, key: unanswered.get(name) ?? newUuid() };
}

function wasAnswered(error: unknown): boolean {
  const status = typeof error === "object" && error !== null && "status" in error ? error.status : null;
  return typeof status === "number" && status > 0 && status < 500;
}

export async function keyed<T>(intent: Intent, send: (options: CallOptions) => Promise<T>, options: CallOptions = {}): Promise<T> {
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
export function only(outcomes: readonly Outcome[]): Outcome {
  const [outcome] = outcomes;
  if (outcome === undefined) throw new Error("an act on one row answered for none");
  return outcome;
}

/** Takes changed rows over, and has rows of a refused act looked at again. */
export function spread(services: Services, outcomes: readonly Outcome[]): void {
  services.changed(
    "withdrawal",
    outcomes.map((outcome) => (outcome.done ? outcome.row : { uuid: outcome.uuid })),
  );
}

export function sayRefused(services: Services, row: Withdrawal, problem: Problem): void {
  services.say("withdrawal.said.refused", { id: shortId(row), why: problemText(services, problem) }, "fail");
}

/** Not tried because the time of its request was over: it may be sent again as it is. */
export const isLeft = (outcome: Outcome): boolean => !outcome.done && outcome.problem.code === "request.not-tried";

/** What was done to one or many, and how many were refused with the first reason. */
export function sayDone(services: Services, rows: readonly Withdrawal[], outcomes: readonly Outcome[], done: MessageKey): void {
  const succeeded = outcomes.filter((outcome) => outcome.done).length;
  const left = outcomes.filter(isLeft).length;
  const refused = outcomes.find((outcome) => !outcome.done && !isLeft(outcome));
  const [first] = rows;
  if (left > 0) {
    services.say("sheet.bulk.summary", { done: succeeded, failed: outcomes.length - succeeded - left, skipped: left }, "warn");
    return;
  }
  if (first !== undefined && succeeded > 0)
    services.say(done, rows.length === 1 ? { count: 1, id: shortId(first) } : { count: succeeded, id: String(succeeded) }, "done");
  if (refused === undefined || refused.done) return;
  const row = rows.find(({ uuid }) => uuid === refused.uuid);
  if (rows.length === 1 && row !== undefined) return sayRefused(services, row, refused.problem);
  services.say("withdrawal.said.some-refused", { count: outcomes.length - succeeded, why: problemText(services, refused.problem) }, "fail");
}
