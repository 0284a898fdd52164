import type { Density } from "../commands/grid-handle.ts";
import type { GridColumn, GridRow, Sort } from "./grid-column.ts";
import type { ShownColumn } from "./fitted-columns.ts";
import type { MessageKey } from "../texts/messages.ts";
import type { GridPaper } from "./printed-rows.ts";
import type { RowSource } from "./row-source.ts";
import type { GridWording } from "./spoken.ts";
import type { TotalsProof } from "./totals-row.tsx";

/** Changes of the columns' state; implemented with TanStack Table. */
export interface ColumnActs<Row> {
  sort(columnId: string, add: boolean): void;
  /** `desc` null removes the order. */
  order(columnId: string, desc: boolean | null): void;
  setWidth(columnId: string, width: number): void;
  move(columnId: string, by: number): void;
  hide(columnId: string): void;
  show(columnId: string): void;
  hidden(): readonly GridColumn<Row>[];
  pin(columnId: string, side: "start" | "end" | null): void;
  /** Drags a column's edge with the pointer, starting from its drawn width. */
  startResize(columnId: string, drawnWidth: number, event: MouseEvent): void;
  reset(): void;
}

export interface CoreOptions<Row extends GridRow> {
  readonly source: RowSource<Row>;
  readonly columns: readonly ShownColumn<Row>[];
  readonly marks: boolean;
  readonly rowHeight: number;
  readonly rtl: boolean;
  readonly acts: ColumnActs<Row>;
  readonly sort: readonly Sort[];
  /** Title of the grid on paper. */
  readonly label: string;
  readonly allowsEverything: boolean;
  setDensity(density: Density): void;
  readonly paper?: GridPaper<Row> | undefined;
  /** Texts that are spoken and printed. */
  readonly words: GridWording;
  titleOf(column: GridColumn<Row>): string;
  titled(key: MessageKey): string;
  /** By column, as it is written. */
  readonly totals?: Readonly<Record<string, string>> | undefined;
  readonly totalsProof?: TotalsProof | undefined;
  dim?(row: Row): boolean;
  onCursor?(row: Row | null): void;
  onColumn?(id: string): void;
  onHeader?(inHeader: boolean): void;
  onMarks?(ids: ReadonlySet<string>): void;
  /** Position of a column's header on the page. */
  headerBox(column: number): DOMRectReadOnly | null;
  onColumnMenu?(): void;
  onNeedMore?(): void;
  onOpen?(row: Row): void;
}
