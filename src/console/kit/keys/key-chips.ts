import { createStore } from "zustand/vanilla";

/** Commands whose keys need no longer be shown on buttons. */
interface KeyChips {
  readonly learnt: ReadonlySet<string>;
  /** Shows all keys anyway. */
  readonly always: boolean;
}

/** The user's, set by console/own-keys. Cheat sheet, palette and status bar show all keys. */
export const ownChips = createStore<KeyChips>()(() => ({ learnt: new Set(), always: false }));

export const showsChip = ({ learnt, always }: KeyChips, id: string): boolean => always || !learnt.has(id);
