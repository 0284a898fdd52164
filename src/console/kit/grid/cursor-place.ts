import type { GridColumn, GridRow } from "./grid-column.ts";
import type { Place } from "./motions.ts";
import type { RowSource } from "./row-source.ts";

/** Where the cursor stands: by index, and by the ids of its row and column, because indexes change with live rows. */
export class CursorPlace<Row extends GridRow> {
  readonly #source: () => RowSource<Row>;
  #place: Place = { row: 0, column: 0 };
  #rowId: string | null = null;
  #columnId: string | null = null;

  constructor(source: () => RowSource<Row>) {
    this.#source = source;
  }

  get place(): Place {
    return this.#place;
  }
  /** null in the header, and before there are rows. */
  get rowId(): string | null {
    return this.#rowId;
  }

  row(): Row | null {
    return this.#source().at(this.#place.row) ?? null;
  }

  set(to: Place, columns: readonly GridColumn<Row>[]): void {
    this.#place = to;
    this.setRow(to.row);
    this.#columnId = columns[to.column]?.id ?? null;
  }

  setRow(row: number): void {
    this.#place = { row, column: this.#place.column };
    this.#rowId = row < 0 ? null : (this.#source().at(row)?.uuid ?? null);
  }

  /** Other columns are shown: it stays in its own where that is among them. */
  keepColumn(columns: readonly GridColumn<Row>[]): void {
    const kept = columns.findIndex(({ id }) => id === this.#columnId);
    this.#place = { row: this.#place.row, column: kept >= 0 ? kept : Math.min(this.#place.column, Math.max(0, columns.length - 1)) };
  }
}
