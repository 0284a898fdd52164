import type { Kit } from "../kit/kit.ts";
import { createCoach } from "./coach.ts";
import type { Coach } from "./coach.ts";
import { createKeyStore } from "./key-store.ts";
import type { KeyStore } from "./key-store.ts";
import { createBestResult } from "./practice/best-result.ts";
import type { BestResult } from "./practice/best-result.ts";
import type { TenantRules } from "./practice/tenant-rules.ts";
import type { PreferencesHandle } from "./preferences-handle.ts";

/** Everything about a user's own keys. */
export interface OwnKeys {
  readonly kit: Kit;
  readonly preferences: PreferencesHandle;
  readonly keys: KeyStore;
  readonly coach: Coach;
  readonly best: BestResult;
  /** Rules of the current tenant and currency. */
  rules(): TenantRules;
}

const storage = typeof localStorage === "undefined" ? undefined : localStorage;

/** Binds the user's keys to the kit and starts the coach. */
export function createOwnKeys(kit: Kit, preferences: PreferencesHandle, rules: () => TenantRules): OwnKeys {
  const coach = createCoach(preferences);
  let known = "";
  const follow = (): void => {
    const { keys, letters_off: lettersOff } = preferences.store.getState().preferences;
    const now = JSON.stringify([keys, lettersOff]);
    if (now === known) return;
    known = now;
    kit.registry.rebind({ keys, lettersOff });
  };
  follow();
  preferences.store.subscribe(follow);
  kit.onRan(coach.ran);
  const best = createBestResult(() => kit.context.getState().user, storage);
  return { kit, preferences, keys: createKeyStore(kit.registry, preferences), coach, best, rules };
}
