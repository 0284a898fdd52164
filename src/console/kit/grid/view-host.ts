import type { CellRange } from "./cell-range.ts";
import type { ShownColumn } from "./fitted-columns.ts";
import type { Place } from "./motions.ts";
import type { PaintedRows } from "./row-painter.ts";

export interface GridElements {
  readonly scroller: HTMLElement;
  readonly body: HTMLElement;
  readonly track: HTMLElement;
  readonly here: HTMLElement;
  readonly ring: HTMLElement;
  /** Live region for screen readers. */
  readonly spoken: HTMLElement;
}

export interface ViewOptions<Row> {
  readonly columns: readonly ShownColumn<Row>[];
  readonly marks: boolean;
  readonly rowHeight: number;
  readonly rtl: boolean;
  /** Texts of the totals row by column, which make their columns wide enough. */
  readonly totals?: Readonly<Record<string, string>> | undefined;
}

/** What the view needs from the owner of rows, cursor and marks. */
export interface ViewHost<Row> extends PaintedRows<Row> {
  place(): Place;
  range(): CellRange | null;
  /** Text that the cell under the cursor does not show; "" where nothing is missing. */
  hiddenText(cell: HTMLElement): string;
  /** Called after a render with the last row in view. */
  seen(last: number): void;
}
