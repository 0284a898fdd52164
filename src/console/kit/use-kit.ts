import { createContext, useContext, useEffect, useState, useSyncExternalStore } from "react";
import type { AnyCommand, Chord } from "./commands/command.ts";
import type { ContextState } from "./commands/context-store.ts";
import type { Context } from "./commands/context.ts";
import type { Rung } from "./keys/escape.ts";
import type { Kit } from "./kit.ts";
import type { PaneLayout } from "./panes/pane-store.ts";
import { isPassing } from "./commands/registry.ts";
import type { Verdict } from "./commands/registry.ts";

export const KitContext = createContext<Kit | null>(null);

export function useKit(): Kit {
  const kit = useContext(KitContext);
  if (kit === null) throw new Error("there is no <KitProvider> around this");
  return kit;
}

interface Readable<T> {
  getState(): T;
  subscribe(listener: () => void): () => void;
}

/** Renders again whenever the store changes. */
export function useStore<T>(store: Readable<T>): T {
  return useSyncExternalStore(store.subscribe, store.getState);
}

/** One part of a store's state; renders again only when that part is another value. */
export function useStorePart<T, Part extends keyof T>(store: Readable<T>, part: Part): T[Part] {
  return useSyncExternalStore(store.subscribe, () => store.getState()[part]);
}

export function useContextState(): ContextState {
  return useStore(useKit().context);
}

/** The context of the pane that last had the focus, for buttons and status bar. */
function useCommandContext(): Context {
  const { context } = useKit();
  useStore(context);
  return context.read({ pane: "latest" });
}

/** ms after which a refusal is judged again, because some end by themselves (a record just painted). */
const rejudgeAfter = 400;

/** Renders again in a moment where a refusal may end by itself; `again`: it will, but nobody knows when, so it is looked at until it has. */
export function useRejudge(waits: "once" | "again" | null): void {
  const [, lookAgain] = useState(0);
  const store = useContextState();
  useEffect(() => {
    if (waits === null) return undefined;
    const look = () => lookAgain((times) => times + 1);
    const timer = waits === "again" ? setInterval(look, rejudgeAfter) : setTimeout(look, rejudgeAfter);
    return () => clearTimeout(timer);
  }, [waits, store]);
}

/** The keys a command has now, its own or the user's; undefined where it has none. Renders again only when they change. */
export function useChord(id: string): Chord | undefined {
  const { registry } = useKit();
  return useSyncExternalStore(registry.subscribe, () => registry.get(id)?.keys?.[0]);
}

/** A command and whether it may run now; `command` is undefined where it is not registered. */
export function useVerdict(id: string): { command: AnyCommand | undefined; verdict: Verdict } {
  const { registry } = useKit();
  const context = useCommandContext();
  const command = registry.get(id);
  // a button keeps its state while a sheet is open over it
  const verdict: Verdict =
    command === undefined
      ? { state: "absent" }
      : registry.judge(command, command.scope === "dialog" ? context : { ...context, dialog: null });
  const passes = command !== undefined && isPassing(command, verdict);
  useRejudge(passes ? "again" : verdict.state === "refused" ? "once" : null);
  return { command, verdict };
}

export function usePaneLayout(): PaneLayout {
  return useStore(useKit().panes);
}

/** Registers a step of the Esc order while mounted. */
export function useEscape(rung: Rung, step: () => boolean): void {
  const { ladder } = useKit();
  useEffect(() => ladder.register(rung, step), [ladder, rung, step]);
}
