import { folded as foldedText } from "../../../values/folded.ts";

/** As search reads it, and without the shape of an apostrophe. */
export const folded = (text: string): string => foldedText(text.trim()).replaceAll("’", "'");

/** Letters to change, add, leave out or swap to make one text of another. */
function distance(one: string, other: string): number {
  const [a, b] = [[...one], [...other]];
  let [before, row] = [[] as number[], Array.from({ length: b.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      const swap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? (before[j - 2] ?? 0) + 1 : Infinity;
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (same ? 0 : 1), swap));
    }
    [before, row] = [row, next];
  }
  return row[b.length] ?? Infinity;
}

/** The one of these most like a text; null: none is like it. */
export function closest(text: string, among: readonly string[]): string | null {
  const asked = folded(text);
  const ranked = among
    .map((word) => ({ word, by: folded(word).startsWith(asked) ? 0.5 : distance(asked, folded(word)) }))
    .toSorted((a, b) => a.by - b.by);
  const [best] = ranked;
  return best !== undefined && best.by <= Math.max(1, Math.floor(asked.length / 2)) ? best.word : null;
}
