import { createStore } from "zustand/vanilla";
import type { StoreApi } from "zustand/vanilla";
import type { MatchingDesk } from "../../kit/commands/desks.ts";
import type { Choice } from "./choices.ts";
import { ofMarks } from "./choices.ts";

interface MatchingState {
  /** The line the choices are for; null while none is shown. */
  readonly line: string | null;
  readonly choices: readonly Choice[];
  /** Index of the one that a match would take. */
  readonly at: number;
}

export interface MatchingWork {
  readonly store: StoreApi<MatchingState>;
  readonly desk: MatchingDesk;
  /**
   * What a line may be matched to, as it has come: chosen is what the operator chose, else what was marked for it, else the best. `clear`:
   * takes the marks off on the other side.
   */
  show(line: string, choices: readonly Choice[], clear?: () => void): void;
  hide(): void;
  choose(at: number): void;
}

const nothing: MatchingState = { line: null, choices: [], at: 0 };

/** The choices for the line under the cursor, and which of them the operator looks at. */
export function createMatching(): MatchingWork {
  const store = createStore<MatchingState>(() => nothing);
  /** Chosen by hand, for this line. */
  let chosen: string | null = null;
  let clearMarks = (): void => {};
  const choose = (at: number) => {
    const { choices } = store.getState();
    if (choices.length === 0) return;
    const within = Math.min(Math.max(at, 0), choices.length - 1);
    chosen = choices[within]?.id ?? null;
    store.setState({ at: within });
  };
  return {
    store,
    choose,
    desk: {
      chosen(line) {
        const now = store.getState();
        return now.line === line ? (now.choices[now.at] ?? null) : null;
      },
      knows: (line) => store.getState().line === line,
      step: (by) => choose(store.getState().at + by),
      matched: (id) => void (id.startsWith(ofMarks) && clearMarks()),
    },
    show(line, choices, clear = () => {}) {
      clearMarks = clear;
      if (store.getState().line !== line) chosen = null;
      const kept = choices.findIndex(({ id }) => id === chosen);
      const first = choices.findIndex(({ isMeant }) => isMeant);
      store.setState({ line, choices, at: Math.max(kept === -1 ? first : kept, 0) });
    },
    hide() {
      chosen = null;
      store.setState(nothing);
    },
  };
}
