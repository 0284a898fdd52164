import { createContext, useContext, useSyncExternalStore } from "react";
import type { ScreenName } from "../../contract/screens.ts";
import type { Appearance } from "./appearance.ts";

/** What the shell's parts share. */
export interface Shell {
  readonly appearance: Appearance;
  readonly routed: ReadonlySet<ScreenName>;
  setLanguage(language: string): Promise<void>;
  /** To a screen's path, or any other of the console's. */
  navigate(path: string): void;
}

export const ShellContext = createContext<Shell | null>(null);

export function useShell(): Shell {
  const shell = useContext(ShellContext);
  if (!shell) throw new Error("no shell above");
  return shell;
}

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

/** performance.now() of the last full second; renders again once a second, all clocks together. */
export function useSecond(): number {
  return useSyncExternalStore(subscribe, () => beat);
}
