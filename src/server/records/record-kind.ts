import type { RawBuilder } from "kysely";
import type { SubjectName } from "../../contract/index.ts";
import type { FieldLines } from "../../contract/problems.ts";
import type { StaffCall } from "../call.ts";
import type { Scoped } from "../db/scope.ts";
import type { Tables } from "../db/tables.ts";
import type { Publisher } from "../realtime/publish.ts";
import type { RecordList } from "./record-list.ts";

/** What every record's row has; the table has tenant_id and updated_at besides. */
export interface StoredRow {
  readonly id: string;
  readonly version: number;
  readonly status?: string;
}
export interface RecordView {
  readonly uuid: string;
  readonly updated_at: string;
}

/** What somebody wants a record to be. */
export interface Wish<Row, Fields, Fixed> {
  /** As it is; null while it is made. */
  readonly row: Row | null;
  readonly was: Fields | null;
  readonly now: Fields & Fixed;
  /** The fields that differ; all of them while it is made. */
  readonly changed: Partial<Fields>;
}

/**
 * Writes what the form carries and the record's own table does not: links, or rows of a table of its own. Answers what is wrong with
 * it, as lines for its field.
 */
export interface Part<Value> {
  (db: Scoped, call: StaffCall, id: string, now: Value): Promise<readonly string[]>;
  /** As history tells it; left out: as it is. */
  readonly told?: (db: Scoped, call: StaffCall, value: Value) => Promise<unknown>;
}

/** Another record that a column names. */
export interface Reference {
  /** As the form calls it. */
  readonly field: string;
  readonly table: keyof Tables;
}

/** What uses a record, by kind: a number, an amount, or names. What is nought or empty does not count. */
export type Uses = Readonly<Record<string, number | string | readonly string[]>>;

/**
 * One kind of plain record: what differs from the others. `Edited` is what `fields` reads, of a form and of a row; `Begun` is what
 * `fixed` reads.
 */
export interface RecordKind<
  Row extends StoredRow & Edited & Begun,
  View extends RecordView,
  Extra extends object,
  Edited,
  Begun,
  Fields extends object,
  Fixed extends object,
  Field extends string,
> extends RecordList<Field> {
  readonly entity: SubjectName;
  readonly table: keyof Tables;
  /** Its records live in the request's currency, besides the tenant; the route says so too. */
  readonly currency?: true;
  /** The select of all there are in the call's scope, as lists and the record show them; it has the table's own columns. */
  rows(call: StaffCall): RawBuilder<unknown>;
  view(row: Row): View;
  /** What refusals call it. */
  nameOf(row: Row): string;
  /** What the form edits, as columns of the table, or as `parts` write it. */
  fields(of: Edited): Fields;
  /** What creation says once and for all, as columns of the table. */
  fixed?(of: Begun): Fixed;
  /** What its panel shows besides the row and its history. */
  detail?(db: Scoped, call: StaffCall, row: Row): Promise<Extra>;
  /** What the contract's shapes let through and no record may have. */
  faults?(db: Scoped, call: StaffCall, wish: Wish<Row, NoInfer<Fields>, NoInfer<Fixed>>): FieldLines | Promise<FieldLines>;
  /** A constraint of the table, and what its violation means to the form. */
  readonly constraints?: Readonly<Record<string, FieldLines>>;
  /** Changing one of these asks again who one is. */
  readonly guarded?: readonly (keyof NoInfer<Fields>)[];
  /** Columns that hold JSON. */
  readonly json?: readonly (keyof NoInfer<Fields>)[];
  /** Columns that name another record: history tells its name, under the form's field. */
  readonly refersTo?: { readonly [F in keyof NoInfer<Fields>]?: Reference };
  readonly parts?: { readonly [F in keyof NoInfer<Fields>]?: Part<NonNullable<NoInfer<Fields>[F]>> };
  /** Further columns of a new record: keys, accounts. */
  made?(db: Scoped, call: StaffCall, id: string): Promise<Readonly<Record<string, unknown>>>;
  /** Takes what must be locked before the row itself. */
  lock?(db: Scoped, call: StaffCall, id: string, act: "update" | "change-status" | "delete"): Promise<void>;
  /** After the form's fields are written, in the same transaction. */
  written?(db: Scoped, call: StaffCall, id: string, changed: Partial<NoInfer<Fields>>): Promise<void>;
  /** What uses it: any use refuses its deletion. */
  uses?(db: Scoped, call: StaffCall, row: Row): Promise<Uses>;
  /** Lets go what goes with it, right before it is deleted. */
  release?(db: Scoped, call: StaffCall, row: Row): Promise<void>;
  /** The event that names changed records to all who look. */
  readonly live?: Parameters<Publisher["changed"]>[1];
}
