import type { ListMeta } from "../../../contract/wire.ts";
import type { Route } from "../../../contract/route.ts";
import type { QueryField } from "./query-field.ts";
import type { Meaning } from "./query-line.ts";

/** A filter and what it asks for, in the reader's words. */
export type FilterChip = readonly [title: string, words: string];

/** A row as the palette offers it. */
export interface OfferedRow {
  readonly id: string;
  readonly name: string;
  readonly note: string;
  readonly end?: string;
}

/** A list that answers query lines from anywhere: what of it a line can ask for, and how its call and its address say it. */
export interface QueryList {
  readonly route: Route;
  fields(): readonly QueryField[];
  /** What a line asks for, filter by filter. */
  chips(meaning: Meaning): readonly FilterChip[];
  /** The search of its address. */
  search(meaning: Meaning): Readonly<Record<string, string>>;
  /** The list call's query of such a search, without its page, at this time (ms), days being those of the zone `zoneMinutes` east of UTC; the oldest row comes first. */
  query(search: Readonly<Record<string, string>>, now: number, zoneMinutes: number): Readonly<Record<string, string>>;
  rowOf(row: object): OfferedRow;
  /** What all rows together come to; null: nothing is summed. */
  sumOf(meta: ListMeta): string | null;
  /** When a row was made; null where the list cannot be put in that order. */
  madeAt(row: object): string | null;
}
