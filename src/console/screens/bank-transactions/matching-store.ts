import { createStore } from "zustand/vanilla";
import type { StoreApi } from "zustand/vanilla";
import type { Suggestion } from "../../../contract/bank-transactions.ts";
import type { MatchingDesk } from "../../kit/commands/desks.ts";

interface MatchingState {
  /** The line the suggestions are for; null while none is shown. */
  readonly line: string | null;
  readonly suggestions: readonly Suggestion[];
  /** Index of the one that a match would take. */
  readonly at: number;
}

export interface MatchingWork {
  readonly store: StoreApi<MatchingState>;
  readonly desk: MatchingDesk;
  /** The suggestions that have come for a line: the best is chosen, or still the one that was. */
  show(line: string, suggestions: readonly Suggestion[]): void;
  hide(): void;
  choose(at: number): void;
}

const nothing: MatchingState = { line: null, suggestions: [], at: 0 };

const nameOf = (suggestion: Suggestion | undefined): string => (suggestion?.transactions ?? []).map(({ uuid }) => uuid).join();

/** The suggestions for the line under the cursor, and which of them the operator looks at. */
export function createMatching(): MatchingWork {
  const store = createStore<MatchingState>(() => nothing);
  const choose = (at: number) => {
    const { suggestions } = store.getState();
    if (suggestions.length > 0) store.setState({ at: Math.min(Math.max(at, 0), suggestions.length - 1) });
  };
  return {
    store,
    choose,
    desk: {
      chosen(line) {
        const now = store.getState();
        return now.line === line ? (now.suggestions[now.at] ?? null) : null;
      },
      knows: (line) => store.getState().line === line,
      step: (by) => choose(store.getState().at + by),
    },
    show(line, suggestions) {
      const before = store.getState();
      const chosen = before.line === line ? nameOf(before.suggestions[before.at]) : "";
      const kept = suggestions.findIndex((one) => nameOf(one) === chosen);
      store.setState({ line, suggestions, at: Math.max(kept, 0) });
    },
    hide: () => store.setState(nothing),
  };
}
