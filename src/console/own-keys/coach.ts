import { createStore } from "zustand/vanilla";
import type { AnyCommand } from "../kit/commands/command.ts";
import type { Source } from "../kit/commands/registry.ts";
import { ownChips } from "../kit/keys/key-chips.ts";
import type { PreferencesHandle } from "./preferences-handle.ts";

/** Clicks without the key in between before the key is shown; presses after which the key counts as learnt. */
const clicksUntilHint = 3;
const pressesUntilLearnt = 5;
/** Most ids the contract stores. */
const mostLearnt = 500;

export interface Coach {
  /** The command whose key is shown; null: none. */
  getState(): { readonly id: string | null };
  subscribe(listener: () => void): () => void;
  ran(command: AnyCommand, source: Source): void;
  dismiss(): void;
  /** Store of its settings. */
  readonly kept: PreferencesHandle["store"];
  isOn(): boolean;
  setOn(on: boolean): void;
  /** Buttons show keys even of learnt commands. */
  isAlways(): boolean;
  setAlways(on: boolean): void;
  /** Whether to offer the practice queue: nobody has done or refused it yet. False until that is known. */
  offersPractice(): boolean;
  /** The user does not want it, now or later. */
  refusePractice(): void;
}

/** Counts keys and clicks, and shows a command's key, once, to a user who keeps clicking it. */
export function createCoach({ store: kept, set }: PreferencesHandle): Coach {
  const store = createStore<{ id: string | null }>()(() => ({ id: null }));
  const clicks = new Map<string, number>();
  const shown = new Set<string>();
  const coach = () => kept.getState().preferences.coach;
  const chips = () => kept.getState().preferences.key_chips;
  const dismiss = (): void => store.setState({ id: null });

  function pressed(id: string): void {
    clicks.delete(id);
    if (store.getState().id === id) dismiss();
    if (coach().learnt.includes(id)) return;
    const { [id]: before = 0, ...others } = chips().presses;
    if (before + 1 < pressesUntilLearnt) set({ key_chips: { ...chips(), presses: { ...others, [id]: before + 1 } } });
    else {
      set({ key_chips: { ...chips(), presses: others }, coach: { ...coach(), learnt: [...coach().learnt, id].slice(-mostLearnt) } });
    }
  }

  function publish(): void {
    const { learnt } = coach();
    const { always } = chips();
    const { learnt: known, always: was } = ownChips.getState();
    if (always !== was || learnt.length !== known.size || learnt.some((id) => !known.has(id)))
      ownChips.setState({ learnt: new Set(learnt), always });
  }
  publish();
  kept.subscribe(publish);

  return {
    getState: store.getState,
    subscribe: (listener) => store.subscribe(listener),
    ran(command, source) {
      const { id } = command;
      if (command.keys === undefined || command.quiet === true) return;
      if (source === "key") return pressed(id);
      if (!coach().on) return;
      if (source !== "button" && source !== "menu") return;
      if (coach().learnt.includes(id) || shown.has(id)) return;
      const count = (clicks.get(id) ?? 0) + 1;
      clicks.set(id, count);
      if (count < clicksUntilHint || store.getState().id !== null) return;
      shown.add(id);
      store.setState({ id });
    },
    dismiss,
    kept,
    isOn: () => coach().on,
    setOn(on) {
      if (!on) dismiss();
      set({ coach: { ...coach(), on } });
    },
    isAlways: () => chips().always,
    setAlways: (always) => set({ key_chips: { ...chips(), always } }),
    offersPractice: () => kept.getState().loaded && coach().on && !kept.getState().preferences.practised,
    refusePractice: () => set({ practised: true }),
  };
}
