import type { Density } from "../commands/grid-handle.ts";
import type { MessageKey } from "../texts/messages.ts";

/** What every row has: the id by which cursor and marks hold it. */
export interface GridRow {
  readonly uuid: string;
}

/**
 * One column. `text` is what is copied, read out and, without `paint`, shown.
 * It is called for rows in view only, and once a second when `tick` is set.
 */
export interface GridColumn<Row> {
  readonly id: string;
  readonly titleKey: MessageKey;
  /** px */
  readonly width: number;
  /** px; 40 unless told. A growing column gives way down to it before the grid scrolls sideways. */
  readonly minWidth?: number;
  /** Share of the width left over; a column whose width was set by hand no longer grows. */
  readonly grow?: number;
  readonly align?: "start" | "end";
  readonly sortable?: boolean;
  readonly pinned?: "start" | "end";
  /** Not shown until it is chosen; a file and a copy of a whole row hold it all the same, after those shown. */
  readonly aside?: boolean;
  /** Repainted each second while in view: ages, leases. */
  readonly tick?: true;
  /** Digits and letters of one width: ids, account numbers. Its column is as wide as the widest; made narrower by hand, it keeps their ends. */
  readonly mono?: true;
  /** A rich cell of figures or an id: at the edge of the view it is shown whole or not at all, as amounts and mono columns are. */
  readonly whole?: true;
  /** No flash when it changes by a patch. */
  readonly quiet?: true;
  /** What is copied, found, read aloud and put into files; shown too, unless told. */
  text(row: Row): string;
  /** How the text is written in its cell where that differs: an account number in fours. */
  shown?(row: Row): string;
  /** The plain decimal of an amount column, as on the wire: what the status bar adds up. Null where a row has none. Such a column is never narrower than its widest. */
  amount?(row: Row): string | null;
  /** The instant of a time column, as on the wire: what an export writes as a date. Null where a row has none. */
  time?(row: Row): string | null;
  /** What the pointer is told over a cell: what its text leaves out. */
  hint?(row: Row): string;
  /** Classes of the cell, by row. */
  className?(row: Row): string;
  /**
   * A rich cell: builds its content once for a cell of the pool and returns what writes a row into it.
   * The cell is handed from row to row, so the writer must set everything it ever sets.
   */
  paint?(cell: HTMLElement): (row: Row) => void;
  /** px a rich cell needs beside its text (glyph, bar); decides when it must be clipped. */
  readonly paintRoom?: number;
}

/** A part of its text reads as another figure or id. */
export const isWhole = <Row>({ amount, mono, whole }: GridColumn<Row>): boolean => amount !== undefined || mono === true || whole === true;

export interface Sort {
  readonly id: string;
  readonly desc: boolean;
}

/** What an operator changed about the columns; all of it optional, so that a saved view may hold a part. */
export interface ColumnState {
  readonly order?: readonly string[];
  readonly hidden?: readonly string[];
  /** Shown although they are aside. */
  readonly chosen?: readonly string[];
  /** px by column id */
  readonly widths?: Readonly<Record<string, number>>;
  readonly pinned?: { readonly start: readonly string[]; readonly end: readonly string[] };
}

/** px, as tokens.css --row-compact, --row, --row-roomy. */
export const rowHeights: Readonly<Record<Density, number>> = { compact: 24, normal: 28, roomy: 36 };

/** px: header row and the column of mark boxes. */
export const headerHeight = 28;
export const markWidth = 28;
