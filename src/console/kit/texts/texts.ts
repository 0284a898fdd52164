import i18next from "i18next";
import { useTranslation } from "react-i18next";
import { rightToLeftLanguages } from "../../../contract/languages.ts";
import type { Reason } from "../commands/command.ts";
import { loadChunk } from "../loading/chunk.ts";
import type { MessageKey, Words } from "./messages.ts";

/** Flat texts of one language, by key. */
export type Texts = Readonly<Record<string, string>>;

/** Files of a part by path, one per language, as import.meta.glob returns them. */
type Files = Readonly<Record<string, () => Promise<Texts>>>;

/** Parts of the texts in use, by name: the first screen's, and those that screens have needed since. */
const parts = new Map<string, Files>([
  [
    "first",
    import.meta.glob<Texts>(["../../../../locales/*.json", "!../../../../locales/en.json"], { query: "?part=first", import: "default" }),
  ],
]);
/** "first de", "setting en": what is loaded. English of the first part is bundled with the page. */
const loaded = new Set(["first en"]);

let speaksEnglish = false;

/** Texts without values as they were said, because i18next looks each up anew and one key in the palette asks for a hundred. */
const said = { own: new Map<MessageKey, string>(), english: new Map<MessageKey, string>() };

/** Says all texts anew, because the language has changed or texts have come. */
function forgetSaid(): void {
  said.own.clear();
  said.english.clear();
}
i18next.on("languageChanged", forgetSaid);

/** A text of locales/ with its values; not escaped, because React escapes. */
export function text(key: MessageKey, words?: Words): string {
  if (words !== undefined) return speaksEnglish ? i18next.t(key, { ...words, lng: "en" }) : i18next.t(key, words);
  const memory = speaksEnglish ? said.english : said.own;
  const known = memory.get(key);
  if (known !== undefined) return known;
  const found = i18next.t(key, speaksEnglish ? { lng: "en" } : {});
  memory.set(key, found);
  return found;
}

/** What `say` says in English, which users of another language may know. */
export function inEnglish<T>(say: () => T): T {
  speaksEnglish = true;
  try {
    return say();
  } finally {
    speaksEnglish = false;
  }
}

/**
 * The text function of the current language; a language change renders again and returns another function, so that memoised texts
 * are made again.
 */
export function useText(): typeof text {
  const { i18n } = useTranslation();
  return textIn(i18n.language);
}

const byLanguage = new Map<string, typeof text>();

/** One function per language, so that its identity changes with the language; all of them use the current language. */
function textIn(language: string): typeof text {
  const known = byLanguage.get(language) ?? ((key, words) => text(key, words));
  byLanguage.set(language, known);
  return known;
}

async function loadPart(name: string, language: string): Promise<void> {
  if (loaded.has(`${name} ${language}`)) return;
  const [, file] = Object.entries(parts.get(name) ?? {}).find(([path]) => path.endsWith(`/${language}.json`)) ?? [];
  if (file === undefined) throw new Error(`there is no locales/${language}.json`);
  i18next.addResourceBundle(language, "translation", await loadChunk(file), false, true);
  forgetSaid();
  loaded.add(`${name} ${language}`);
}

/**
 * Loads the texts of a part of the console, together with its script; a later change of language loads it too. English is always
 * loaded, because it replaces missing texts and can be searched.
 */
export async function needTexts(name: string, files: Files): Promise<void> {
  parts.set(name, files);
  for (;;) {
    const { language } = i18next;
    // oxlint-disable-next-line no-await-in-loop -- the language may change meanwhile
    await Promise.all([loadPart(name, "en"), loadPart(name, language)]);
    if (i18next.language === language) return;
  }
}

/** Loads the needed parts of a language, then switches texts, `lang` and `dir` of the page to it. */
export async function setLanguage(language: string): Promise<void> {
  const absent = () => [...parts.keys()].filter((name) => !loaded.has(`${name} ${language}`));
  // further parts may be needed while these load
  for (let names = absent(); names.length > 0; names = absent()) {
    // oxlint-disable-next-line no-await-in-loop -- as above
    await Promise.all(names.map((name) => loadPart(name, language)));
  }
  await i18next.changeLanguage(language);
  document.documentElement.lang = language;
  document.documentElement.dir = rightToLeftLanguages.some((one) => one === language) ? "rtl" : "ltr";
}

/** Whether a key has a text; for keys made from data (command ids, problem codes). */
export function hasText(key: string): key is MessageKey {
  return i18next.exists(key);
}

/** A text by a key made from data; null: there is none. */
export const wordOf = (key: string): string | null => (hasText(key) ? text(key) : null);

type Text = typeof text;

/** The key of a command's name: `go.vendors` is called as its screen. */
const nameKey = (id: string): string => (id.startsWith("go.") ? `screen.${id.slice(3)}` : `command.${id}`);

/** A command's name; a command for any record may have another name for a subject. Every id has a text (keymap.test). */
export function commandName(t: Text, id: string, subject?: string | null): string {
  const own = `command.${id}.${subject}`;
  return t((subject != null && hasText(own) ? own : nameKey(id)) as MessageKey); // keys made from ids are checked by keymap.test
}

/** A command's short name for the status bar where it has one ("approve"), else its name. */
export function shortName(t: Text, id: string): string {
  const key = `command.${id}.short`;
  return hasText(key) ? t(key) : commandName(t, id);
}

/** A command's synonyms for searching, in the current language and in English, because users may know the English ones. */
export function commandWords(t: Text, id: string): string {
  const words = t(`command.${id}.words` as MessageKey); // as above
  return isEnglish() ? words : `${words}, ${i18next.t(`command.${id}.words`, { lng: "en" })}`;
}

/** A command's English name for searching, where another language is used. */
export function englishName(id: string): string | undefined {
  return isEnglish() ? undefined : i18next.t(nameKey(id), { lng: "en" });
}

const isEnglish = (): boolean => i18next.language === "en";

export function reasonText(t: Text, reason: Reason): string {
  return typeof reason === "string" ? t(reason) : t(reason.key, reason.words);
}
