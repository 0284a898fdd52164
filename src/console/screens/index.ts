import type { ComponentType } from "react";
import { screens } from "../../contract/screens.ts";
import type { ScreenName } from "../../contract/screens.ts";
import { needTexts } from "../kit/texts/texts.ts";
import { screenTexts } from "./screen-texts.ts";

export type ScreenModule = { readonly Component: ComponentType };

/** Each screen's chunk by its file, `<screen>-screen.tsx`, alone or in a folder of its own. */
const files = import.meta.glob<ScreenModule>(["./*-screen.tsx", "./*/*-screen.tsx"]);

/** Screen → its chunk, once its texts have come, too. A screen without a file is routed nowhere and offered nowhere. */
export const screenModules: Partial<Record<ScreenName, () => Promise<ScreenModule>>> = {};

for (const [path, load] of Object.entries(files)) {
  const file = /([^/]+)-screen\.tsx$/.exec(path)?.[1];
  const name = (Object.keys(screens) as ScreenName[]).find((screen) => screen === file); // Object.keys widens
  if (!name) continue;
  const [part, texts] = Object.entries(screenTexts).find(([of]) => path.split("/").includes(of)) ?? [];
  screenModules[name] = texts === undefined ? load : async () => (await Promise.all([load(), needTexts(part ?? "", texts)]))[0];
}
