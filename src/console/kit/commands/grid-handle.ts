import type { ListCell } from "../../../contract/list-cells.ts";
import type { MessageKey } from "../texts/messages.ts";

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

/** A column for commands: its id and title. */
export interface NamedColumn {
  readonly id: string;
  readonly titleKey: MessageKey;
  readonly sortable?: boolean;
}

/** All rows that match the query, loaded or not; null while they are not counted. */
export interface Everything {
  readonly count: number | null;
}

/** Result of a copy: its size, or why nothing was copied. */
export type Copied = { readonly rows: number; readonly columns: number; readonly text: string } | "nothing" | "too-much" | "refused";

/** A column as a file has it. */
export interface TakenColumn {
  readonly id: string;
  readonly title: string;
  /** px */
  readonly width: number;
  readonly cell: ListCell;
}

/** Rows taken out of a grid, for an export. */
export interface TakenRows<Row = unknown> {
  readonly columns: readonly TakenColumn[];
  readonly rows: readonly Row[];
  readonly marked: boolean;
  /** More rows match than were taken. */
  readonly more: boolean;
  /** Number of matching rows; null while they are not counted. */
  readonly total: number | null;
}

/** Exact figures of the selected amounts. */
export interface Figures {
  readonly count: number;
  /** Formatted as an amount. */
  readonly sum: string;
  readonly mean: string;
}

/** The selection for the status bar: a range of cells, else the marked rows. */
export interface GridSelection {
  readonly of: "range" | "marks";
  readonly rows: number;
  readonly columns: number;
  /** Null where no amount is selected, or while they are being added up. */
  readonly figures: Figures | null;
}

/** State of a column in its grid. */
export interface ColumnStanding {
  readonly id: string;
  readonly titleKey: MessageKey;
  readonly sortable: boolean;
  readonly order: "ascending" | "descending" | null;
  readonly pinned: "start" | "end" | null;
  /** It is the only column shown. */
  readonly alone: boolean;
}

/** What commands can do with a grid. Rows are returned in grid order. */
export interface GridHandle<Row = unknown> {
  focus(): void;
  /** `extend` marks rows from the marks' anchor; `range` extends the range of cells from its anchor. */
  move(motion: Motion, options?: { extend?: boolean; range?: boolean }): void;
  /** The row under the cursor, including a tombstone; null in the header and in an empty grid. */
  cursorRow(): Row | null;
  /** Index of the cursor's row among all rows; −1 in the header, and where the rows before it are not counted. */
  cursorIndex(): number;
  /** Text of the cell under the cursor, as copied; in the header the column's title. */
  cursorText(): string;
  columnUnderCursor(): NamedColumn | null;
  rowAt(index: number): Row | undefined;
  rowCount(): number;
  /** Resolves once the first rows of what is asked for have come, or are known not to; null where none are on their way. */
  firstRows(): Promise<void> | null;
  /** Moves the cursor to a loaded row and scrolls it into view; false when the row is not loaded. */
  scrollToId(id: string, columnId?: string): boolean;
  /** What a jump to a time needs: "ready", a column to sort by first, or null where the list has no order by time. */
  timeOrder(): "ready" | { readonly sortBy: string } | null;
  /** Goes to the first row at or after a time that `readMoment` reads; sorts by time first where necessary. */
  jumpToTime(at: string): void;
  /** Rows the next key acts on: the marked ones, else the one under the cursor; without tombstones. */
  targets(): readonly Row[];

  markedRows(): readonly Row[];
  /** Toggles the mark of the row under the cursor, unless an id is given. */
  toggleMark(id?: string): void;
  /** Marks all loaded rows. */
  markAll(): void;
  clearMarks(): void;
  /** Not null while all rows that match the query are marked, loaded or not; only where the screen allows it. */
  marksEverything(): Everything | null;

  /** Reduces the range to the cursor's cell; false when there was no range. */
  collapseRange(): boolean;
  /** Hides the full text of the cursor's cell; true when it was shown. */
  dismissPeek(): boolean;
  /** The range of cells or the marked rows as last at rest, with the figures of their amounts. */
  selection(): GridSelection | null;
  onSelection(listener: () => void): () => void;
  /** Copies the range as TSV, else the marked rows, else the cursor's cell; or the cursor's whole row. */
  copySelection(what?: { titles?: boolean; row?: boolean }): Promise<Copied>;

  /** Rows for an export: the marked ones, else all loaded ones; columns in their order on screen. */
  taken(): TakenRows<Row>;

  /** Opens the field that finds text in the loaded rows. */
  openFind(): void;
  /** Opens it with a text, and moves the cursor to the first cell that contains it. */
  find(text: string): void;
  /** Moves to the next or previous match of the last search; opens the field when there was none. */
  findNext(by: 1 | -1): void;

  /** True while the cursor is in the header row. */
  inHeader(): boolean;
  /** In the header it sorts by the column; on a row it opens the row. */
  activate(): void;
  /** Changes the order of the cursor's column in turn: ascending, descending, none. `add` keeps the other columns' orders. */
  sortByCursorColumn(add?: boolean): void;
  /** Sets or removes the order of the cursor's column; among several columns it keeps its place. */
  orderByCursorColumn(order: ColumnStanding["order"]): void;
  /** State of the cursor's column; null where there are no columns. */
  columnStanding(): ColumnStanding | null;
  /** Position of the column's header on the page. */
  columnBox(): DOMRectReadOnly | null;
  /** px */
  setWidth(columnId: string, width: number): void;
  /** Changes a width by `by` px; the cursor's column unless another is named. */
  resizeColumn(by: number, columnId?: string): void;
  /** Makes the column as wide as its widest text on screen. */
  fitColumn(columnId?: string): void;
  /** Moves the column by `by` places towards the end; negative towards the start. */
  moveColumn(by: number, columnId?: string): void;
  hideColumn(columnId?: string): void;
  pinColumn(side: "start" | "end" | null, columnId?: string): void;
  resetColumns(): void;
  /** Shown columns in their order, then the hidden ones. */
  allColumns(): readonly (NamedColumn & { readonly shown: boolean })[];
  showColumn(columnId: string): void;
  setDensity(density: Density): void;
}
