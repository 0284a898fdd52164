import { useSyncExternalStore } from "react";

/** The width below which frame.css stacks the panes. */
const query = typeof matchMedia === "undefined" ? null : matchMedia("(max-width: 900px)");

function subscribe(listener: () => void): () => void {
  query?.addEventListener("change", listener);
  return () => query?.removeEventListener("change", listener);
}

/** Whether the panes of a screen must be stacked, because the window is small or the zoom large. */
export function useNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => query?.matches ?? false);
}
