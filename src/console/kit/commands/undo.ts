import { createStore } from "zustand/vanilla";
import type { Undo } from "./services.ts";

export interface UndoStack {
  /** Oldest first; expired ones are removed. */
  getState(): readonly Undo[];
  subscribe(listener: () => void): () => void;
  push(undo: Undo): void;
  /** Removes and returns the newest that has not expired; null when there is none. */
  take(): Undo | null;
  /** Puts one back whose undo failed: for the time it has left, unless all were cleared meanwhile. */
  putBack(undo: Undo): void;
  /** The one taken last; null once something else was done. */
  taken(): Undo | null;
  /** Removes one that can no longer be undone (sent, claim lost). */
  drop(id: string): void;
  clear(): void;
}

/** Acts that can still be undone, each until its own time (performance.now()). */
export function createUndoStack(now: () => number = () => performance.now()): UndoStack {
  const store = createStore<readonly Undo[]>()(() => []);
  let taken: Undo | null = null;
  let out = new WeakSet<Undo>();
  const timers = new Map<string, ReturnType<typeof setTimeout>>();

  function drop(id: string): void {
    clearTimeout(timers.get(id));
    timers.delete(id);
    store.setState((undos) => undos.filter((undo) => undo.id !== id), true);
  }

  function push(undo: Undo): void {
    taken = null;
    drop(undo.id);
    store.setState((undos) => [...undos, undo], true);
    timers.set(
      undo.id,
      setTimeout(() => drop(undo.id), Math.max(0, undo.until - now())),
    );
  }

  return {
    getState: store.getState,
    subscribe: (listener) => store.subscribe(listener),
    push,
    take() {
      const newest = store.getState().findLast((undo) => undo.until > now()) ?? null;
      if (newest !== null) {
        drop(newest.id);
        taken = newest;
        out.add(newest);
      }
      return newest;
    },
    putBack(undo) {
      if (out.delete(undo) && undo.until > now()) push(undo);
    },
    taken: () => taken,
    drop,
    clear() {
      taken = null;
      out = new WeakSet();
      store.getState().forEach((undo) => drop(undo.id));
    },
  };
}
