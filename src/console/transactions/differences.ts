/** A part of a text, and whether the other text has it too. */
export interface Part {
  readonly text: string;
  readonly same: boolean;
}

/** What stands above each other where two texts are aligned; one is empty where only the other has something there. */
export interface Column {
  readonly above: string;
  readonly below: string;
  readonly same: boolean;
}

/** Words longer than this are not compared letter by letter, because the comparison grows with both lengths. */
const longest = 140;

const letters = new Intl.Segmenter(undefined, { granularity: "grapheme" });
const words = new Intl.Segmenter(undefined, { granularity: "word" });

const cut = (text: string, segmenter: Intl.Segmenter): string[] => [...segmenter.segment(text)].map(({ segment }) => segment);

/** How two units are compared: in any case, and a blank equals any other. */
const folded = (unit: string): string => unit.toLowerCase().replace(/^\s+$/u, " ");

/** Letters of these scripts are joined: a word in pieces could no longer be read. */
const joins = /[\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Thai}]/u;

/**
 * Two texts in parts: those that both have, in the same order, and those that only one has. The parts of each give the text whole, so
 * that equal parts can stand dim and differences lit. Whole words are found first, and letters only between them, because scattered
 * letters that happen to be equal tell nobody anything.
 */
export function compared(a: string, b: string): readonly [readonly Part[], readonly Part[]] {
  const columns = alignedUnits(a, b);
  return [
    partsOf(columns.map(({ above, same }) => ({ text: above, same }))),
    partsOf(columns.map(({ below, same }) => ({ text: below, same }))),
  ];
}

/** Two texts above each other, word by word, what both have in one column; a line may break between columns. */
export const aligned = (a: string, b: string): readonly Column[] => joined(alignedUnits(a, b)).flatMap(wordsOf);

function alignedUnits(a: string, b: string): readonly Column[] {
  const columns: Column[] = [];
  align(cut(a, words), cut(b, words), columns, 1, (left, right) => {
    const [one, other] = [left.join(""), right.join("")];
    if (Math.max(one.length, other.length) > longest || joins.test(one + other)) return lit(left, right, columns);
    align(cut(one, letters), cut(other, letters), columns, fewest, (x, y) => lit(x, y, columns));
  });
  return columns;
}

type Gap = (left: readonly string[], right: readonly string[]) => void;

function lit(left: readonly string[], right: readonly string[], columns: Column[]): void {
  if (left.length + right.length > 0) columns.push({ above: left.join(""), below: right.join(""), same: false });
}

/** Writes the units that both have, at least `least` in a row, and hands what stands between them to `gap`. */
function align(a: readonly string[], b: readonly string[], columns: Column[], least: number, gap: Gap): void {
  let [fromA, fromB] = [0, 0];
  for (const [i, j] of [...runsOf(sharedUnits(a.map(folded), b.map(folded)), least), [a.length, b.length] as const]) {
    gap(a.slice(fromA, i), b.slice(fromB, j));
    if (i < a.length) columns.push({ above: a[i] ?? "", below: b[j] ?? "", same: true });
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
function partsOf(units: readonly Part[]): Part[] {
  const parts: { text: string; same: boolean }[] = [];
  for (const { text, same } of units) {
    const last = parts.at(-1);
    if (text === "") continue;
    if (last?.same === same) last.text += text;
    else parts.push({ text, same });
  }
  return parts;
}

/** Neighbours that are the same, or different, in one column. */
function joined(units: readonly Column[]): Column[] {
  const columns: { above: string; below: string; same: boolean }[] = [];
  for (const { above, below, same } of units) {
    const last = columns.at(-1);
    if (last?.same === same) {
      last.above += above;
      last.below += below;
    } else columns.push({ above, below, same });
  }
  return columns;
}

/** A column for each word, because a line breaks between columns only. */
function wordsOf({ above, below, same }: Column): Column[] {
  const [ones, others] = [above, below].map((text) => text.match(/\s*\S+\s*|\s+/gu) ?? []);
  const count = Math.max(ones?.length ?? 0, others?.length ?? 0);
  return Array.from({ length: count }, (_, at) => ({ above: ones?.[at] ?? "", below: others?.[at] ?? "", same }));
}
