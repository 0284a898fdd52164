import type { RecordColumns } from "../../contract/record-columns.ts";
import type { RecordRow } from "../kit/commands/desks.ts";
import type { Column } from "./named.ts";
import { columnReader } from "./column-value.ts";

/** A filter of the list call: `filter[<field>]`, or from … to … of an amount or a time (lists/ranges.ts). */
export interface Filter {
  readonly field: string;
  readonly as?: "amount" | "time";
  /** Any of these; left out: a text. */
  readonly choices?: readonly string[];
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
      // records are named by their uuids, which nobody types
      case "reference":
      case "rows":
      case undefined:
        return [];
    }
  });
}
