import { readFileSync } from "node:fs";
import type { ProblemCode } from "../contract/problems.ts";
import type { Language } from "../contract/settings.ts";
import { languages } from "../contract/settings.ts";

type Texts = Readonly<Record<string, string>>;

const loaded = new Map<Language, Texts>();
const placeholder = /\{\{(\w+)\}\}/g;

/** A language's texts, read when first asked for. */
function textsOf(language: Language): Texts {
  let texts = loaded.get(language);
  if (!texts) {
    texts = JSON.parse(readFileSync(new URL(`../../locales/${language}.json`, import.meta.url), "utf8")) as Texts; // checked by tests/locales.test.ts
    loaded.set(language, texts);
  }
  return texts;
}

/** A header is read this far. */
const longest = 200;

/** The language an Accept-Language header asks for before the others we have; English without one. */
export function languageOf(header: string | undefined): Language {
  const asked = (header ?? "")
    .slice(0, longest)
    .split(",")
    .map((part) => {
      const [tag = "", weight] = part.split(";q=");
      return { tag: tag.trim().toLowerCase().split("-")[0], weight: weight === undefined ? 1 : Number(weight) || 0 };
    })
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight);
  for (const { tag } of asked) {
    const found = languages.find((one) => one === tag);
    if (found) return found;
  }
  return "en";
}

/** A refusal in words. */
export function problemText(code: ProblemCode, language: Language = "en"): string {
  return textsOf(language)[`problem.${code}`] ?? textsOf("en")[`problem.${code}`] ?? code;
}

/** A text of locales/ with its values put in; in English where the language has none. */
export function mailText(language: Language, key: `mail.${string}`, values: Readonly<Record<string, string | number>>): string {
  const text = textsOf(language)[key] ?? textsOf("en")[key] ?? key;
  return text.replace(placeholder, (_, name: string) => String(values[name] ?? ""));
}

interface Template {
  readonly key: string;
  readonly pattern: RegExp;
  readonly names: readonly string[];
}

const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

let known: readonly Template[] | undefined;

/** English lines by their texts `invalid.*`; what says more by itself is tried first. */
function templates(): readonly Template[] {
  known ??= Object.entries(textsOf("en"))
    .filter(([key]) => key.startsWith("invalid."))
    .toSorted(([, a], [, b]) => b.replace(placeholder, "").length - a.replace(placeholder, "").length)
    .map(([key, text]) => ({
      key,
      pattern: new RegExp(
        `^${text
          .split(placeholder)
          .map((part, at) => (at % 2 === 0 ? literal(part) : "(.+?)"))
          .join("")}$`,
        "s",
      ),
      names: [...text.matchAll(placeholder)].map(([, name]) => name ?? ""),
    }));
  return known;
}

/** The key of an English line, with the values in it; null for one that no text knows. */
export function knownLine(line: string): { readonly key: string; readonly words: Readonly<Record<string, string>> } | null {
  for (const { key, pattern, names } of templates()) {
    const match = pattern.exec(line);
    if (match) return { key, words: Object.fromEntries(names.map((name, at) => [name, match[at + 1] ?? ""])) };
  }
  return null;
}

/**
 * A line about a field in another language. Rules (ours and zod's) speak English, which is also what is stored with an
 * idempotency key: each answer words them for its own caller.
 */
function lineText(line: string, language: Language): string {
  const found = knownLine(line);
  const text = found && textsOf(language)[found.key];
  return text ? text.replace(placeholder, (whole, name: string) => found.words[name] ?? whole) : line;
}

/** A 422's data with its lines in the caller's language: a map of field → lines; anything else stays as it is. */
export function worded(data: Readonly<Record<string, unknown>>, language: Language): Readonly<Record<string, unknown>> {
  if (language === "en") return data;
  return Object.fromEntries(
    Object.entries(data).map(([field, lines]) => [
      field,
      Array.isArray(lines) ? lines.map((line: unknown) => (typeof line === "string" ? lineText(line, language) : line)) : lines,
    ]),
  );
}

/** A refusal as it is sent: message and lines in one language. */
export function problemOf(
  {
    code,
    status,
    detail,
  }: { readonly code: ProblemCode; readonly status: number; readonly detail: Readonly<Record<string, unknown>> | undefined },
  language: Language,
): { message: string; code: ProblemCode; data?: Readonly<Record<string, unknown>> } {
  return { message: problemText(code, language), code, ...(detail && { data: status === 422 ? worded(detail, language) : detail }) };
}
