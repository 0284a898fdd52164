import type { Place } from "./motions.ts";

/** A rectangle of cells; all edges belong to it. */
export interface CellRange {
  readonly top: number;
  readonly bottom: number;
  readonly first: number;
  readonly last: number;
}

export function between(a: Place, b: Place): CellRange {
  return {
    top: Math.min(a.row, b.row),
    bottom: Math.max(a.row, b.row),
    first: Math.min(a.column, b.column),
    last: Math.max(a.column, b.column),
  };
}

export const rowsOf = (range: CellRange): number => range.bottom - range.top + 1;
