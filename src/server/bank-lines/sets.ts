import { mostMatched } from "../../contract/bank-transactions.ts";
import type { Money } from "../../values/money.ts";

/** Most sets worth counting; with as many the amount says nothing. */
export const mostSets = 200;

/**
 * The sets of two to four of `items` whose amounts sum to `total` exactly, smaller sets first, at most `mostSets`. Items come in order of
 * preference. Larger sets are looked for only where there is no smaller one.
 */
export function setsOf<T extends { readonly moved: Money }>(items: readonly T[], total: Money): T[][] {
  const usable = items.filter(({ moved }) => moved > 0n && moved < total);
  for (let size = 2; size <= mostMatched; size++) {
    const found: T[][] = [];
    collect(usable, total, size, found);
    if (found.length > 0) return found;
  }
  return [];
}

/** Every set of `size`: all but its last two are tried one by one, the last two are found by their sum. */
function collect<T extends { readonly moved: Money }>(items: readonly T[], total: Money, size: number, found: T[][]): void {
  const choose = (from: number, chosen: readonly T[], left: Money) => {
    if (found.length >= mostSets) return;
    if (size - chosen.length === 2) return pairs(items, from, left, chosen, found);
    for (let at = from; at < items.length; at++) {
      const item = items[at] as T; // at is below the length
      if (item.moved < left) choose(at + 1, [...chosen, item], left - item.moved);
    }
  };
  choose(0, [], total);
}

function pairs<T extends { readonly moved: Money }>(
  items: readonly T[],
  from: number,
  total: Money,
  chosen: readonly T[],
  found: T[][],
): void {
  const seen = new Map<Money, T[]>();
  for (const item of items.slice(from)) {
    for (const first of seen.get(total - item.moved) ?? []) {
      if (found.length >= mostSets) return;
      found.push([...chosen, first, item]);
    }
    const same = seen.get(item.moved);
    if (same) same.push(item);
    else seen.set(item.moved, [item]);
  }
}
