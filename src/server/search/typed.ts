import { sql } from "kysely";
import type { Scoped } from "../db/scope.ts";

/** A word of what was typed, folded, and the words it may be a slip of. */
interface TypedWord {
  readonly start: string;
  readonly slips: readonly string[];
}

/** What was typed, as a search takes it. */
export interface Typed {
  /** Whole ids and numbers: the text itself, or each of several pasted. */
  readonly ids: readonly string[];
  /** The same without blanks and hyphens, as numbers of accounts are kept; none of signs alone. */
  readonly plain: readonly string[];
  /** null: several ids, which are no name. */
  readonly name: string | null;
  readonly words: readonly TypedWord[];
}

const mostIds = 50;
const mostWords = 6;

/** An ellipsis or a number sign before the last characters of a number, as the console writes them. */
const signsAround = /^[^\p{L}\p{N}]+|[\s,;…]+$/gu;

/** Each has a digit and is long enough to be no word of a name. */
const isId = (part: string): boolean => part.length >= 4 && /\d/.test(part);

/** Reads a text; its words as the database folds those it keeps. */
export async function readTyped(db: Scoped, q: string): Promise<Typed> {
  const text = q.replace(signsAround, "");
  const parts = text
    .split(/[\s,;]+/)
    .map((part) => part.replace(signsAround, ""))
    .filter((part) => part !== "");
  // "7012 3456" is one number; several ids have letters, or digits enough to be numbers of their own
  const several = parts.length > 1 && parts.every((part) => isId(part) && (/\p{L}/u.test(part) || part.length >= 6));
  const whole = parts.join(" ");
  const ids = [...new Set(several ? [...parts.slice(0, mostIds), whole] : [text])].filter((id) => id !== "");
  const plain = [...new Set(ids.map((id) => id.replace(/[ -]/g, "")))].filter((id) => id !== "");
  if (several || text === "") return { ids, plain, name: null, words: [] };
  const { rows } = await sql<{ words: string[] }>`select folded_words(${text}::text) as words`.execute(db);
  const words = [...new Set(rows[0]?.words)].slice(0, mostWords).map((start) => ({ start, slips: [] }));
  return { ids, plain, name: text, words };
}

const letters = [..."abcdefghijklmnopqrstuvwxyz"];
/** Of a shorter word nearly any is a slip. */
const shortestSlip = 4;
const longestSlip = 20;

/** The same text, each word now also found where one letter was left out, added, changed or swapped with the next. */
export function withSlips(typed: Typed): Typed {
  return { ...typed, words: typed.words.map(({ start }) => ({ start, slips: slipsOf(start) })) };
}

function slipsOf(word: string): string[] {
  if (word.length < shortestSlip || word.length > longestSlip || !/^[a-z]+$/.test(word)) return [];
  const found = new Set<string>();
  for (let at = 0; at <= word.length; at++) {
    const [before, after] = [word.slice(0, at), word.slice(at)];
    for (const letter of letters) found.add(before + letter + after);
    if (after === "") continue;
    found.add(before + after.slice(1));
    for (const letter of letters) found.add(before + letter + after.slice(1));
    if (after.length > 1) found.add(`${before}${after[1]}${after[0]}${after.slice(2)}`);
  }
  found.delete(word);
  return [...found];
}
