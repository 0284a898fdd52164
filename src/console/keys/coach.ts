import { createStore } from "zustand/vanilla";
import type { AnyCommand } from "../kit/command.ts";
import type { Source } from "../kit/registry.ts";
import type { PreferencesDoor } from "./preferences-door.ts";

/** Times by pointer without the key in between before its key is named; times by key until it counts as learnt. */
export const clicksUntilHint = 3;
export const pressesUntilLearnt = 3;
/** As many ids as the contract keeps. */
const mostLearnt = 500;

export interface Coach {
  /** The command whose key is being named; null: none. */
  getState(): { readonly id: string | null };
  subscribe(listener: () => void): () => void;
  ran(command: AnyCommand, source: Source): void;
  dismiss(): void;
  isOn(): boolean;
  setOn(on: boolean): void;
}

/** Names a command's key, once, to who keeps clicking it. */
export function createCoach({ store: kept, set }: PreferencesDoor): Coach {
  const store = createStore<{ id: string | null }>()(() => ({ id: null }));
  const clicks = new Map<string, number>();
  const presses = new Map<string, number>();
  const shown = new Set<string>();
  const coach = () => kept.getState().preferences.coach;
  const dismiss = (): void => store.setState({ id: null });

  function pressed(id: string): void {
    clicks.delete(id);
    if (store.getState().id === id) dismiss();
    if (coach().learnt.includes(id)) return;
    const count = (presses.get(id) ?? 0) + 1;
    presses.set(id, count);
    // Only what a hint could ever have been about is worth keeping.
    if (count === pressesUntilLearnt) set({ coach: { ...coach(), learnt: [...coach().learnt, id].slice(-mostLearnt) } });
  }

  return {
    getState: store.getState,
    subscribe: (listener) => store.subscribe(listener),
    ran(command, source) {
      const { id } = command;
      if (command.keys === undefined || command.quiet === true || !coach().on) return;
      if (source === "key") return pressed(id);
      if (source !== "button" && source !== "menu") return;
      if (coach().learnt.includes(id) || shown.has(id)) return;
      const count = (clicks.get(id) ?? 0) + 1;
      clicks.set(id, count);
      if (count < clicksUntilHint || store.getState().id !== null) return;
      shown.add(id);
      store.setState({ id });
    },
    dismiss,
    isOn: () => coach().on,
    setOn(on) {
      if (!on) dismiss();
      set({ coach: { ...coach(), on } });
    },
  };
}
