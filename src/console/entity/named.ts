import type { Linked } from "../../contract/controls.ts";
import type { ScreenName } from "../../contract/screens.ts";
import type { Whereto } from "../../contract/addresses.ts";
import { linkedText } from "../kit/form/linked.ts";
import type { Room } from "../lists/use-room.ts";
import type { UsedLimit } from "../kit/look/limit-bar.tsx";

export type Value = string | number | UsedLimit | null | undefined;
/**
 * How a value is written: an amount grouped, a status with its glyph, a truth value whose yes needs attention (`flag`) with that of
 * critical, a time in the currency's zone …
 */
export type Shown =
  | "text"
  | "mono"
  | "account-number"
  | "amount"
  | "rate"
  | "status"
  | "flag"
  | "choice"
  | "time"
  | "count"
  | "decimal"
  | "minutes"
  | "limit";

/** One named value; its label is <subject>.field.<field>. Without `value` it is the row's own field of that name. */
export interface Named<Of> {
  readonly field: string;
  /** What it is called where that is data and no text. */
  readonly label?: string;
  readonly as?: Shown;
  value?(of: Of): Value;
  /** The records it names, each drawn as a link in the value's place; the value is shown where it names none. */
  links?(of: Of): readonly RecordLink[];
}

/** A record of some list, as another names it; without `record` what its search asks the screen for. */
export interface RecordLink extends Whereto {
  readonly screen: ScreenName;
  readonly record?: string;
  /** What it is called. */
  readonly text: string;
}

/** Where a link leads on its screen. */
export const whereTo = ({ params = {}, search = {}, record }: RecordLink): Whereto => ({
  params,
  search: { ...search, ...(record !== undefined && { record }) },
});

/** Links to records that a detail names. */
export const linksTo = (screen: ScreenName, records: readonly Linked[]): readonly RecordLink[] =>
  records.map((record) => ({ screen, record: record.uuid, text: linkedText(record) }));

export interface Table<Detail> {
  readonly columns: readonly Named<object>[];
  rows(detail: Detail): readonly object[];
}

/** Checks the type of a table's rows, then hides it. */
export const tableOf = <Detail, Row extends object>(table: {
  readonly columns: readonly Named<Row>[];
  rows(detail: Detail): readonly Row[];
}): Table<Detail> => table as unknown as Table<Detail>; // the columns read no other rows than these

/** A column of a list. What it shows is told as data, because files of whole lists are written by the server, which reads the same. */
export interface Column<Row> extends Omit<Named<Row>, "value" | "links"> {
  /** Where it stands in the row, or what it is called among the cells of its subject (contract/derived-cells.ts); left out: its field. */
  readonly at?: string;
  /** px */
  readonly width: number;
  readonly minWidth?: number;
  readonly grow?: number;
  /** The name it shares in the header with the columns beside it, <subject>.section.<under>; its title is then <subject>.short.<field>. */
  readonly under?: string;
  /** Draws its cell, where no text can: built once, then given each row that stands there. */
  readonly paint?: (cell: HTMLElement) => (row: Row) => void;
  /** Where it is shown without being chosen; left out: everywhere. */
  readonly rooms?: readonly Room[];
}

/** A row's own field; undefined where it has none of that name. */
export const fieldOf = (row: object, name: string): unknown => (row as Readonly<Record<string, unknown>>)[name];

/** What a column or a line shows. */
export function valueOf<Of extends object>({ field, value }: Named<Of>, of: Of, row: object): Value {
  return value ? value(of) : (fieldOf(row, field) as Value); // a field shown as it is holds a text, a number or a limit
}
