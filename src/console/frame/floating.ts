import { createStore } from "zustand/vanilla";

/** The window that holds the counters while they are out of the page; null: they are in it. */
export const floating = createStore<Window | null>()(() => null);

/** Whether anybody can see the counters: the page is shown, or they have a window of their own, which stays while the page is hidden. */
export const areCountersSeen = (): boolean => document.visibilityState === "visible" || floating.getState() !== null;
