import { createStore } from "zustand/vanilla";
import { sessionRoutes } from "../../contract/session.ts";
import type { Proof as Given } from "../../contract/session.ts";
import type { Call } from "../api/call.ts";

/** The question who one is, asked again before something grave; all calls that wait for it share one. */
export interface Proof {
  readonly store: { getState(): boolean; subscribe(listener: () => void): () => void };
  /** True once the server took a proof; false where the user turned back. */
  ask(): Promise<boolean>;
  /** Sends it; a refusal is thrown, and the question stays. */
  give(proof: Given): Promise<void>;
  dismiss(): void;
}

export function createProof(call: () => Call): Proof {
  const open = createStore<{ asked: boolean }>(() => ({ asked: false }));
  let waiting: ((proved: boolean) => void)[] = [];
  const settle = (proved: boolean) => {
    const all = waiting;
    waiting = [];
    open.setState({ asked: false });
    for (const answer of all) answer(proved);
  };
  return {
    store: { getState: () => open.getState().asked, subscribe: (listener) => open.subscribe(listener) },
    ask() {
      open.setState({ asked: true });
      return new Promise((resolve) => waiting.push(resolve));
    },
    async give(proof) {
      await call()(sessionRoutes.stepUp, { body: proof }, { quiet: true });
      settle(true);
    },
    dismiss: () => settle(false),
  };
}
