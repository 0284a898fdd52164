import type { StoreApi } from "zustand/vanilla";
import { createStore } from "zustand/vanilla";
import { Preferences } from "../../contract/preferences.ts";

/** Where a person's preferences are kept. `set` replaces the given parts whole, at once in the store. */
export interface PreferencesDoor {
  readonly store: Pick<StoreApi<{ preferences: Preferences }>, "getState" | "subscribe">;
  set(part: Partial<Preferences>): void;
}

const storageKey = "countinghouse.preferences";

function stored(storage: Storage | undefined): Preferences {
  try {
    const read = Preferences.safeParse(JSON.parse(storage?.getItem(storageKey) ?? "{}"));
    if (read.success) return read.data;
  } catch {
    // Unreadable: the defaults.
  }
  return Preferences.parse({});
}

/** Kept in this browser only: where no server keeps them, and in tests. */
export function createLocalDoor(storage?: Storage): PreferencesDoor {
  const store = createStore<{ preferences: Preferences }>()(() => ({ preferences: stored(storage) }));
  return {
    store,
    set(part) {
      store.setState(({ preferences }) => ({ preferences: { ...preferences, ...part } }));
      try {
        storage?.setItem(storageKey, JSON.stringify(store.getState().preferences));
      } catch {
        // A full or forbidden storage costs only the memory.
      }
    },
  };
}
