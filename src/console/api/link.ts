import { createStore } from "zustand/vanilla";

/** Whether the server answers, and when it last did. */
interface LinkState {
  readonly online: boolean;
  /** performance.now() of the last answer. */
  readonly answeredAt: number;
}

export type Link = ReturnType<typeof createLink>;

export function createLink(base = "") {
  const store = createStore<LinkState>(() => ({ online: true, answeredAt: performance.now() }));
  const answered = () => store.setState({ online: true, answeredAt: performance.now() });
  const unanswered = () => {
    if (store.getState().online) store.setState({ online: false });
  };
  return {
    store,
    answered,
    unanswered,
    /** Sends a request to see whether the server answers. */
    async probe(): Promise<boolean> {
      try {
        const response = await fetch(`${base}/healthz`, { cache: "no-store", signal: AbortSignal.timeout(5_000) });
        if (response.status >= 500) throw new Error(String(response.status));
        answered();
        return true;
      } catch {
        unanswered();
        return false;
      }
    },
  };
}
