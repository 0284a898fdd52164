import type { StoreApi } from "zustand/vanilla";
import type { Preferences } from "../../contract/preferences.ts";

/** Where a person's preferences are kept. `set` replaces the given parts whole, at once in the store. */
export interface PreferencesHandle {
  readonly store: Pick<StoreApi<{ readonly preferences: Preferences; readonly loaded: boolean }>, "getState" | "subscribe">;
  set(part: Partial<Preferences>): void;
}
