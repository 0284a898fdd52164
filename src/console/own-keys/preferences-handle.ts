import type { StoreApi } from "zustand/vanilla";
import type { Preferences } from "../../contract/preferences.ts";

/** Store of a user's preferences. `set` replaces the given parts whole, and the store has them at once. */
export interface PreferencesHandle {
  readonly store: Pick<StoreApi<{ readonly preferences: Preferences; readonly loaded: boolean }>, "getState" | "subscribe">;
  set(part: Partial<Preferences>): void;
}
