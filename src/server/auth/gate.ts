import { Refusal } from "../../contract/problems.ts";

/** Sign-ins ("stranger") wait apart from requests with a session ("known"). */
type Lane = "stranger" | "known";

export interface Waiter {
  readonly lane: Lane;
  /** Aborted when the client disconnects, so that no turn is spent on it. */
  readonly gone?: AbortSignal;
}

type Outcome = "done" | "refused" | "gone";

export interface Gate {
  /** Runs `work` in its turn. Refuses with login.busy when the lane is full or the client disconnected while waiting. */
  run<T>(waiter: Waiter, work: () => Promise<T>): Promise<T>;
  /** Waiting by lane, running, and the outcomes of all so far. */
  counts(): {
    readonly waiting: Readonly<Record<Lane, number>>;
    readonly running: number;
    readonly outcomes: Readonly<Record<Outcome, number>>;
  };
}

/**
 * Runs at most `atOnce` works at a time. The lanes take turns and each has its own limit of waiting works, so that neither can crowd out
 * the other.
 */
export function createGate({ atOnce, places }: { atOnce: number; places: Readonly<Record<Lane, number>> }): Gate {
  const waiting: Readonly<Record<Lane, Set<() => void>>> = { stranger: new Set(), known: new Set() };
  const outcomes: Record<Outcome, number> = { done: 0, refused: 0, gone: 0 };
  let running = 0;
  let last: Lane = "stranger";

  function refuse(outcome: "refused" | "gone"): never {
    outcomes[outcome] += 1;
    throw new Refusal("login.busy");
  }

  async function turn({ lane, gone }: Waiter): Promise<void> {
    if (gone?.aborted) refuse("gone");
    if (running < atOnce) {
      running += 1;
      return;
    }
    const queue = waiting[lane];
    if (queue.size >= places[lane]) refuse("refused");
    const { promise, resolve } = Promise.withResolvers<"come" | "gone">();
    const come = () => resolve("come");
    const leave = () => {
      // frees the place at once; a work already called keeps its turn
      if (queue.delete(come)) resolve("gone");
    };
    queue.add(come);
    gone?.addEventListener("abort", leave, { once: true });
    const called = await promise;
    gone?.removeEventListener("abort", leave);
    if (called === "gone") refuse("gone");
  }

  /** Hands an ended turn to the work that waits longest in the other lane, else in the same one. */
  function pass(): void {
    const order: readonly Lane[] = last === "stranger" ? ["known", "stranger"] : ["stranger", "known"];
    for (const lane of order) {
      const [next] = waiting[lane];
      if (next === undefined) continue;
      last = lane;
      waiting[lane].delete(next);
      return next();
    }
    running -= 1;
  }

  return {
    async run(waiter, work) {
      await turn(waiter);
      try {
        return await work();
      } finally {
        outcomes.done += 1;
        pass();
      }
    },
    counts: () => ({ waiting: { stranger: waiting.stranger.size, known: waiting.known.size }, running, outcomes: { ...outcomes } }),
  };
}
