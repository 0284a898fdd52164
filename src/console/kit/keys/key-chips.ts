import { createStore } from "zustand/vanilla";

/** Whose keys buttons need not show any more. */
interface KeyChips {
  readonly learnt: ReadonlySet<string>;
  /** Shown all the same. */
  readonly always: boolean;
}

/** The person's; console/own-keys fills it. Cheat sheet, palette and status bar show keys whatever it says. */
export const ownChips = createStore<KeyChips>()(() => ({ learnt: new Set(), always: false }));

export const showsChip = ({ learnt, always }: KeyChips, id: string): boolean => always || !learnt.has(id);
