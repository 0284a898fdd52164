import { createStore } from "zustand/vanilla";
import { Preferences } from "../../../src/contract/preferences.ts";
import type { PreferencesHandle } from "../../../src/console/own-keys/preferences-handle.ts";

/** Preferences without a server. */
export function createLocalPreferences(): PreferencesHandle {
  const store = createStore<{ preferences: Preferences; loaded: boolean }>()(() => ({ preferences: Preferences.parse({}), loaded: true }));
  return { store, set: (part) => store.setState(({ preferences }) => ({ preferences: { ...preferences, ...part } })) };
}
