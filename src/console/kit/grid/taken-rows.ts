import type { TakenRows } from "../commands/grid-handle.ts";
import type { CellKind } from "../commands/sheet.ts";
import type { GridColumn } from "./grid-column.ts";

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
