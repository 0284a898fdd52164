import type { Motion } from "../commands/grid-handle.ts";
import type { Jump, RowFeed } from "./row-feed.ts";

/** Row −1 is the header. */
export interface Place {
  readonly row: number;
  readonly column: number;
}

/** Rows and columns there are, and rows a page motion passes. */
export interface Extent {
  readonly rows: number;
  readonly columns: number;
  readonly page: number;
  /** Rows that are not held stand before the first: it does not lie below the header. */
  readonly moreBefore?: boolean;
}

export const headerRow = -1;

/** Where a motion leads; the place itself when it leads nowhere. The header is reached by single steps only. */
export function next(motion: Motion, place: Place, extent: Extent): Place {
  const { row, column } = place;
  const lastRow = extent.rows - 1;
  const lastColumn = Math.max(0, extent.columns - 1);
  const page = Math.max(1, extent.page);
  switch (motion) {
    case "next-row":
      return at(Math.min(row + 1, lastRow), column);
    case "previous-row":
      return at(Math.max(row - 1, extent.moreBefore === true && row >= 0 ? 0 : headerRow), column);
    case "next-page":
      return at(Math.min(Math.max(row, 0) + page, lastRow), column);
    case "previous-page":
      return at(Math.max(row - page, Math.min(row, 0)), column);
    case "first-row":
      return at(Math.min(0, lastRow), column);
    case "last-row":
      return at(lastRow, column);
    case "next-cell":
      return at(row, Math.min(column + 1, lastColumn));
    case "previous-cell":
      return at(row, Math.max(column - 1, 0));
    case "first-cell":
      return at(row, 0);
    case "last-cell":
      return at(row, lastColumn);
  }

  function at(toRow: number, toColumn: number): Place {
    return toRow === row && toColumn === column ? place : { row: toRow, column: toColumn };
  }
}

/** Motions that move by pages carry the view with them, so that the cursor keeps its height on the screen. */
export function isPaging(motion: Motion): boolean {
  return motion === "next-page" || motion === "previous-page";
}

/** The end of the list a motion means, where the rows there are not held; null: it stays among those held. */
export function jumpOf(
  motion: Motion,
  { more, moreBefore, feed }: { more: boolean; moreBefore: boolean; feed: RowFeed | null },
): Jump | null {
  if (feed === null) return null;
  if (motion === "first-row") return moreBefore ? "first" : null;
  return motion === "last-row" && more ? "last" : null;
}
