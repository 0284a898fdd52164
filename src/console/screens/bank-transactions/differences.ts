/** A part of a text, and whether the other text has it too. */
export interface Part {
  readonly text: string;
  readonly same: boolean;
}

/** A word or a letter, and whether the other text has it. */
interface Unit {
  readonly text: string;
  readonly same: boolean;
}

/** Words longer than this are not compared letter by letter, because the comparison grows with both lengths. */
const longest = 140;

const letters = new Intl.Segmenter(undefined, { granularity: "grapheme" });
const words = new Intl.Segmenter(undefined, { granularity: "word" });

const cut = (text: string, segmenter: Intl.Segmenter): string[] => [...segmenter.segment(text)].map(({ segment }) => segment);

/** How two units are compared: in any case, and a blank equals any other. */
const folded = (unit: string): string => unit.toLowerCase().replace(/^\s+$/u, " ");

/**
 * Two texts in parts: those that both have, in the same order, and those that only one has. The parts of each give the text whole, so
 * that equal parts can stand dim and differences lit. Whole words are found first, and letters only between them, because scattered
 * letters that happen to be equal tell nobody anything.
 */
export function compared(a: string, b: string): readonly [readonly Part[], readonly Part[]] {
  const sides: readonly [Unit[], Unit[]] = [[], []];
  align(cut(a, words), cut(b, words), sides, 1, (left, right) => {
    const [one, other] = [left.join(""), right.join("")];
    if (one.length > longest || other.length > longest) return lit(left, right, sides);
    align(cut(one, letters), cut(other, letters), sides, fewest, (x, y) => lit(x, y, sides));
  });
  return [joined(sides[0]), joined(sides[1])];
}

type Gap = (left: readonly string[], right: readonly string[]) => void;

function lit(left: readonly string[], right: readonly string[], [a, b]: readonly [Unit[], Unit[]]): void {
  a.push(...left.map((text) => ({ text, same: false })));
  b.push(...right.map((text) => ({ text, same: false })));
}

/** Writes the units that both have, at least `least` in a row, and hands what stands between them to `gap`. */
function align(a: readonly string[], b: readonly string[], sides: readonly [Unit[], Unit[]], least: number, gap: Gap): void {
  let [fromA, fromB] = [0, 0];
  for (const [i, j] of [...runsOf(sharedUnits(a.map(folded), b.map(folded)), least), [a.length, b.length] as const]) {
    gap(a.slice(fromA, i), b.slice(fromB, j));
    if (i < a.length) {
      sides[0].push({ text: a[i] ?? "", same: true });
      sides[1].push({ text: b[j] ?? "", same: true });
    }
    [fromA, fromB] = [i + 1, j + 1];
  }
}

/** Fewer equal letters in a row than these are chance. */
const fewest = 3;

/** The pairs that stand in runs of at least `least` on both sides. */
function runsOf(pairs: readonly (readonly [number, number])[], least: number): readonly (readonly [number, number])[] {
  const runs: (readonly [number, number])[][] = [];
  for (const pair of pairs) {
    const last = runs.at(-1)?.at(-1);
    if (last && pair[0] === last[0] + 1 && pair[1] === last[1] + 1) runs.at(-1)?.push(pair);
    else runs.push([pair]);
  }
  return runs.filter((run) => run.length >= least).flat();
}

/** A longest common subsequence, as pairs of places. */
function sharedUnits(a: readonly string[], b: readonly string[]): (readonly [number, number])[] {
  const lengths = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  const at = (i: number, j: number): number => lengths[i]?.[j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const row = lengths[i];
      if (row) row[j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const pairs: (readonly [number, number])[] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    if (a[i] === b[j]) pairs.push([i++, j++]);
    else if (at(i + 1, j) >= at(i, j + 1)) i++;
    else j++;
  }
  return pairs;
}

/** Neighbours of the same kind in one part. */
function joined(units: readonly Unit[]): Part[] {
  const parts: { text: string; same: boolean }[] = [];
  for (const { text, same } of units) {
    const last = parts.at(-1);
    if (last?.same === same) last.text += text;
    else parts.push({ text, same });
  }
  return parts;
}
