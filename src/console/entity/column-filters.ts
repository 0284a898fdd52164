import type { Linked } from "../../contract/controls.ts";
import type { RecordColumns } from "../../contract/record-columns.ts";
import type { RecordRow } from "../kit/commands/desks.ts";
import type { ListFilter } from "../lists/filters.ts";
import type { Column } from "./named.ts";
import { fieldOf } from "./named.ts";
import { columnReader } from "./column-value.ts";

/** A filter of the list call: `filter[<field>]`, or from … to … of an amount or a time (lists/ranges.ts). */
export interface Filter {
  readonly field: string;
  readonly as?: "amount" | "time";
  /** Any of these; left out: a text. */
  readonly choices?: readonly string[];
  /** Its values are records. */
  readonly record?: NonNullable<ListFilter<RecordRow>["record"]>;
  /** Letters of a text at most. */
  readonly longest: number;
  /** What a row has there, for "filter by this value": what the column of that name shows. */
  value(row: RecordRow): string;
}

/** Letters of a text that an address may ask for. */
export const longestText = 60;

/** What a person can filter by, as the column map tells it: the fields of `first`, then the others in the map's order. */
export function filtersOf(
  map: RecordColumns,
  first: readonly string[],
  columns: readonly Column<RecordRow>[],
  subject = "",
): readonly Filter[] {
  const strange = first.filter((field) => map[field]?.filter === undefined);
  if (strange.length > 0) throw new Error(`the column map has no filter of: ${strange.join(", ")}`);
  return [...new Set([...first, ...Object.keys(map)])].flatMap((field): Filter[] => {
    const column = map[field];
    const shown = columns.find((one) => one.field === field) ?? { field };
    const read = columnReader(subject, shown);
    const common = { field, longest: longestText, value: (row: RecordRow) => String(read(row) ?? "") };
    switch (column?.filter) {
      case "amount":
      case "time":
        return [{ ...common, as: column.filter }];
      case "choices":
        return [{ ...common, choices: column.of }];
      case "part":
      case "whole":
        return [{ ...common, longest: Math.min(column.most, longestText) }];
      case "reference":
        return [{ ...common, record: { to: column.to, of: (row) => linkedIn(row, field) }, value: (row) => uuidIn(row, field) }];
      // the list's own rows, which events name
      case "rows":
      case undefined:
        return [];
    }
  });
}

const isNamed = (value: unknown): value is Pick<Linked, "uuid"> & Partial<Linked> =>
  typeof value === "object" && value !== null && "uuid" in value;

/** The record that a row names in a field. */
const linkedIn = (row: RecordRow, field: string): Linked | null => {
  const named = fieldOf(row, field);
  return isNamed(named) ? { uuid: named.uuid, name: named.name ?? named.code ?? named.uuid, code: named.code ?? null } : null;
};
const uuidIn = (row: RecordRow, field: string): string => linkedIn(row, field)?.uuid ?? String(fieldOf(row, field) ?? "");
