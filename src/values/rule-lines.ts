import { zodLines } from "./zod-lines.ts";

/** Flat texts of one language, by key. */
type Texts = Readonly<Record<string, string>>;

interface Template {
  readonly key: string;
  readonly pattern: RegExp;
  readonly names: readonly string[];
}

interface RuleLines {
  /** The key of an English line, with the values in it; null for one that no text knows. */
  known(line: string): { readonly key: string; readonly words: Texts } | null;
  /** An English line in the language of `texts`; as it stands where no text knows it. */
  word(line: string, texts: Texts): string;
}

const placeholder = /\{\{(\w+)\}\}/g;
const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/**
 * Rules speak English: ours in the texts `invalid.*`, zod in its own lines, values and all. So a line is found by what was said and
 * put into the reader's language, English too, with zod's names of kinds ("string") in the words `kind.*`.
 */
export function createRuleLines(english: Texts): RuleLines {
  // what says more by itself is tried first
  const templates = Object.entries({ ...english, ...zodLines })
    .filter(([key]) => key.startsWith("invalid."))
    .toSorted(([, a], [, b]) => b.replace(placeholder, "").length - a.replace(placeholder, "").length)
    .map(([key, text]): Template => {
      const parts = text.split(placeholder).map((part, at) => (at % 2 === 0 ? literal(part) : "(.+?)"));
      return { key, pattern: new RegExp(`^${parts.join("")}$`, "s"), names: [...text.matchAll(placeholder)].map(([, name]) => name ?? "") };
    });
  const known: RuleLines["known"] = (line) => {
    for (const { key, pattern, names } of templates) {
      const match = pattern.exec(line);
      if (match) return { key, words: Object.fromEntries(names.map((name, at) => [name, match[at + 1] ?? ""])) };
    }
    return null;
  };
  return {
    known,
    word(line, texts) {
      const found = known(line);
      const text = found === null ? undefined : texts[found.key];
      if (found === null || text === undefined) return line;
      return text.replace(placeholder, (whole, name: string) => {
        const value = found.words[name];
        if (value === undefined) return whole;
        return (kinds.has(name) ? texts[`kind.${value}`] : undefined) ?? value;
      });
    },
  };
}

/** The values that name what zod expected, and what it met. */
const kinds = new Set(["expected", "received"]);
