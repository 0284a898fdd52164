import type { Density } from "../commands/grid-handle.ts";
import { createStore } from "zustand/vanilla";
import { rowHeights } from "./grid-column.ts";

const storageKey = "countinghouse.density";

function stored(): Density {
  try {
    const value = localStorage.getItem(storageKey);
    return value !== null && value in rowHeights ? (value as Density) : "normal"; // just seen to be one
  } catch {
    return "normal";
  }
}

const store = createStore<{ density: Density }>()(() => ({ density: stored() }));

/** The density of every grid that is not given one: what the operator chose last, in this browser. */
export const ownDensity = {
  get: (): Density => store.getState().density,
  subscribe: (listener: () => void): (() => void) => store.subscribe(listener),
  set(density: Density): void {
    store.setState({ density });
    try {
      localStorage.setItem(storageKey, density);
    } catch {
      // A full or forbidden storage costs only the memory of it.
    }
  },
};
