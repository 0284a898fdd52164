import { createContext, useContext } from "react";
import { useStore } from "zustand";
import type { StoreApi } from "zustand/vanilla";
import { createStore } from "zustand/vanilla";

const nowhere = createStore<string | null>()(() => null);
const Context = createContext<StoreApi<string | null>>(nowhere);

/** Tells a list's panes in which column its cursor stands. */
export const CursorColumn = Context.Provider;

/** The column under the cursor of the list around this; null: it stands in none. */
export const useCursorColumn = (): string | null => useStore(useContext(Context));
