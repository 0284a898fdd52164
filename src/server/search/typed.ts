import { sql } from "kysely";
import type { Scoped } from "../db/scope.ts";

/** A typed word, folded, and the words it may be a typo of. */
interface TypedWord {
  readonly start: string;
  readonly typos: readonly string[];
}

/** A search text, parsed. */
export interface Typed {
  /** Whole ids and numbers: the text itself, or each of several pasted ones. */
  readonly ids: readonly string[];
  /** The same without blanks and hyphens, as account numbers are stored; without empty ones. */
  readonly plain: readonly string[];
  /** null: several ids, not a name. */
  readonly name: string | null;
  readonly words: readonly TypedWord[];
}

const mostIds = 50;
const mostWords = 6;

/** Signs the console writes around the last characters of a number. */
const signsAround = /^[^\p{L}\p{N}]+|[\s,;…]+$/gu;

/** Whether a part has a digit and is too long for a word of a name. */
const isId = (part: string): boolean => part.length >= 4 && /\d/.test(part);

/** Parses a text; the database folds its words as it folds stored ones. */
export async function readTyped(db: Scoped, q: string): Promise<Typed> {
  const text = q.replace(signsAround, "");
  const parts = text
    .split(/[\s,;]+/)
    .map((part) => part.replace(signsAround, ""))
    .filter((part) => part !== "");
  // "7012 3456" is one number; several ids have letters, or enough digits to be separate numbers
  const several = parts.length > 1 && parts.every((part) => isId(part) && (/\p{L}/u.test(part) || part.length >= 6));
  const whole = parts.join(" ");
  const ids = [...new Set(several ? [...parts.slice(0, mostIds), whole] : [text])].filter((id) => id !== "");
  const plain = [...new Set(ids.map((id) => id.replace(/[ -]/g, "")))].filter((id) => id !== "");
  if (several || text === "") return { ids, plain, name: null, words: [] };
  const { rows } = await sql<{ words: string[] }>`select folded_words(${text}::text) as words`.execute(db);
  const words = [...new Set(rows[0]?.words)].slice(0, mostWords).map((start) => ({ start, typos: [] }));
  return { ids, plain, name: text, words };
}

const letters = [..."abcdefghijklmnopqrstuvwxyz"];
/** Shorter words are too similar to others. */
const shortestTypo = 4;
const longestTypo = 20;

/** The same text with each word also matching words with one letter left out, added, changed or swapped. */
export function withTypos(typed: Typed): Typed {
  return { ...typed, words: typed.words.map(({ start }) => ({ start, typos: typosOf(start) })) };
}

function typosOf(word: string): string[] {
  if (word.length < shortestTypo || word.length > longestTypo || !/^[a-z]+$/.test(word)) return [];
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
