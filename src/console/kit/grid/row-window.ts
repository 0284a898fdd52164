/** Rows first … last − 1. */
export interface RowRange {
  readonly first: number;
  readonly last: number;
}

/** Rows painted beyond the view on both sides. */
export const margin = 3;

/**
 * The rows the pool should hold: the same range while it covers the view and its margin, so that most wheel frames write nothing;
 * else moved with three quarters of the spare rows ahead.
 */
export function slideWindow(current: RowRange, seen: RowRange, count: number, pool: number): RowRange {
  const { first, last } = closeWindow(seen, count);
  if (current.first <= first && current.last >= last && current.last <= count && current.last - current.first <= pool) return current;
  const spare = Math.max(0, pool - (seen.last - seen.first));
  const forward = seen.first >= current.first;
  const behind = Math.floor(forward ? spare / 4 : (spare * 3) / 4);
  const from = Math.max(0, Math.min(seen.first - behind, count - pool));
  return { first: from, last: Math.min(count, from + pool) };
}

/** The rows in view and their margin. */
export function closeWindow(seen: RowRange, count: number): RowRange {
  return { first: Math.max(0, seen.first - margin), last: Math.min(count, seen.last + margin) };
}
