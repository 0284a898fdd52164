import { needTexts } from "./texts.ts";
import type { Texts } from "./texts.ts";

const files = import.meta.glob<Texts>("../../../../locales/*.json", { query: "?part=words", import: "default" });

/** Loads the synonyms that commands are searched by (commandWords). */
export const needWords = (): Promise<void> => needTexts("words", files);
