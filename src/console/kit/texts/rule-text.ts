import i18next from "i18next";
import { createRuleLines } from "../../../values/rule-lines.ts";

let lines: ReturnType<typeof createRuleLines> | undefined;

const textsOf = (language: string) => i18next.getResourceBundle(language, "translation") as Readonly<Record<string, string>>; // flat: locales/

/**
 * The translation of a validation message from the contract's schemas or from zod. One without a text stays as it is, as all do
 * before the texts are loaded.
 */
export function ruleText(line: string): string {
  if (!i18next.isInitialized) return line;
  lines ??= createRuleLines(textsOf("en"));
  return lines.word(line, { ...textsOf("en"), ...textsOf(i18next.language) });
}
