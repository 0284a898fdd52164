import type { ShownColumn } from "./fitted-columns.ts";

/** What the pointer is over. */
export interface Pointed {
  /** −1: the header. */
  readonly row: number;
  readonly column: number | null;
  readonly columnId: string | null;
  readonly mark: boolean;
  readonly edge: boolean;
  /** Over the button of the column's menu. */
  readonly menu: boolean;
}

/**
 * Reads the place from ARIA indexes: header row 1, first row 2, with `before` rows before the first loaded one; mark boxes are
 * the first column.
 */
export function pointedAt<Row>(
  target: EventTarget | null,
  columns: readonly ShownColumn<Row>[],
  marks: boolean,
  before: number,
): Pointed | null {
  if (!(target instanceof Element)) return null;
  const rowIndex = target.closest("[role=row]")?.ariaRowIndex;
  if (!rowIndex) return null;
  const cell = target.closest("[role=gridcell], [role=columnheader]");
  const index = cell === null ? null : Number(cell.ariaColIndex) - (marks ? 2 : 1);
  const column = index !== null && index >= 0 ? index : null;
  const columnId = column === null ? null : (columns[column]?.column.id ?? null);
  const row = rowIndex === "1" ? -1 : Number(rowIndex) - 2 - before;
  return {
    row,
    column,
    columnId,
    mark: index === -1,
    edge: target.closest(".edge") !== null,
    menu: target.closest(".column-menu") !== null,
  };
}
