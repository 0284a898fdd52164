import { zodLines } from "./zod-lines.ts";

/** Flat texts of one language, by key. */
type Texts = Readonly<Record<string, string>>;

interface Template {
  readonly key: string;
  readonly pattern: RegExp;
  readonly names: readonly string[];
}

interface RuleLines {
  /** The text key of an English line and the values in it; null: no text matches it. */
  known(line: string): { readonly key: string; readonly words: Texts } | null;
  /** An English line in the language of `texts`; unchanged when no text matches it. */
  word(line: string, texts: Texts): string;
}

const placeholder = /\{\{(\w+)\}\}/g;
const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/**
 * Translates the English lines of rules: ours in the texts `invalid.*`, zod's in its own wording, both with values filled in. A line is
 * matched against these texts, and zod's names of kinds ("string") are translated by `kind.*`.
 */
export function createRuleLines(english: Texts): RuleLines {
  // the longest text first, because a shorter one may match too
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
        return (kinds.has(name) ? texts[`kind.${value}`] : undefined) ?? grouped(value);
      });
    },
  };
}

/** An amount as the console writes it; anything else as it is. */
const grouped = (value: string): string => (/^-?\d{4,}\.\d+$/.test(value) ? value.replace(/\B(?=(\d{3})+\.)/g, ",") : value);

/** Placeholders whose value is a zod kind. */
const kinds = new Set(["expected", "received"]);
