import { createKit } from "../../kit/kit.ts";
import type { Kit } from "../../kit/kit.ts";
import { practiceCommands } from "./practice-commands.ts";
import type { PracticeRun } from "./practice-run.ts";

const nothing = (): void => undefined;
const nowhere = (): Promise<never> => Promise.reject(new Error("the practice queue calls nobody"));

/** A kit that sends nothing: registry, keys, sheets, undo and currency are real, all other services do nothing. */
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
        floatCounters: async () => undefined,
        pinView: async () => undefined,
        setThreshold: async () => undefined,
        openPinned: nothing,
        pinnedCount: () => 0,
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
