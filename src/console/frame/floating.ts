import { createStore } from "zustand/vanilla";

/** The window that holds the counters while they are out of the page; null: they are in it. */
export const floating = createStore<Window | null>()(() => null);
