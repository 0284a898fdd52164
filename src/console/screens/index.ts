import type { ComponentType } from "react";
import { screens } from "../../contract/screens.ts";
import type { ScreenName } from "../../contract/screens.ts";
import type { Api } from "../api/api.ts";
import { loadChunk } from "../kit/loading/chunk.ts";
import { needRecordTexts } from "../kit/texts/late-texts.ts";
import type { QueryListOfRecords } from "../lists/filter-records.ts";
import type { Texts } from "../kit/texts/texts.ts";
import { needTexts } from "../kit/texts/texts.ts";

/** The list of a screen as query lines ask it, once its texts have come; null where the screen has none. */
export async function queryListOf(screen: ScreenName, api: Api): Promise<QueryListOfRecords | null> {
  const own = Object.entries(texts).find(([path]) => path.endsWith(`/${screen}-screen.tsx`))?.[1];
  const [{ loadQueryList }] = await Promise.all([
    loadChunk(() => import("./query-lists.ts")),
    own && needTexts(own.part, own.files),
    needRecordTexts(),
  ]);
  return loadQueryList(screen, api);
}

export type ScreenModule = { readonly Component: ComponentType };

/** The part of the texts that a screen needs, and its file in each language. */
interface ScreenTexts {
  readonly part: string;
  readonly files: Readonly<Record<string, () => Promise<Texts>>>;
}

/** Each screen's chunk by its file, `<screen>-screen.tsx`, alone or in a folder of its own. */
const chunks = import.meta.glob<ScreenModule>(["./*-screen.tsx", "./*/*-screen.tsx"]);
/** Its texts by the same file: text-parts-plugin.ts answers `?texts`. */
const texts = import.meta.glob<ScreenTexts>(["./*-screen.tsx", "./*/*-screen.tsx"], { query: "?texts", eager: true });

/** Screen → its chunk, once its texts have come, too. A screen without a file is routed nowhere and offered nowhere. */
export const screenModules: Partial<Record<ScreenName, () => Promise<ScreenModule>>> = {};

for (const [path, load] of Object.entries(chunks)) {
  const file = /([^/]+)-screen\.tsx$/.exec(path)?.[1];
  const name = (Object.keys(screens) as ScreenName[]).find((screen) => screen === file); // Object.keys widens
  const own = texts[path];
  if (name && own) screenModules[name] = async () => (await Promise.all([load(), needTexts(own.part, own.files), needRecordTexts()]))[0];
}
