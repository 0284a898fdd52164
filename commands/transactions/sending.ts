import type { Outcome } from "../../src/contract/decisions.ts";
import type { SubjectName } from "../../src/contract/index.ts";
import type { CallOptions, Services } from "../../src/console/kit/commands/services.ts";
import type { MessageKey } from "../../src/console/kit/texts/messages.ts";
import { newUuid } from "../../src/values/uuid.ts";
import type { Moved } from "./rows.ts";
import { problemText, shortId } from "./rows.ts";

type Problem = Extract<Outcome<never>, { done: false }>["problem"];
type Versioned = Pick<Moved, "uuid" | "version">;

export const ref = ({ uuid, version }: Versioned) => ({ uuid, version });

/** Rows one request takes: it is answered before its time is over. */
export const sliceOf = 20;

export interface Intent {
  readonly act: string;
  /** Each row as it was seen: its id and version. */
  readonly rows: readonly string[];
  readonly key: string;
}

/** Intents that got no answer: the same intent formed again is sent under the same key, so that it counts once. */
const unanswered = new Map<string, Intent>();

const versionOf = ({ uuid, version }: Versioned): string => `${uuid}@${version}`;

const nameOf = ({ act, rows }: Omit<Intent, "key">): string => `${act} ${rows.join()}`;

/** An act on rows as they were seen; made when the operator decides, before anything is asked or sent. */
export function intend(act: string, rows: readonly Versioned[]): Intent {
  const intended = { act, rows: rows.map(versionOf) };
  return { ...intended, key: unanswered.get(nameOf(intended))?.key ?? newUuid() };
}

function wasAnswered(error: unknown): boolean {
  const status = typeof error === "object" && error !== null && "status" in error ? error.status : null;
  return typeof status === "number" && status > 0 && status < 500;
}

export async function keyed<T>(intent: Intent, send: (options: CallOptions) => Promise<T>, options: CallOptions = {}): Promise<T> {
  const name = nameOf(intent);
  unanswered.set(name, intent);
  try {
    const answer = await send({ ...options, idempotencyKey: intent.key });
    unanswered.delete(name);
    return answer;
  } catch (error) {
    if (wasAnswered(error)) unanswered.delete(name);
    throw error;
  }
}

/**
 * The rows as requests take them. Rows that went out together and got no answer go out together again, because only the same request
 * under the same key finds what was done of it.
 */
export function slicesOf<Row extends Versioned>(act: string, rows: readonly Row[]): readonly (readonly Row[])[] {
  const rest = new Map(rows.map((row) => [versionOf(row), row]));
  const slices: Row[][] = [];
  for (const lost of unanswered.values()) {
    const again = lost.act === act ? lost.rows.flatMap((name) => rest.get(name) ?? []) : [];
    if (again.length === 0 || again.length < lost.rows.length) continue;
    for (const name of lost.rows) rest.delete(name);
    slices.push(again);
  }
  const fresh = [...rest.values()];
  for (let from = 0; from < fresh.length; from += sliceOf) slices.push(fresh.slice(from, from + sliceOf));
  return slices;
}

/** The outcome of the one row that was sent. */
export function only<Row extends Moved>(outcomes: readonly Outcome<Row>[]): Outcome<Row> {
  const [outcome] = outcomes;
  if (outcome === undefined) throw new Error("an act on one row answered for none");
  return outcome;
}

/** Takes changed rows over, and has rows of a refused act looked at again. */
export function spread<Row extends Moved>(services: Services, subject: SubjectName, outcomes: readonly Outcome<Row>[]): void {
  services.changed(
    subject,
    outcomes.map((outcome) => (outcome.done ? outcome.row : { uuid: outcome.uuid })),
  );
}

export function sayRefused(services: Services, row: Pick<Moved, "txn_no">, problem: Problem): void {
  services.say("transaction.said.refused", { id: shortId(row), why: problemText(services, problem) }, "fail");
}

/** Not tried because the time of its request was over: it may be sent again as it is. */
export const isLeft = <Row extends Moved>(outcome: Outcome<Row>): boolean => !outcome.done && outcome.problem.code === "request.not-tried";

/** What was done to one or many, and how many were refused with the first reason. */
export function sayDone<Row extends Moved>(
  services: Services,
  rows: readonly Row[],
  outcomes: readonly Outcome<Row>[],
  done: MessageKey,
): void {
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
  services.say(
    "transaction.said.some-refused",
    { count: outcomes.length - succeeded, why: problemText(services, refused.problem) },
    "fail",
  );
}
