import type { RawBuilder } from "kysely";
import { sql } from "kysely";
import { Refusal } from "../../contract/problems.ts";
import type { ListMeta } from "../../contract/wire.ts";

/** A column a list is sorted by, as the index has it; the last one makes the order total. */
export interface SortColumn {
  readonly name: string;
  readonly type: "timestamptz" | "bigint" | "text" | "uuid";
}

export interface Paging {
  readonly cursor?: string | undefined;
  readonly direction: "next" | "previous";
  readonly limit: number;
}

export interface Page {
  /** Further conditions, the order, and the limit: one row more than asked tells whether there is more. */
  readonly after: RawBuilder<unknown>;
  readonly order: RawBuilder<unknown>;
  /** The order as it is shown. */
  readonly shown: RawBuilder<unknown>;
  readonly most: number;
  /** The sort key of each row, as text that loses nothing. */
  readonly key: RawBuilder<unknown>;
}

/**
 * A page of a keyset list in `columns`' order: after the cursor, or before it with direction "previous" (without a cursor: the last
 * page). The cursor names its sort, so that it fits no other. `table`: the alias its columns are read from.
 */
export function pageOf(sort: string, columns: readonly SortColumn[], { cursor, direction, limit }: Paging, table: string): Page {
  const backwards = sort.startsWith("-") !== (direction === "previous");
  const refs = columns.map(({ name }) => sql.ref(`${table}.${name}`));
  const order = (descending: boolean) => sql.join(refs.map((ref) => sql`${ref} ${sql.raw(descending ? "desc" : "asc")}`));
  const values = cursor === undefined ? null : readCursor(cursor, sort, columns.length);
  return {
    after: values
      ? sql`and (${sql.join(refs)}) ${sql.raw(backwards ? "<" : ">")} (${sql.join(
          columns.map(({ type }, n) => sql`${values[n]}::${sql.raw(type)}`),
        )})`
      : sql``,
    order: order(backwards),
    shown: order(sort.startsWith("-")),
    most: limit + 1,
    key: sql`jsonb_build_array(${sql.join(refs.map((ref) => sql`${ref}::text`))})`,
  };
}

/** Drops the row too many and says how to go on. `rows` as shown. */
export function cutPage<R extends { readonly key: readonly string[] }>(
  rows: readonly R[],
  sort: string,
  { cursor, direction, limit }: Paging,
): { rows: R[]; meta: ListMeta } {
  const more = rows.length > limit;
  const kept = !more ? [...rows] : direction === "next" ? rows.slice(0, limit) : rows.slice(1);
  const [first, last] = [kept[0], kept.at(-1)];
  const there = {
    next: direction === "next" ? more : cursor !== undefined,
    previous: direction === "previous" ? more : cursor !== undefined,
  };
  const at = (row: R | undefined) => (row ? writeCursor(sort, row.key) : null);
  return { rows: kept, meta: { next: there.next ? at(last) : null, previous: there.previous ? at(first) : null } };
}

function writeCursor(sort: string, key: readonly string[]): string {
  return Buffer.from(JSON.stringify([sort, ...key])).toString("base64url");
}

function readCursor(cursor: string, sort: string, length: number): string[] {
  let read: unknown;
  try {
    read = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
  } catch {
    read = null;
  }
  if (!Array.isArray(read) || read.length !== length + 1 || !read.every((part) => typeof part === "string") || read[0] !== sort) {
    throw new Refusal("request.invalid", { cursor: ["is none of this list"] });
  }
  return read.slice(1);
}
