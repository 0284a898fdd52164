import { Refusal } from "../../contract/problems.ts";
import type { Database } from "../db/scope.ts";
import type { Waiter } from "./gate.ts";
import { passwordGate } from "./passwords.ts";
import { countIn, countsOf } from "./throttle.ts";

const quarterHour = 15 * 60;
const hour = 60 * 60;

interface Guess {
  readonly waiter: Waiter;
  /** Throttle key → failures in a quarter of an hour after which the next guess is refused. */
  readonly limits: Readonly<Record<string, number>>;
  /** Throttle key of what failures slow down and never close, whoever made them. */
  readonly slowed?: string;
}

const [freeFailures, firstDelay, longestDelay] = [10, 250, 4_000];

/** Milliseconds a guess waits after so many failures within an hour: none at first, then twice as long each time, four seconds at most. */
export const delayAfter = (failures: number): number =>
  failures < freeFailures ? 0 : Math.min(longestDelay, firstDelay * 2 ** (failures - freeFailures));

let slowedSoFar = 0;
/** Guesses of this process that were made to wait. */
export const slowedGuesses = (): number => slowedSoFar;

/**
 * Runs a guess at a password in its turn at the gate; `work` answers null for a wrong one. Failures alone count: any number of right
 * ones may come at once. What they have come to is looked at before a place is taken, and again in the turn, since those ahead may
 * have failed. The delay comes before the guess, so that hanging up early tells nothing. Throws login.throttled, login.busy.
 */
export async function guess<T>(database: Database, { waiter, limits, slowed }: Guess, work: () => Promise<T | null>): Promise<T | null> {
  const keys = [...Object.keys(limits), ...(slowed === undefined ? [] : [slowed])];
  let waited = 0;
  /** What is still to be waited. */
  const owed = async (): Promise<number> => {
    const counts = await countsOf(database, keys);
    if (Object.entries(limits).some(([key, most]) => (counts.get(key) ?? 0) >= most)) throw new Refusal("login.throttled");
    return delayAfter(slowed === undefined ? 0 : (counts.get(slowed) ?? 0)) - waited;
  };
  for (;;) {
    for (let wait = await owed(); wait > 0; wait = await owed()) {
      if (waited === 0) slowedSoFar += 1;
      await pause(wait, waiter.gone);
      waited += wait;
    }
    const outcome = await passwordGate.run(waiter, async () => {
      if ((await owed()) > 0) return "owes";
      const result = await work();
      if (result === null) {
        await Promise.all([
          countIn(database, Object.keys(limits), quarterHour),
          ...(slowed === undefined ? [] : [countIn(database, [slowed], hour)]),
        ]);
      }
      return { result };
    });
    if (outcome !== "owes") return outcome.result;
  }
}

/** Ends early, with login.busy, when the client has gone. */
async function pause(milliseconds: number, gone: AbortSignal | undefined): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, milliseconds);
  gone?.addEventListener("abort", () => resolve(), { once: true });
  if (gone?.aborted) resolve();
  await promise;
  clearTimeout(timer);
  if (gone?.aborted) throw new Refusal("login.busy");
}
