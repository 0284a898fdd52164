import type { RawBuilder } from "kysely";
import type { SubjectName } from "../../contract/index.ts";
import type { FieldLines } from "../../contract/problems.ts";
import type { StaffCall } from "../call.ts";
import type { Scoped } from "../db/scope.ts";
import type { Tables } from "../db/tables.ts";
import type { Publisher } from "../realtime/publish.ts";
import type { RecordList } from "./record-list.ts";

/** The columns every record's row has; its table also has tenant_id and updated_at. */
export interface StoredRow {
  readonly id: string;
  readonly version: number;
  readonly status?: string;
}
export interface RecordView {
  readonly uuid: string;
  readonly updated_at: string;
}

/** What a record is about to become, for `faults`. */
export interface Proposal<Row, Fields, Fixed> {
  /** The row as it is; null for a creation. */
  readonly row: Row | null;
  readonly was: Fields | null;
  readonly now: Fields & Fixed;
  /** The fields that differ; all of them for a creation. */
  readonly changed: Partial<Fields>;
}

/**
 * Writes a field of the form that is not a column of the record's table, such as links or rows of another table. Answers the lines of what
 * is wrong with it.
 */
export interface Part<Value> {
  (db: Scoped, call: StaffCall, id: string, now: Value): Promise<readonly string[]>;
  /** What the audit log shows for a value; left out: the value itself. */
  readonly audited?: (db: Scoped, call: StaffCall, value: Value) => Promise<unknown>;
}

/** A column that holds the id of another record. */
export interface Reference {
  /** The name of the form's field. */
  readonly field: string;
  readonly table: keyof Tables;
}

/** What uses a record, by kind: a number, an amount, or names. Zero and empty count as no use. */
export type Uses = Readonly<Record<string, number | string | readonly string[]>>;

/** The record that those of a nested list belong to; `Above` is what the list's path names. */
export interface Within<Above> {
  /** The columns by which a record belongs to it. */
  columns(above: Above): Readonly<Record<string, string>>;
  /** Throws not-found unless the caller's tenant, and currency, have it; one that is written to is kept from deletion meanwhile. */
  require(db: Scoped, call: StaffCall, above: Above, use: "read" | "write"): Promise<void>;
}

/** What one kind of plain record has of its own. `Edited` is what `fields` reads from a form or a row, `Initial` what `fixed` reads. */
export interface RecordKind<
  Row extends StoredRow & Edited & Initial,
  View extends RecordView,
  Extra extends object,
  Edited,
  Initial,
  Fields extends object,
  Fixed extends object,
  Field extends string,
  Above = unknown,
> extends RecordList<Field> {
  readonly entity: SubjectName;
  readonly table: keyof Tables;
  /** The table's column with the record's id, if not `id`; the select names it `id` all the same. */
  readonly idColumn?: string;
  /** Its records belong to the request's currency as well as to the tenant; the route says so too. */
  readonly currency?: true;
  /** They belong to another record, which the paths of list and creation name. */
  readonly within?: Within<Above>;
  /** The select of all records in the call's scope, as lists and the detail show them; it includes the table's own columns. */
  rows(call: StaffCall): RawBuilder<unknown>;
  view(row: Row): View;
  /** Its name in refusals. */
  nameOf(row: Row): string;
  /** The fields the form edits, as columns of the table or as `parts` write them. */
  fields(of: Edited): Fields;
  /** The fields set at creation only, as columns of the table. */
  fixed?(of: Initial): Fixed;
  /** What its detail shows in addition to the row and its history. */
  detail?(db: Scoped, call: StaffCall, row: Row): Promise<Extra>;
  /** Rules that the contract's schemas cannot express, as lines by field. */
  faults?(db: Scoped, call: StaffCall, proposal: Proposal<Row, NoInfer<Fields>, NoInfer<Fixed>>): FieldLines | Promise<FieldLines>;
  /** Constraint of the table → the lines its violation means for the form. */
  readonly constraints?: Readonly<Record<string, FieldLines>>;
  /** Changing one of these fields requires step-up. */
  readonly guarded?: readonly (keyof NoInfer<Fields>)[];
  /** Columns that hold JSON. */
  readonly json?: readonly (keyof NoInfer<Fields>)[];
  /** Columns with the id of another record; the audit log shows that record's name under the form's field. */
  readonly refersTo?: { readonly [F in keyof NoInfer<Fields> | keyof NoInfer<Fixed>]?: Reference };
  readonly parts?: { readonly [F in keyof NoInfer<Fields>]?: Part<NonNullable<NoInfer<Fields>[F]>> };
  /** Further columns of a new record, such as keys and ledger accounts. */
  made?(db: Scoped, call: StaffCall, id: string): Promise<Readonly<Record<string, unknown>>>;
  /** Takes the locks that come before the row's own. */
  lock?(db: Scoped, call: StaffCall, id: string, act: "update" | "change-status" | "delete"): Promise<void>;
  /** Runs after the form's fields are written, in the same transaction. */
  written?(db: Scoped, call: StaffCall, id: string, changed: Partial<NoInfer<Fields>>): Promise<void>;
  /** Runs before a status is set: refuses what must not be, and does what goes with it in the same transaction. */
  setsStatus?(db: Scoped, call: StaffCall, row: Row, to: string): Promise<void>;
  /** What uses the record; it cannot be deleted while anything does. */
  uses?(db: Scoped, call: StaffCall, row: Row): Promise<Uses>;
  /** Removes what is deleted together with it, just before it is deleted. */
  release?(db: Scoped, call: StaffCall, row: Row): Promise<void>;
  /** The realtime event that announces changed records. */
  readonly live?: Parameters<Publisher["changed"]>[1];
}
