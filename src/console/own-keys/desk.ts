import { movedKeys } from "../kit/commands/bindings.ts";
import type { Kit } from "../kit/kit.ts";
import { createCoach } from "./coach.ts";
import type { Coach } from "./coach.ts";
import { createKeyStore } from "./key-store.ts";
import type { KeyStore } from "./key-store.ts";
import { createBestResult } from "./practice/best-result.ts";
import type { BestResult } from "./practice/best-result.ts";
import type { HouseRules } from "./practice/house-rules.ts";
import type { PreferencesDoor } from "./preferences-door.ts";

/** Everything of a person's own keys. */
export interface KeyDesk {
  readonly kit: Kit;
  readonly door: PreferencesDoor;
  readonly keys: KeyStore;
  readonly coach: Coach;
  readonly best: BestResult;
  /** As they are where one works now. */
  rules(): HouseRules;
}

const storage = typeof localStorage === "undefined" ? undefined : localStorage;

/** From now on the kit's keys are the person's, and the coach watches. */
export function createKeyDesk(kit: Kit, door: PreferencesDoor, rules: () => HouseRules): KeyDesk {
  const coach = createCoach(door);
  let known = "";
  const follow = (): void => {
    const { keys, letters_off: lettersOff } = door.store.getState().preferences;
    const now = JSON.stringify([keys, lettersOff]);
    if (now === known) return;
    known = now;
    kit.registry.rebind({ keys: movedKeys(kit.registry.standard(), keys), lettersOff });
  };
  follow();
  door.store.subscribe(follow);
  kit.onRan(coach.ran);
  const best = createBestResult(() => kit.context.getState().user, storage);
  return { kit, door, keys: createKeyStore(kit.registry, door), coach, best, rules };
}
