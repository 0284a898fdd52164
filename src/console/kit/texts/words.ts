import { needTexts } from "./texts.ts";
import type { Texts } from "./texts.ts";

const files = import.meta.glob<Texts>("../../../../locales/*.json", { query: "?part=words", import: "default" });

/** The words that commands are searched by (commandWords); whatever searches by them waits for them. */
export const needWords = (): Promise<void> => needTexts("words", files);
