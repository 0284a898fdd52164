import { useSyncExternalStore } from "react";

/** As where frame.css stacks them: too narrow for two panes beside each other. */
const query = typeof matchMedia === "undefined" ? null : matchMedia("(max-width: 900px)");

function subscribe(listener: () => void): () => void {
  query?.addEventListener("change", listener);
  return () => query?.removeEventListener("change", listener);
}

/** Whether the panes of a screen must lie below each other: a small window, or a large zoom. */
export function useNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => query?.matches ?? false);
}
