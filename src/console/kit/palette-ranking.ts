/** At most so many rows are shown. */
export const mostResults = 50;

/** Width, case and accents do not count; Arabic and full-width digits read as Latin ones. */
export function normalise(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[٠-٩۰-۹]/g, (digit) => String((digit.codePointAt(0) ?? 0) & 15))
    .toLowerCase()
    .replace(/\s+/g, " ")
    .trim();
}

export interface Candidate {
  readonly name: string;
  /** Synonyms. */
  readonly words: string;
  /** Short codes, exact or nothing. */
  readonly codes?: readonly string[];
}

interface Prepared {
  readonly codes: readonly string[];
  readonly name: string;
  readonly words: readonly string[];
  readonly synonyms: string;
  /** Words of the name and synonyms. */
  readonly all: readonly string[];
}

/** Kept as long as the candidate: every key asks for the same ones again. */
const prepared = new WeakMap<Candidate, Prepared>();

function prepare(candidate: Candidate): Prepared {
  const known = prepared.get(candidate);
  if (known !== undefined) return known;
  const name = normalise(candidate.name);
  const words = name.split(/[\s\-–/,.()]+/);
  const synonyms = normalise(candidate.words);
  const made = { codes: (candidate.codes ?? []).map(normalise), name, words, synonyms, all: [...words, ...synonyms.split(/[\s,，、]+/)] };
  prepared.set(candidate, made);
  return made;
}

/**
 * How well a candidate answers: 0 not at all; a code 1000, the whole name 900, its start 800, a word's start 600,
 * every wanted word's start somewhere 500, inside the name 400, in the synonyms 300, letters in order 100.
 */
export function score(wanted: string, candidate: Candidate): number {
  if (wanted === "") return 1;
  const { codes, name, words, synonyms, all } = prepare(candidate);
  if (codes.includes(wanted)) return 1000;
  if (name === wanted) return 900;
  if (name.startsWith(wanted)) return 800;
  if (words.some((word) => word.startsWith(wanted))) return 600;
  const parts = wanted.split(" ");
  if (parts.length > 1 && parts.every((part) => all.some((word) => word.startsWith(part)))) return 500;
  if (name.includes(wanted)) return 400;
  if (synonyms.includes(wanted)) return 300;
  return isInOrder(wanted.replaceAll(" ", ""), name) ? 100 : 0;
}

function isInOrder(letters: string, text: string): boolean {
  if (letters.length < 2) return false;
  let at = 0;
  for (const letter of text) {
    if (letter === letters[at]) at += 1;
    if (at === letters.length) return true;
  }
  return false;
}

interface Scored<C> {
  readonly candidate: C;
  readonly score: number;
}

/** What a candidate weighs by its use; 0 for one never used. */
export type WeightOf = (id: string) => number;

export const weighsNothing: WeightOf = () => 0;

/** The matching ones, best first; among equals the often and lately used, then the given order. */
export function rank<C extends Candidate & { readonly id: string }>(
  text: string,
  candidates: readonly C[],
  weightOf: WeightOf = weighsNothing,
): Scored<C>[] {
  const wanted = normalise(text);
  return candidates
    .map((candidate, at) => ({ candidate, at, score: score(wanted, candidate), weight: weightOf(candidate.id) }))
    .filter((entry) => entry.score > 0)
    .toSorted((a, b) => b.score - a.score || b.weight - a.weight || a.at - b.at)
    .slice(0, mostResults)
    .map(({ candidate, score }) => ({ candidate, score }));
}

/** 0 the thing itself (code or whole name), 1 a good match, 2 a loose one. */
export function tier(score: number): 0 | 1 | 2 {
  return score >= 900 ? 0 : score >= 400 ? 1 : 2;
}

/** Where the wanted text stands in a name, for emphasis: [before, match, after]; null when it is not there as such. */
export function split(name: string, text: string): readonly [string, string, string] | null {
  const wanted = text.trim().toLowerCase();
  const at = wanted === "" ? -1 : name.toLowerCase().indexOf(wanted);
  return at === -1 ? null : [name.slice(0, at), name.slice(at, at + wanted.length), name.slice(at + wanted.length)];
}
