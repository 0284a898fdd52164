/** Rows first … last − 1. */
export interface RowRange {
  readonly first: number;
  readonly last: number;
}

/** Rows kept painted beyond the view on both sides. */
export const margin = 3;

/**
 * The rows the pool should hold for what is seen: the same range as long as it still covers the view and its margin,
 * so that most wheel frames write nothing; then moved at once with three quarters of the spare rows ahead.
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

/** The rows seen and the margin round them, nothing more. */
export function closeWindow(seen: RowRange, count: number): RowRange {
  return { first: Math.max(0, seen.first - margin), last: Math.min(count, seen.last + margin) };
}
