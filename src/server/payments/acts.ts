import type { ProblemCode } from "../../contract/problems.ts";
import { Refusal } from "../../contract/problems.ts";
import type { RowRef } from "../../contract/wire.ts";
import type { StaffCall } from "../call.ts";
import { sqlState } from "../db/errors.ts";
import type { Scoped } from "../db/scope.ts";
import type { Effect } from "../idempotency.ts";
import { once } from "../idempotency.ts";
import { problemOf } from "../texts.ts";

type Outcome<V> =
  | { readonly uuid: string; readonly done: true; readonly row: V }
  | { readonly uuid: string; readonly done: false; readonly problem: { message: string; code: string; status: number; data?: unknown } };

/** Payment accounts whose state an act changed, published after the commit. */
export type Touched = Set<string>;

/**
 * Runs an act on rows one after the other, each in its own transaction, under its own key and with its own outcome. Rows not begun when the
 * answer is due get request.not-tried, because nothing may run after the answer; repeating the request continues with them. Changes are
 * published after their commit, unless the rows have no event of their own. Only problems of the whole request (another request's key, a running twin, no database) fail it.
 * `ready` prepares a row in a transaction of its own before the act and answers its new version; its effect stays when the act itself is
 * refused.
 */
export async function onRows<R extends RowRef, V>(
  call: StaffCall,
  event: "withdraw" | "deposit" | "callback" | null,
  rows: readonly R[],
  act: (db: Scoped, ref: R, touched: Touched) => Promise<Effect<V>>,
  ready: (ref: R) => Promise<R> = async (ref) => ref,
): Promise<{ data: { outcomes: Outcome<V>[] } }> {
  const outcomes: Outcome<V>[] = [];
  const changed = new Set<string>();
  const touched: Touched = new Set();
  try {
    for (const [n, ref] of rows.entries()) {
      // the first row always runs, so that each repetition makes progress
      if (n > 0 && call.isDue()) {
        outcomes.push(refused(call, ref, new Refusal("request.not-tried")));
        continue;
      }
      try {
        const now = await ready(ref);
        if (now.version !== ref.version) changed.add(ref.uuid);
        outcomes.push({ uuid: ref.uuid, done: true, row: await retryOvertaken(() => once(call, ref.uuid, (db) => act(db, now, touched))) });
        changed.add(ref.uuid);
      } catch (error) {
        outcomes.push(refused(call, ref, refusalOfRow(error)));
      }
    }
  } finally {
    if (event !== null && changed.size > 0) call.deps.publisher.changed(call.tenant, event, [...changed]);
    if (touched.size > 0) call.deps.publisher.changed(call.tenant, "paymentAccount", [...touched]);
  }
  return { data: { outcomes } };
}

const refused = (call: StaffCall, { uuid }: RowRef, refusal: Refusal) =>
  ({ uuid, done: false, problem: { ...problemOf(refusal, call.language), status: refusal.status } }) as const;

/** The suggested account was used up between judging and posting: judge again. */
export class Overtaken extends Error {
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(refusal.code);
    this.name = "Overtaken";
    this.refusal = refusal;
  }
}

async function retryOvertaken<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Overtaken)) throw error;
      if (attempt === 4) throw new Refusal("request.busy");
    }
  }
}

const requestProblems: readonly ProblemCode[] = ["request.idempotency-mismatch", "request.in-progress", "request.idempotency-key-missing"];

function refusalOfRow(error: unknown): Refusal {
  if (error instanceof Refusal && !requestProblems.includes(error.code)) return error;
  // a lock time-out, or deadlocks after all retries: the row is unchanged
  if (["55P03", "40001", "40P01"].includes(sqlState(error) ?? "")) return new Refusal("request.busy");
  throw error;
}
