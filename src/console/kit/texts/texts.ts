import i18next from "i18next";
import { useTranslation } from "react-i18next";
import type { Reason } from "../commands/command.ts";
import { loadChunk } from "../loading/chunk.ts";
import type { MessageKey, Words } from "./messages.ts";
import { createRuleLines } from "../../../values/rule-lines.ts";

export const rightToLeftLanguages: readonly string[] = ["ar"];

/** Flat texts of one language, by key. */
export type Texts = Readonly<Record<string, string>>;

/** A part's file in each language, by path, as import.meta.glob gives them. */
type Files = Readonly<Record<string, () => Promise<Texts>>>;

/** Parts of the texts that are in use, by name: the first screen's, and those that screens have asked for since. */
const parts = new Map<string, Files>([
  [
    "first",
    import.meta.glob<Texts>(["../../../../locales/*.json", "!../../../../locales/en.json"], { query: "?part=first", import: "default" }),
  ],
]);
/** "first de", "setting en": what has come. English of the first part is in the page from its start. */
const come = new Set(["first en"]);

/** A text of locales/ with its values put in; unescaped, since React escapes. */
export function text(key: MessageKey, words: Words = {}): string {
  return i18next.t(key, words);
}

/** The text in the present language; renders again when the language changes, and is another function then: what is kept by it is made anew. */
export function useText(): typeof text {
  const { i18n } = useTranslation();
  return textIn(i18n.language);
}

const byLanguage = new Map<string, typeof text>();

/** One function for each language, all of which speak the present one: what outlives a turn of the language does not speak the old one. */
function textIn(language: string): typeof text {
  const known = byLanguage.get(language) ?? ((key, words) => text(key, words));
  byLanguage.set(language, known);
  return known;
}

async function loadPart(name: string, language: string): Promise<void> {
  if (come.has(`${name} ${language}`)) return;
  const [, file] = Object.entries(parts.get(name) ?? {}).find(([path]) => path.endsWith(`/${language}.json`)) ?? [];
  if (file === undefined) throw new Error(`there is no locales/${language}.json`);
  i18next.addResourceBundle(language, "translation", await loadChunk(file), false, true);
  come.add(`${name} ${language}`);
}

/**
 * Brings the texts of a part of the console, which whoever draws them waits for as for its script; turned languages bring it, too.
 * English comes with every other language, for it stands in for a text that is missing, and is searched in.
 */
export async function needTexts(name: string, files: Files): Promise<void> {
  parts.set(name, files);
  for (;;) {
    const { language } = i18next;
    // oxlint-disable-next-line no-await-in-loop -- turned meanwhile
    await Promise.all([loadPart(name, "en"), loadPart(name, language)]);
    if (i18next.language === language) return;
  }
}

/** Loads what is needed of a language once and turns texts, `lang` and `dir` of the page to it. */
export async function setLanguage(language: string): Promise<void> {
  const absent = () => [...parts.keys()].filter((name) => !come.has(`${name} ${language}`));
  // a part may be asked for while others come
  for (let names = absent(); names.length > 0; names = absent()) {
    // oxlint-disable-next-line no-await-in-loop -- as above
    await Promise.all(names.map((name) => loadPart(name, language)));
  }
  await i18next.changeLanguage(language);
  document.documentElement.lang = language;
  document.documentElement.dir = rightToLeftLanguages.includes(language) ? "rtl" : "ltr";
}

/** Whether a key has a text; for keys made from data (command ids, problem codes). */
export function hasText(key: string): key is MessageKey {
  return i18next.exists(key);
}

/** A rule's line in the present language: what the schemas of the contract say, or zod itself. One without a text stays as it is, as all do before the texts have come. */
export function ruleText(line: string): string {
  if (!i18next.isInitialized) return line;
  lines ??= createRuleLines(textsOf("en"));
  return lines.word(line, { ...textsOf("en"), ...textsOf(i18next.language) });
}

let lines: ReturnType<typeof createRuleLines> | undefined;

const textsOf = (language: string) => i18next.getResourceBundle(language, "translation") as Readonly<Record<string, string>>; // flat: locales/

type Text = typeof text;

/** Command ids, problem codes and screens have a text each (keymap.test); one for any record may have another for a subject. */
export function commandName(t: Text, id: string, subject?: string | null): string {
  const own = `command.${id}.${subject}`;
  return t((subject != null && hasText(own) ? own : `command.${id}`) as MessageKey); // keys made from ids are checked by keymap.test
}

/** Its short name for the status bar where it has one ("approve"), else its name. */
export function shortName(t: Text, id: string): string {
  const key = `command.${id}.short`;
  return hasText(key) ? t(key) : commandName(t, id);
}

/** Synonyms of a command, for searching: in the present language, and in English, which people know commands by from elsewhere. */
export function commandWords(t: Text, id: string): string {
  const words = t(`command.${id}.words` as MessageKey); // as above
  return isEnglish() ? words : `${words}, ${i18next.t(`command.${id}.words`, { lng: "en" })}`;
}

/** Its English name where another language is read, for searching. */
export function englishName(id: string): string | undefined {
  return isEnglish() ? undefined : i18next.t(`command.${id}`, { lng: "en" });
}

const isEnglish = (): boolean => i18next.language === "en";

export function reasonText(t: Text, reason: Reason): string {
  return typeof reason === "string" ? t(reason) : t(reason.key, reason.words);
}
