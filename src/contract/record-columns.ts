import { z } from "zod";
import type { ScreenName } from "./screens.ts";
import { Amount, choices, Instant, range, Records, Texts, Uuids } from "./wire.ts";

type Filter =
  /** Case-insensitive texts: any part of it, or the whole, is one of them or none; each has at most `most` characters. */
  | { readonly filter: "part" | "whole"; readonly most: number }
  /** Any of these values. */
  | { readonly filter: "choices"; readonly of: readonly [string, ...string[]] }
  /** A range: amounts include `to`, times exclude it. */
  | { readonly filter: "amount" | "time" }
  /** Rows that name one of these records of another kind, or none of them, by uuid; `to`: the screen that lists these, if one does. */
  | { readonly filter: "reference"; readonly to?: ScreenName }
  /** Exactly these rows of the list, by uuid; for refetching the rows an event named. */
  | { readonly filter: "rows" }
  | { readonly filter?: undefined };

/** What a list can do with one field of its rows. */
export type RecordColumn = Filter & {
  /** The list can be sorted by it; the first sortable column is the default. */
  readonly sort?: true;
  /**
   * Answered for all rows together when the list is asked for `with=sums`: their sum, or the balance before the first row and after the
   * last, which the list's own handler computes.
   */
  readonly sum?: true | "opening" | "closing";
  /** Searched by `q`: any part of a text, or any part of a number however it is spaced. */
  readonly find?: "part" | "number";
};

/**
 * The columns of a list, by field. The contract makes the list's query from this map, the server its SQL (server/records/record-list.ts),
 * and a screen its filters.
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
        ? ReturnType<typeof Texts>
        : C extends { readonly filter: "reference" }
          ? typeof Records
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
      return { [`filter[${field}]`]: Texts(column.most).optional() };
    case "reference":
      return { [`filter[${field}]`]: Records.optional() };
    case "rows":
      return { [`filter[${field}]`]: Uuids.optional() };
  }
}

/** The `filter[...]` part of a list's query. */
export function filterShapes<C extends RecordColumns>(columns: C): FilterShapes<C> {
  const shapes = Object.entries(columns).flatMap(([field, column]) => Object.entries(filterOf(field, column)));
  return Object.fromEntries(shapes) as FilterShapes<C>; // built from the fields and their filters
}

type SortName<C extends RecordColumns> = { [Field in keyof C & string]: C[Field] extends { readonly sort: true } ? Field : never }[keyof C &
  string];

/** The fields a list can be sorted by, its default first. */
export function sortsOf<C extends RecordColumns>(columns: C): [SortName<C>, ...SortName<C>[]] {
  const [first, ...rest] = (Object.keys(columns) as SortName<C>[]).filter((field) => columns[field]?.sort); // as filtered
  if (first === undefined) throw new Error("a list has at least one column it is sorted by");
  return [first, ...rest];
}
