import type { MessageKey } from "../texts/messages.ts";
import type { CellKind } from "./sheet.ts";

/** Motions in reading order: "next-cell" is to the right in English and to the left in Arabic. */
export const motions = [
  "next-row",
  "previous-row",
  "next-page",
  "previous-page",
  "first-row",
  "last-row",
  "next-cell",
  "previous-cell",
  "first-cell",
  "last-cell",
] as const;
export type Motion = (typeof motions)[number];

export type Density = "compact" | "normal" | "roomy";

/** A column as commands name it. */
export interface NamedColumn {
  readonly id: string;
  readonly titleKey: MessageKey;
  readonly sortable?: boolean;
}

/** Every row that matches the query, loaded or not; null where nobody has counted them. */
export interface Everything {
  readonly count: number | null;
}

/** What became of a copy: its size, or why there is none. */
export type Copied = { readonly rows: number; readonly columns: number; readonly text: string } | "nothing" | "too-much" | "refused";

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

/** What the amounts of a selection come to, exact. */
export interface Figures {
  readonly count: number;
  /** Worded as amounts are. */
  readonly sum: string;
  readonly mean: string;
}

/** What is selected, for the status bar: a range of cells, else the marked rows. */
export interface GridSelection {
  readonly of: "range" | "marks";
  readonly rows: number;
  readonly columns: number;
  /** Null where no amount is selected, and while they are being added up. */
  readonly figures: Figures | null;
}

/** How a column stands in its grid. */
export interface ColumnStanding {
  readonly id: string;
  readonly titleKey: MessageKey;
  readonly sortable: boolean;
  readonly order: "ascending" | "descending" | null;
  readonly pinned: "start" | "end" | null;
  /** No other is shown. */
  readonly alone: boolean;
}

/** What commands do to a grid. Rows come out in grid order. */
export interface GridHandle<Row = unknown> {
  focus(): void;
  /** `extend`: marks on from the mark's anchor. `range`: stretches the range of cells from its anchor. */
  move(motion: Motion, options?: { extend?: boolean; range?: boolean }): void;
  /** The row under the cursor, a tombstone too; null in the header and in an empty grid. */
  cursorRow(): Row | null;
  /** Index of the cursor's row among all there are; −1 in the header, and where nobody has counted the rows before it. */
  cursorIndex(): number;
  /** Text of the cell under the cursor, as copied; a column's title in the header. */
  cursorText(): string;
  columnUnderCursor(): NamedColumn | null;
  rowAt(index: number): Row | undefined;
  rowCount(): number;
  /** Puts the cursor on a loaded row and brings it into view; false when it is not loaded. */
  scrollToId(id: string, columnId?: string): boolean;
  /** What a jump to a time needs: "ready", a column to sort by first, or null where there is no order by time. */
  timeOrder(): "ready" | { readonly sortBy: string } | null;
  /** To the first row at or past a time that `readMoment` reads; sorts by time first where it must. */
  jumpToTime(at: string): void;
  /** What the next key acts on: the marked rows, else the row under the cursor; tombstones left out. */
  targets(): readonly Row[];

  markedRows(): readonly Row[];
  /** The row under the cursor unless an id is given. */
  toggleMark(id?: string): void;
  /** All loaded rows. */
  markAll(): void;
  clearMarks(): void;
  /** Not only the loaded rows are marked, but all that match the question: only where the screen allows it. */
  marksEverything(): Everything | null;

  /** Back to the cursor's cell alone; false when there was no range. */
  collapseRange(): boolean;
  /** Takes off what is told of the cursor's cell; true when there was something. */
  dismissPeek(): boolean;
  /** Range of cells or marked rows as last at rest, with what their amounts come to. */
  selection(): GridSelection | null;
  onSelection(listener: () => void): () => void;
  /** To the clipboard as TSV: the range, else the marked rows, else the cursor's cell; or the cursor's whole row. */
  copySelection(what?: { titles?: boolean; row?: boolean }): Promise<Copied>;

  /** What an export takes: the marked rows, else all loaded ones; columns in the order on screen. */
  taken(): TakenRows;

  /** Opens the field that finds in the loaded rows. */
  openFind(): void;
  /** The same with a text: the cursor goes to the first cell that holds it. */
  find(text: string): void;
  /** To the next cell that holds what was sought last, or the one before; opens the field when nothing was. */
  findNext(by: 1 | -1): void;

  /** True while the cursor is in the header row. */
  inHeader(): boolean;
  /** In the header: sort by this column. On a row: open it. */
  activate(): void;
  /** Next order of the cursor's column: ascending, descending, none; `add` keeps the other columns' orders. */
  sortByCursorColumn(add?: boolean): void;
  /** Puts the cursor's column into that order, or out of the order; beside others it keeps its place among them. */
  orderByCursorColumn(order: ColumnStanding["order"]): void;
  /** How the cursor's column stands; null where there are no columns. */
  columnStanding(): ColumnStanding | null;
  /** Where the header of the cursor's column lies on the page. */
  columnBox(): DOMRectReadOnly | null;
  /** px */
  setWidth(columnId: string, width: number): void;
  /** Wider or narrower by `by` px: the cursor's column unless told. */
  resizeColumn(by: number, columnId?: string): void;
  /** As wide as the widest text among the rows on screen. */
  fitColumn(columnId?: string): void;
  /** Towards the end by `by` places, negative towards the start. */
  moveColumn(by: number, columnId?: string): void;
  hideColumn(columnId?: string): void;
  pinColumn(side: "start" | "end" | null, columnId?: string): void;
  resetColumns(): void;
  /** Those shown in their order, then the hidden ones. */
  allColumns(): readonly (NamedColumn & { readonly shown: boolean })[];
  showColumn(columnId: string): void;
  setDensity(density: Density): void;
}
