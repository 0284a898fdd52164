import { createStore } from "zustand/vanilla";
import { sessionRoutes } from "../../contract/session.ts";
import type { Proof as Given } from "../../contract/session.ts";
import type { Call } from "../api/call.ts";

/** Asks the user to prove their identity before a sensitive act; all calls that wait share one question. */
export interface Proof {
  readonly store: { getState(): boolean; subscribe(listener: () => void): () => void };
  /** True once the server has accepted a proof; false where the user cancelled. */
  ask(): Promise<boolean>;
  /** Sends the proof; a refusal is thrown, and the question stays open. */
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
