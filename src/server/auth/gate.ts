import { Refusal } from "../../contract/problems.ts";

/** Whoever comes without a session waits apart from those who are known by theirs. */
type Lane = "stranger" | "known";

export interface Waiter {
  readonly lane: Lane;
  /** Aborted when the client has gone: no turn is spent on them. */
  readonly gone?: AbortSignal;
}

type Outcome = "done" | "refused" | "gone";

export interface Gate {
  /** Runs `work` in its turn. Refuses with login.busy when the lane is full, or the client went before its turn. */
  run<T>(waiter: Waiter, work: () => Promise<T>): Promise<T>;
  /** How many wait in each lane, how many run, and what became of all so far. */
  counts(): {
    readonly waiting: Readonly<Record<Lane, number>>;
    readonly running: number;
    readonly outcomes: Readonly<Record<Outcome, number>>;
  };
}

/** Lets `atOnce` works run at a time. The lanes take turns, and each holds so many who wait and no more: neither crowds out the other. */
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
      // the place is free at once; whoever was called before they went has their turn
      if (queue.delete(come)) resolve("gone");
    };
    queue.add(come);
    gone?.addEventListener("abort", leave, { once: true });
    const called = await promise;
    gone?.removeEventListener("abort", leave);
    if (called === "gone") refuse("gone");
  }

  /** Hands the turn that ends to whoever waits longest in the other lane, or else in this. */
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
