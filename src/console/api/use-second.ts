import { useSyncExternalStore } from "react";
import type { ServerTime } from "./server-time.ts";

const listeners = new Set<() => void>();
let beat = performance.now();
let timer: ReturnType<typeof setInterval> | null = null;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    beat = performance.now();
    for (const each of listeners) each();
  }, 1_000);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0 || timer === null) return;
    clearInterval(timer);
    timer = null;
  };
}

/** performance.now() of the last full second; all clocks render together once a second. */
export function useSecond(): number {
  return useSyncExternalStore(subscribe, () => beat);
}

/** The minute it is by the server's clock, as ms since 1970; renders again only when it is another. */
export const useMinute = ({ now }: Pick<ServerTime, "now">): number =>
  useSyncExternalStore(subscribe, () => Math.floor(now() / 60_000) * 60_000);
