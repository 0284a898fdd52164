import type { ListCell } from "../../../contract/list-cells.ts";
import type { Density } from "../commands/grid-handle.ts";
import type { MessageKey } from "../texts/messages.ts";

/** What every row has: the id by which cursor and marks refer to it. */
export interface GridRow {
  readonly uuid: string;
}

/**
 * One column. `text` is what is copied, read aloud and, without `paint`, shown. It is called only for rows in view, and once a
 * second when `tick` is set.
 */
export interface GridColumn<Row> {
  readonly id: string;
  readonly titleKey: MessageKey;
  /** In the header it stands under a name it shares with the columns beside it, by a shorter title. */
  readonly under?: { readonly groupKey: MessageKey; readonly titleKey: MessageKey };
  /** px */
  readonly width: number;
  /** px; 40 by default. A growing column shrinks to it before the grid scrolls sideways. */
  readonly minWidth?: number;
  /** Share of the spare width; a column whose width was set by hand does not grow. */
  readonly grow?: number;
  readonly align?: "start" | "end";
  readonly sortable?: boolean;
  readonly pinned?: "start" | "end";
  /** Hidden until chosen; files and copies of a whole row contain it anyway, after the visible ones. */
  readonly aside?: boolean;
  /** Repainted every second while in view: ages, leases. */
  readonly tick?: true;
  /** Monospaced: ids, account numbers. Its column is as wide as the widest; made narrower by hand it keeps their ends. */
  readonly mono?: true;
  /** A rich cell with figures or an id: at the view's edge it is shown whole or not at all, as amounts and mono columns are. */
  readonly whole?: true;
  /** Does not flash when a patch changes it. */
  readonly quiet?: true;
  /** What is copied, found, read aloud and exported; also what is shown, by default. */
  text(row: Row): string;
  /** What the cell shows where that differs from `text`: an account number in groups of four. */
  shown?(row: Row): string;
  /**
   * The plain decimal of an amount column, as on the wire, which the status bar adds up; null where a row has none. Such a column
   * is never narrower than its widest amount.
   */
  amount?(row: Row): string | null;
  /** The instant of a time column, as on the wire, which an export writes as a date; null where a row has none. */
  time?(row: Row): string | null;
  /** What a file has in its place; left out: the row's own field of the column's id, an amount or a time as these are. null: nothing. */
  readonly cell?: ListCell | null;
  /** Tooltip of a cell: what its text leaves out. */
  hint?(row: Row): string;
  /** CSS classes of the cell, by row. */
  className?(row: Row): string;
  /**
   * A rich cell: builds its content once per cell of the pool, and returns a function that writes a row into it. The cell is
   * reused for other rows, so the function must always set everything it can set.
   */
  paint?(cell: HTMLElement): (row: Row) => void;
  /** px that a rich cell needs beside its text (glyph, bar); decides when it is clipped. */
  readonly paintRoom?: number;
}

/** Whether a part of its text would read as another figure or id. */
export const isWhole = <Row>({ amount, mono, whole }: GridColumn<Row>): boolean => amount !== undefined || mono === true || whole === true;

export interface Sort {
  readonly id: string;
  readonly desc: boolean;
}

/** An operator's changes to the columns; all optional, so that a saved view may hold a part. */
export interface ColumnState {
  readonly order?: readonly string[];
  readonly hidden?: readonly string[];
  /** Shown although they are aside by default. */
  readonly chosen?: readonly string[];
  /** px by column id */
  readonly widths?: Readonly<Record<string, number>>;
  readonly pinned?: { readonly start: readonly string[]; readonly end: readonly string[] };
}

/** px; the same as --row-compact, --row and --row-roomy in tokens.css. */
export const rowHeights: Readonly<Record<Density, number>> = { compact: 24, normal: 28, roomy: 36 };

/** px: header row and the column of mark boxes. */
export const headerHeight = 28;
export const markWidth = 28;
