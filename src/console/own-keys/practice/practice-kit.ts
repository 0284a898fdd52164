import { createKit } from "../../kit/kit.ts";
import type { Kit } from "../../kit/kit.ts";
import { practiceCommands } from "./practice-commands.ts";
import type { PracticeRun } from "./practice-run.ts";

const nothing = (): void => undefined;
const nowhere = (): Promise<never> => Promise.reject(new Error("the practice queue calls nobody"));

/** A console of its own without a way to the outside: registry, keys, sheets, undo and currency are the real ones, the rest is deaf. */
export function createPracticeKit(kit: Kit, run: PracticeRun, leave: () => void): Kit {
  const practice = createKit({
    commands: practiceCommands(kit.registry, run, leave),
    routedScreens: new Set(),
    services: {
      call: nowhere,
      go: nothing,
      changed: nothing,
      shell: {
        setTheme: nothing,
        linkHere: () => "",
        toggleSound: nothing,
        switchTenant: async () => undefined,
        switchCurrency: async () => undefined,
        setLanguage: nothing,
        signOut: async () => undefined,
        refresh: nothing,
        splitScreen: nothing,
      },
    },
  });
  practice.context.setSession({ tenant: "practice", currency: kit.context.read().currency, user: "practice", permissions: {} });
  return practice;
}
