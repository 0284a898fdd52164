import type { CellKind } from "../export/sheet.ts";
import type { GridColumn } from "./grid-column.ts";

/** Rows on their way out of a grid. */
export interface TakenRows {
  readonly columns: readonly { readonly id: string; readonly title: string; readonly kind: CellKind; readonly width: number }[];
  /** Cell by column, as sheets want them. */
  readonly rows: readonly (readonly (string | null)[])[];
  readonly marked: boolean;
  /** More match than could be taken. */
  readonly more: boolean;
  /** How many match; null while nobody has counted them. */
  readonly total: number | null;
}

type Shown<Row> = readonly { readonly column: GridColumn<Row>; readonly width: number }[];

export function takenCells<Row>(
  rows: readonly Row[],
  shown: Shown<Row>,
  titleOf: (column: GridColumn<Row>) => string,
): Pick<TakenRows, "columns" | "rows"> {
  return {
    columns: shown.map(({ column, width }) => ({ id: column.id, title: titleOf(column), kind: kindOf(column), width })),
    rows: rows.map((row) => shown.map(({ column }) => (column.amount ?? column.time ?? column.text)(row))),
  };
}

function kindOf<Row>(column: GridColumn<Row>): CellKind {
  if (column.amount !== undefined) return "amount";
  return column.time === undefined ? "text" : "time";
}
