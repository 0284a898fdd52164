import { folded } from "../../../values/folded.ts";

/** Most rows that are shown. */
export const mostResults = 50;

/** Ignores width, case, accents, and the script of digits, as search does. */
export const normalise = (text: string): string => folded(text).replace(/\s+/g, " ").trim();

export interface Candidate {
  readonly name: string;
  /** The English name, where the user has another language. */
  readonly english?: string | undefined;
  /** Synonyms, comma separated. */
  readonly words: string;
  /** Short codes, which match exactly or not at all. */
  readonly codes?: readonly string[];
}

interface PreparedName {
  readonly name: string;
  readonly words: readonly string[];
}

interface Prepared {
  readonly codes: readonly string[];
  /** The user's language first. */
  readonly names: readonly PreparedName[];
  readonly synonyms: string;
  /** Words of the names and synonyms. */
  readonly all: readonly string[];
}

/** Kept as long as the candidate, because every key press scores the same ones again. */
const prepared = new WeakMap<Candidate, Prepared>();

function prepare(candidate: Candidate): Prepared {
  const known = prepared.get(candidate);
  if (known !== undefined) return known;
  const names = [candidate.name, ...(candidate.english === undefined ? [] : [candidate.english])].map((written) => {
    const name = normalise(written);
    return { name, words: name.split(/[\s\-–/,.()'’]+/) };
  });
  const synonyms = normalise(candidate.words);
  const all = [...names.flatMap(({ words }) => words), ...synonyms.split(/[\s,，、،'’]+/)];
  const made = { codes: (candidate.codes ?? []).map(normalise), names, synonyms, all };
  prepared.set(candidate, made);
  return made;
}

/**
 * How well a candidate matches: 0 not at all; a code 1000, the whole name 900, its start 800, a word's start 600, every searched
 * word at some word's start 500, inside the name 400, in the synonyms 300, with one typing error 200, initials of its words 100.
 */
export function score(wanted: string, candidate: Candidate): number {
  if (wanted === "") return 1;
  const { codes, names, synonyms, all } = prepare(candidate);
  if (codes.includes(wanted)) return 1000;
  if (names.some(({ name }) => name === wanted)) return 900;
  if (names.some(({ name }) => name.startsWith(wanted))) return 800;
  if (names.some(({ words }) => words.some((word) => word.startsWith(wanted)))) return 600;
  const parts = wanted.split(" ");
  if (parts.length > 1 && parts.every((part) => all.some((word) => word.startsWith(part)))) return 500;
  if (names.some(({ name }) => name.includes(wanted))) return 400;
  if (synonyms.includes(wanted)) return 300;
  if (parts.every((part) => all.some((word) => word.startsWith(part) || isSlip(part, word)))) return 200;
  return names.some(({ words }) => isAbbreviation(wanted.replaceAll(" ", ""), words)) ? 100 : 0;
}

/** Least length for typing errors, because a shorter word is one error from nearly any. */
const shortestSlip = 5;

/** Whether a word begins with the part but for one letter left out, added, changed or swapped with the next. */
function isSlip(part: string, word: string): boolean {
  if (part.length < shortestSlip) return false;
  return [part.length, part.length - 1, part.length + 1].some(
    (length) => length <= word.length && differByOne(part, word.slice(0, length)),
  );
}

function differByOne(a: string, b: string): boolean {
  let start = 0;
  while (start < a.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  const [left, right] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  if (left.length <= 1 && right.length <= 1) return true;
  return left.length === 2 && right.length === 2 && left[0] === right[1] && left[1] === right[0];
}

/** Whether letters occur in order in words, each used word from its first letter: "wdr" and "mkdr" do. */
function isAbbreviation(letters: string, words: readonly string[]): boolean {
  if (letters.length < 2) return false;
  const fits = (at: number, word: number): boolean => {
    if (at === letters.length) return true;
    for (let next = word; next < words.length; next++) {
      const text = words[next] ?? "";
      if (text[0] !== letters[at]) continue;
      let inside = 1;
      for (let to = at + 1; ; to++) {
        if (fits(to, next + 1)) return true;
        inside = text.indexOf(letters[to] ?? "", inside) + 1;
        if (inside === 0 || to >= letters.length) break;
      }
    }
    return false;
  };
  return fits(0, 0);
}

/** The synonym, as it is written, that matches a text which no name contains; null: none. */
export function synonymFor(typed: string, candidate: Candidate): string | null {
  const wanted = normalise(typed);
  if (wanted === "" || prepare(candidate).names.some(({ name }) => name.includes(wanted))) return null;
  const parts = wanted.split(" ");
  const synonyms = candidate.words.split(/[,，、،]/).map((one) => one.trim());
  return synonyms.find((one) => parts.every((part) => normalise(one).includes(part))) ?? null;
}

interface Scored<C> {
  readonly candidate: C;
  readonly score: number;
}

/** A candidate's weight by use; 0 for one never used. */
export type WeightOf = (id: string) => number;

export const weighsNothing: WeightOf = () => 0;

/** Least score of a good match; from a synonym on. */
const surely = 300;

/** Matching candidates, best first; equals by use, then in the given order. */
export function rank<C extends Candidate & { readonly id: string }>(
  text: string,
  candidates: readonly C[],
  weightOf: WeightOf = weighsNothing,
): Scored<C>[] {
  const wanted = normalise(text);
  const scored = candidates.map((candidate, at) => ({ candidate, at, score: score(wanted, candidate), weight: weightOf(candidate.id) }));
  // loose matches count only where there is no good one
  const least = scored.some((entry) => entry.score >= surely) ? surely : 1;
  return scored
    .filter((entry) => entry.score >= least)
    .toSorted((a, b) => b.score - a.score || b.weight - a.weight || a.at - b.at)
    .slice(0, mostResults)
    .map(({ candidate, score }) => ({ candidate, score }));
}

/** 0: exact (code or whole name), 1: a good match, 2: a loose one. */
export function tier(score: number): 0 | 1 | 2 {
  return score >= 900 ? 0 : score >= 400 ? 1 : 2;
}

/** Splits a name for emphasis: [before, match, after]; null where it does not contain the text. */
export function split(name: string, text: string): readonly [string, string, string] | null {
  const wanted = text.trim().toLowerCase();
  const at = wanted === "" ? -1 : name.toLowerCase().indexOf(wanted);
  return at === -1 ? null : [name.slice(0, at), name.slice(at, at + wanted.length), name.slice(at + wanted.length)];
}
