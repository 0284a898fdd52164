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

/** Rows that are about a screen's own content: the row → the screen it waits for. */
const rows: Readonly<Record<string, ScreenName>> = {
  "5 · API credential and similar fields must be valid JSON": "merchant-provider",
  "1 · Bulk and single adding of provider games, game image": "provider-games",
  "8 · Screen message: No provider selected": "merchant-providers",
};

/** What the customer's document asks of screens that are not built yet, by name. */
export const waiting: readonly string[] = [
  ...waitingScreens.map((name) => `2 · ${screens[name].path}`),
  ...Object.entries(rows).flatMap(([row, screen]) => (isBuilt(screen) ? [] : [row])),
];

/** Rows whose screen is there by now and which must have a test instead. */
export const overdue: readonly string[] = Object.entries(rows).flatMap(([row, screen]) => (isBuilt(screen) ? [row] : []));
