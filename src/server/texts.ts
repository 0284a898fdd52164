import { readFileSync } from "node:fs";
import type { ProblemCode } from "../contract/problems.ts";
import type { Language } from "../contract/languages.ts";
import { languages } from "../contract/languages.ts";
import { createRuleLines } from "../values/rule-lines.ts";

type Texts = Readonly<Record<string, string>>;

const loaded = new Map<Language, Texts>();
const placeholder = /\{\{(\w+)\}\}/g;

/** The texts of a language, read at first use. */
function textsOf(language: Language): Texts {
  let texts = loaded.get(language);
  if (!texts) {
    texts = JSON.parse(readFileSync(new URL(`../../locales/${language}.json`, import.meta.url), "utf8")) as Texts; // checked by tests/locales.test.ts
    loaded.set(language, texts);
  }
  return texts;
}

/** Most characters read of a header. */
const longest = 200;

/** Our language that an Accept-Language header prefers; English without one. */
export function languageOf(header: string | undefined): Language {
  const preferred = (header ?? "")
    .slice(0, longest)
    .split(",")
    .map((part) => {
      const [tag = "", weight] = part.split(";q=");
      return { tag: tag.trim().toLowerCase().split("-")[0], weight: weight === undefined ? 1 : Number(weight) || 0 };
    })
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight);
  for (const { tag } of preferred) {
    const found = languages.find((one) => one === tag);
    if (found) return found;
  }
  return "en";
}

/** The text of a refusal. */
export function problemText(code: ProblemCode, language: Language = "en"): string {
  return textsOf(language)[`problem.${code}`] ?? textsOf("en")[`problem.${code}`] ?? code;
}

/** A text of locales/ by its key, English where the language lacks it; null: there is none. */
export const wordOf = (language: Language, key: string): string | null => textsOf(language)[key] ?? textsOf("en")[key] ?? null;

/** A text of locales/ with its values; English where the language lacks it. */
export function mailText(language: Language, key: `mail.${string}`, values: Readonly<Record<string, string | number>>): string {
  return filled(textsOf(language)[key] ?? textsOf("en")[key] ?? key, values);
}

const filled = (text: string, values: Readonly<Record<string, unknown>>): string =>
  text.replace(placeholder, (_, name: string) => String(values[name] ?? ""));

let lines: ReturnType<typeof createRuleLines> | undefined;

/**
 * Translates the English lines of rules. English lines are also stored with idempotency keys, and each answer translates them for its
 * caller.
 */
export const ruleLines = (): NonNullable<typeof lines> => (lines ??= createRuleLines(textsOf("en")));

const lineText = (line: string, language: Language): string => ruleLines().word(line, textsOf(language));

/** The data of a 422 (field → lines) in the caller's language; other data unchanged. */
export function worded(data: Readonly<Record<string, unknown>>, language: Language): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(data).map(([field, lines]) => [
      field,
      Array.isArray(lines) ? lines.map((line: unknown) => (typeof line === "string" ? lineText(line, language) : line)) : lines,
    ]),
  );
}

/** A refusal as sent: message and lines in one language. */
export function problemOf(
  {
    code,
    status,
    detail,
  }: { readonly code: ProblemCode; readonly status: number; readonly detail: Readonly<Record<string, unknown>> | undefined },
  language: Language,
): { message: string; code: ProblemCode; data?: Readonly<Record<string, unknown>> } {
  return {
    message: filled(problemText(code, language), detail ?? {}),
    code,
    ...(detail && { data: status === 422 ? worded(detail, language) : detail }),
  };
}
