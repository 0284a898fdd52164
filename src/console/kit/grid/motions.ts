import type { Motion } from "../commands/grid-handle.ts";
import type { Jump, RowFeed } from "./row-feed.ts";

/** Row −1 is the header. */
export interface Place {
  readonly row: number;
  readonly column: number;
}

/** Number of rows and columns, and the rows that a page motion moves by. */
export interface Extent {
  readonly rows: number;
  readonly columns: number;
  readonly page: number;
  /** There are rows before the first loaded one, so the header is not directly above it. */
  readonly moreBefore?: boolean;
}

export const headerRow = -1;

/** Where a motion leads; the same place when it leads nowhere. Only single steps reach the header. */
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

/** How tiles lie: so many in a line, so many whole lines in view, and rows before the loaded ones, which fill their lines. */
export interface TileExtent {
  readonly rows: number;
  readonly before: number;
  readonly perLine: number;
  readonly lines: number;
}

/** Where a motion leads among tiles: a row is a line of them, and a cell is one of them. The header is out of reach. */
export function nextTile(motion: Motion, place: Place, { rows, before, perLine, lines }: TileExtent): Place {
  const row = Math.max(0, place.row);
  const [line, inLine] = [Math.floor((before + row) / perLine), (before + row) % perLine];
  const within = (at: number) => Math.min(Math.max(at, 0), rows - 1);
  const [firstLine, lastLine] = [Math.floor(before / perLine), Math.floor((before + rows - 1) / perLine)];
  const onLine = (wanted: number) => within(Math.min(Math.max(wanted, firstLine), lastLine) * perLine + inLine - before);
  const page = Math.max(1, lines - 1);
  const to: Readonly<Record<Motion, number>> = {
    "next-row": onLine(line + 1),
    "previous-row": onLine(line - 1),
    "next-page": onLine(line + page),
    "previous-page": onLine(line - page),
    "first-row": 0,
    "last-row": rows - 1,
    "next-cell": within(row + 1),
    "previous-cell": within(row - 1),
    "first-cell": within(row - inLine),
    "last-cell": within(row - inLine + perLine - 1),
  };
  return rows === 0 || to[motion] === place.row ? place : { row: to[motion], column: place.column };
}

/** Whether a motion moves the view by a page, so that the cursor keeps its height on screen. */
export function isPaging(motion: Motion): boolean {
  return motion === "next-page" || motion === "previous-page";
}

/** The end of the list that a motion goes to, where its rows are not loaded; null: it stays within the loaded rows. */
export function jumpOf(
  motion: Motion,
  { more, moreBefore, feed }: { more: boolean; moreBefore: boolean; feed: RowFeed | null },
): Jump | null {
  if (feed === null) return null;
  if (motion === "first-row") return moreBefore ? "first" : null;
  return motion === "last-row" && more ? "last" : null;
}
