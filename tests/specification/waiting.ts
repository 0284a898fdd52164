import { readdirSync } from "node:fs";
import { basename, resolve } from "node:path";
import { screens } from "../../src/contract/screens.ts";
import type { ScreenName } from "../../src/contract/screens.ts";

const files = readdirSync(resolve(import.meta.dirname, "../../src/console/screens"), { recursive: true }).map((file) =>
  basename(String(file)),
);

/** Whether the screen is built: screens/index.ts finds it by the same name. */
export const isBuilt = (name: ScreenName): boolean => files.includes(`${name}-screen.tsx`);

const names = Object.keys(screens) as ScreenName[]; // Object.keys widens

export const builtScreens = names.filter(isBuilt);
export const waitingScreens = names.filter((name) => !isBuilt(name));

/** What the customer's document asks of screens that are not built yet, by name. */
export const waiting: readonly string[] = waitingScreens.map((name) => `2 · ${screens[name].path}`);
