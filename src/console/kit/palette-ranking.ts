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

/**
 * How well a candidate answers: 0 not at all; a code 1000, the whole name 900, its start 800, a word's start 600,
 * every wanted word's start somewhere 500, inside the name 400, in the synonyms 300, letters in order 100.
 */
export function score(wanted: string, candidate: Candidate): number {
  if (wanted === "") return 1;
  if (candidate.codes?.some((code) => normalise(code) === wanted) === true) return 1000;
  const name = normalise(candidate.name);
  if (name === wanted) return 900;
  if (name.startsWith(wanted)) return 800;
  const words = name.split(/[\s\-–/,.()]+/);
  if (words.some((word) => word.startsWith(wanted))) return 600;
  const synonyms = normalise(candidate.words);
  const all = [...words, ...synonyms.split(/[\s,，、]+/)];
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

export interface Scored<C> {
  readonly candidate: C;
  readonly score: number;
}

/** The matching ones, best first; among equals the recently used, then the given order. `recent` is latest first. */
export function rank<C extends Candidate & { readonly id: string }>(
  text: string,
  candidates: readonly C[],
  recent: readonly string[],
): Scored<C>[] {
  const wanted = normalise(text);
  return candidates
    .map((candidate, at) => {
      const place = recent.indexOf(candidate.id);
      return { candidate, at, score: score(wanted, candidate), place: place === -1 ? recent.length : place };
    })
    .filter((entry) => entry.score > 0)
    .toSorted((a, b) => b.score - a.score || a.place - b.place || a.at - b.at)
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
