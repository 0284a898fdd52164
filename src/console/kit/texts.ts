import i18next from "i18next";
import { useTranslation } from "react-i18next";
import type { Reason } from "./command.ts";
import { loadChunk } from "./chunk.ts";
import type { MessageKey, Words } from "./messages.ts";

export const rightToLeftLanguages: readonly string[] = ["ar"];

const load = import.meta.glob<{ default: Record<string, string> }>(["../../../locales/*.json", "!../../../locales/en.json"]);

/** A text of locales/ with its values put in; unescaped, since React escapes. */
export function text(key: MessageKey, words: Words = {}): string {
  return i18next.t(key, words);
}

/** The text in the present language; renders again when the language changes. */
export function useText(): typeof text {
  useTranslation();
  return text;
}

/** Loads a language once (English is bundled) and turns texts, `lang` and `dir` of the page to it. */
export async function setLanguage(language: string): Promise<void> {
  if (!i18next.hasResourceBundle(language, "translation")) {
    const file = load[`../../../locales/${language}.json`];
    if (file === undefined) throw new Error(`there is no locales/${language}.json`);
    i18next.addResourceBundle(language, "translation", (await loadChunk(file)).default);
  }
  await i18next.changeLanguage(language);
  document.documentElement.lang = language;
  document.documentElement.dir = rightToLeftLanguages.includes(language) ? "rtl" : "ltr";
}

/** Whether a key has a text; for keys made from data (command ids, problem codes). */
export function hasText(key: string): key is MessageKey {
  return i18next.exists(key);
}

/** A problem code's text where the page is not in the server's own language; null to take the server's words. */
export function problemText(code: string, data: unknown): string | null {
  const key = `problem.${code}`;
  if (code === "" || i18next.language === "en" || !hasText(key)) return null;
  return i18next.t(key, typeof data === "object" && data !== null ? { ...data } : {});
}

/**
 * A rule's line in the present language: the schemas of the contract speak English, as the server does, and `invalid.*` are
 * those lines. One without a text stays as it is.
 */
export function ruleText(line: string): string {
  ruleKeys ??= new Map(
    Object.entries(i18next.getResourceBundle("en", "translation") as Record<string, string>) // flat: locales/en.json
      .filter(([key]) => key.startsWith("invalid."))
      .map(([key, english]) => [english, key]),
  );
  const key = ruleKeys.get(line);
  return key !== undefined && hasText(key) ? text(key) : line;
}

let ruleKeys: Map<string, string> | undefined;

type Text = typeof text;

/** Command ids, problem codes and screens have a text each; locales.test and keymap.test hold that. */
export function commandName(t: Text, id: string): string {
  return t(`command.${id}` as MessageKey); // keys made from ids are checked by keymap.test
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
