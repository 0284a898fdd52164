import type { Density } from "../commands/grid-handle.ts";
import { createStore } from "zustand/vanilla";
import { rowHeights } from "./grid-column.ts";

const storageKey = "countinghouse.density";

function stored(): Density {
  try {
    const value = localStorage.getItem(storageKey);
    return value !== null && value in rowHeights ? (value as Density) : "normal"; // the check has shown that it is one
  } catch {
    return "normal";
  }
}

const store = createStore<{ density: Density }>()(() => ({ density: stored() }));

/** The density the operator last chose in this browser, for grids without one of their own. */
export const ownDensity = {
  get: (): Density => store.getState().density,
  subscribe: (listener: () => void): (() => void) => store.subscribe(listener),
  set(density: Density): void {
    store.setState({ density });
    try {
      localStorage.setItem(storageKey, density);
    } catch {
      // storage is full or forbidden: the density is only not remembered
    }
  },
};
