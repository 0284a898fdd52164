import { Refusal } from "../../contract/problems.ts";
import type { Database } from "../db/scope.ts";
import type { Waiter } from "./gate.ts";
import { passwordGate } from "./passwords.ts";
import { addToCounts, countsOf } from "./throttle.ts";

const quarterHour = 15 * 60;
const hour = 60 * 60;

interface Guess {
  readonly waiter: Waiter;
  /** Throttle key → failures within a quarter of an hour after which further guesses are refused. */
  readonly limits: Readonly<Record<string, number>>;
  /** Throttle key of an account whose failures, from any address, delay guesses but never refuse them. */
  readonly slowed?: string;
}

const [freeFailures, firstDelay, longestDelay] = [10, 250, 4_000];

/** Delay of a guess in ms after so many failures within an hour: none at first, then doubling up to four seconds. */
export const delayAfter = (failures: number): number =>
  failures < freeFailures ? 0 : Math.min(longestDelay, firstDelay * 2 ** (failures - freeFailures));

let slowedSoFar = 0;
/** Guesses delayed by this process. */
export const slowedGuesses = (): number => slowedSoFar;

/**
 * Runs a guess at a password in its turn at the gate; `work` answers null for a wrong one. Only failures count, so any number of right
 * guesses can run at once. The limits are checked before queueing and again in the turn, because guesses ahead may have failed. The delay
 * comes before the guess, so that disconnecting early reveals nothing. Throws login.throttled, login.busy.
 */
export async function guess<T>(database: Database, { waiter, limits, slowed }: Guess, work: () => Promise<T | null>): Promise<T | null> {
  const keys = [...Object.keys(limits), ...(slowed === undefined ? [] : [slowed])];
  let waited = 0;
  /** Ms still to wait. */
  const remainingDelay = async (): Promise<number> => {
    const counts = await countsOf(database, keys);
    if (Object.entries(limits).some(([key, most]) => (counts.get(key) ?? 0) >= most)) throw new Refusal("login.throttled");
    return delayAfter(slowed === undefined ? 0 : (counts.get(slowed) ?? 0)) - waited;
  };
  for (;;) {
    for (let wait = await remainingDelay(); wait > 0; wait = await remainingDelay()) {
      if (waited === 0) slowedSoFar += 1;
      await pause(wait, waiter.gone);
      waited += wait;
    }
    const outcome = await passwordGate.run(waiter, async () => {
      if ((await remainingDelay()) > 0) return "delayed";
      const result = await work();
      if (result === null) {
        await Promise.all([
          addToCounts(database, Object.keys(limits), quarterHour),
          ...(slowed === undefined ? [] : [addToCounts(database, [slowed], hour)]),
        ]);
      }
      return { result };
    });
    if (outcome !== "delayed") return outcome.result;
  }
}

/** Rejects with login.busy when the client disconnects. */
async function pause(milliseconds: number, gone: AbortSignal | undefined): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, milliseconds);
  gone?.addEventListener("abort", () => resolve(), { once: true });
  if (gone?.aborted) resolve();
  await promise;
  clearTimeout(timer);
  if (gone?.aborted) throw new Refusal("login.busy");
}
