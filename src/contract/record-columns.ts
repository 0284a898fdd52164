import { z } from "zod";
import { Amount, choices, Instant, range, Uuids } from "./wire.ts";

type Filter =
  /** By any part of a text, or by the whole of it, of at most `most` characters; case does not matter. */
  | { readonly filter: "part" | "whole"; readonly most: number }
  /** Any of several words. */
  | { readonly filter: "choices"; readonly of: readonly [string, ...string[]] }
  /** From … to …: an amount may be as much as `to`, a time lies before it. */
  | { readonly filter: "amount" | "time" }
  /** Records of another kind that it names, by their uuids. */
  | { readonly filter: "reference" }
  /** Exactly these rows of the list itself, by their uuids, for refetching those an event named. */
  | { readonly filter: "rows" }
  | { readonly filter?: undefined };

/** What a list can do with one field of its rows. */
export type RecordColumn = Filter & {
  /** Orders the list; the first column that does is the order when none is asked for. */
  readonly sort?: true;
  /** Is summed when the list is asked for `with=sums`. */
  readonly sum?: true;
  /** The list's search `q` finds it: by any part, or by any part of a number however that is spaced. */
  readonly find?: "part" | "number";
};

/**
 * What a list can do, by field: the contract makes its query of this map, the server its SQL (server/records/record-list.ts), and a
 * screen its filters.
 */
export type RecordColumns = Readonly<Record<string, RecordColumn>>;

export const defineColumns = <const C extends RecordColumns>(columns: C): C => columns;

type FilterName<Field extends string, C> = C extends { readonly filter: "amount" | "time" }
  ? `filter[${Field}_from]` | `filter[${Field}_to]`
  : C extends { readonly filter: string }
    ? `filter[${Field}]`
    : never;

type FilterShape<C> = C extends { readonly filter: "choices"; readonly of: infer Of extends readonly [string, ...string[]] }
  ? ReturnType<typeof choices<Of>>
  : C extends { readonly filter: "amount" }
    ? typeof Amount
    : C extends { readonly filter: "time" }
      ? typeof Instant
      : C extends { readonly filter: "part" | "whole" }
        ? z.ZodString
        : typeof Uuids;

export type FilterShapes<C extends RecordColumns> = {
  [Field in keyof C & string as FilterName<Field, C[Field]>]: z.ZodOptional<FilterShape<C[Field]>>;
};

function filterOf(field: string, column: RecordColumn): z.ZodRawShape {
  switch (column.filter) {
    case undefined:
      return {};
    case "amount":
      return range(field, Amount);
    case "time":
      return range(field, Instant);
    case "choices":
      return { [`filter[${field}]`]: choices(column.of).optional() };
    case "part":
    case "whole":
      return { [`filter[${field}]`]: z.string().max(column.most).optional() };
    case "reference":
    case "rows":
      return { [`filter[${field}]`]: Uuids.optional() };
  }
}

/** The `filter[...]` part of a list's query. */
export function filterShapes<C extends RecordColumns>(columns: C): FilterShapes<C> {
  const shapes = Object.entries(columns).flatMap(([field, column]) => Object.entries(filterOf(field, column)));
  return Object.fromEntries(shapes) as FilterShapes<C>; // names are made of the fields, shapes follow from their filters
}

type SortName<C extends RecordColumns> = { [Field in keyof C & string]: C[Field] extends { readonly sort: true } ? Field : never }[keyof C &
  string];

/** The fields a list may be sorted by, the order it has unasked first. */
export function sortsOf<C extends RecordColumns>(columns: C): [SortName<C>, ...SortName<C>[]] {
  const [first, ...rest] = (Object.keys(columns) as SortName<C>[]).filter((field) => columns[field]?.sort); // as filtered
  if (first === undefined) throw new Error("a list has at least one column it is sorted by");
  return [first, ...rest];
}
