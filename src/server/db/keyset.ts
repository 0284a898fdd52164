import type { RawBuilder } from "kysely";
import { sql } from "kysely";
import { Refusal } from "../../contract/problems.ts";
import type { ListMeta } from "../../contract/wire.ts";
import type { Moment } from "../../values/moments.ts";
import { readMoment } from "../../values/moments.ts";
import { sqlState } from "./errors.ts";
import type { Scoped } from "./scope.ts";

/** A sort column of a list, as its index has it. */
export interface SortColumn {
  readonly name: string;
  readonly type: "timestamptz" | "bigint" | "numeric" | "text" | "uuid";
  /** The value that stands for null, where the column has nulls, because null compares with nothing. */
  readonly missing?: string;
  /** A uuid of version 7, which begins with its time: the order is one by time. */
  readonly timed?: true;
}

/** Field → its sort columns, the last of which makes the order total. */
export type Sorts = Readonly<Record<string, readonly SortColumn[]>>;

export interface Paging {
  readonly cursor?: string | undefined;
  readonly from?: string | undefined;
  readonly direction: "next" | "previous";
  /** 0: no row, for totals alone; no request can ask for that. */
  readonly limit: number;
  readonly at?: string | undefined;
  /** The parsed `at`, set by `withMoment`. */
  readonly moment?: Moment | undefined;
}

/** Whether a list's query leaves rows out, few or many of them. */
export const isFiltered = (query: object): boolean => Object.keys(query).some((name) => name.startsWith("filter["));

interface Page {
  /** The condition after the cursor; the limit is one row more than requested, to see whether more follow. */
  readonly after: RawBuilder<unknown>;
  readonly order: RawBuilder<unknown>;
  /** The order of the answer. */
  readonly shown: RawBuilder<unknown>;
  readonly most: number;
  /** The sort key of each row, as lossless text. */
  readonly key: RawBuilder<unknown>;
  /** Condition of the rows before the one with this key. */
  ahead(key: readonly string[]): RawBuilder<unknown>;
}

/** The paging with `at` parsed in the currency's zone. */
export async function withMoment<P extends Paging>(db: Scoped, scope: { tenant: string; currency: string }, paging: P): Promise<P> {
  if (paging.at === undefined) return paging;
  const { rows } = await sql<{ zone: number }>`select zone_minutes as zone from currencies
    where tenant_id = ${scope.tenant} and code = ${scope.currency}`.execute(db);
  const moment = readMoment(paging.at, Date.now(), rows[0]?.zone ?? 0);
  if (moment === null) throw new Refusal("request.invalid", { at: ["Not a valid time"] });
  return { ...paging, moment };
}

type OrderColumn = SortColumn & { readonly falling: boolean };

/** The columns of all fields, then those that make the last field's order total, in its direction. */
function orderOf(sort: readonly string[], sorts: Sorts): OrderColumn[] {
  const columns = new Map<string, OrderColumn>();
  for (const [n, text] of sort.entries()) {
    const falling = text.startsWith("-");
    const of = sorts[text.replace("-", "")] ?? [];
    for (const column of n === sort.length - 1 ? of : of.slice(0, 1))
      if (!columns.has(column.name)) columns.set(column.name, { ...column, falling });
  }
  return [...columns.values()];
}

/**
 * A page of a keyset list in the order of `sort` ("-amount", "created_at"): after the cursor, or before it with direction "previous"
 * (without a cursor: the last page); from a row on with `from`, from a time on with `moment`. A cursor names its sort, so that it is
 * refused in another. `table`: the alias of the columns' table.
 */
export function pageOf(sort: readonly string[], sorts: Sorts, paging: Paging, table: string): Page {
  const { cursor, from, direction, limit, moment } = paging;
  const columns = orderOf(sort, sorts);
  const back = direction === "previous";
  const refs = columns.map(({ name, type, missing }) => {
    const ref = sql.ref(`${table}.${name}`);
    return missing === undefined ? ref : sql`coalesce(${ref}, ${sql.lit(missing)}::${sql.raw(type)})`;
  });
  const order = (turned: boolean) =>
    sql.join(columns.map(({ falling }, n) => sql`${refs[n]} ${sql.raw(falling === turned ? "asc" : "desc")}`));
  const beyond = (turned: boolean, values: readonly string[], included = false) =>
    sql`and ${past(columns, refs, turned, values, included)}`;
  refuseMixed(paging);
  const read = (given: string) => readCursor(given, sort, columns.length);
  return {
    after:
      cursor !== undefined
        ? beyond(back, read(cursor))
        : from !== undefined
          ? beyond(back, read(from), true)
          : moment !== undefined
            ? fromMoment(columns[0], refs[0], moment)
            : sql``,
    order: order(back),
    shown: order(false),
    most: limit + 1,
    key: sql`jsonb_build_array(${sql.join(refs.map((ref) => sql`${ref}::text`))})`,
    ahead: (key) => beyond(true, key),
  };
}

/** Condition of the rows past these values in the order, or in the reverse order if `turned`. */
function past(
  columns: readonly OrderColumn[],
  refs: readonly RawBuilder<unknown>[],
  turned: boolean,
  given: readonly string[],
  included: boolean,
): RawBuilder<unknown> {
  const values = columns.map(({ type }, n) => sql`${given[n]}::${sql.raw(type)}`);
  const sign = (n: number, same: boolean) => sql.raw((columns[n]?.falling === turned ? ">" : "<") + (same ? "=" : ""));
  // all columns in one direction: an index range
  if (columns.every(({ falling }) => falling === columns[0]?.falling))
    return sql`(${sql.join(refs)}) ${sign(0, included)} (${sql.join(values)})`;
  const last = columns.length - 1;
  const steps = columns.map((_, n) => {
    const equal = refs.slice(0, n).map((ref, at) => sql`${ref} = ${values[at]}`);
    return sql`(${sql.join([...equal, sql`${refs[n]} ${sign(n, included && n === last)} ${values[n]}`], sql` and `)})`;
  });
  // the first column alone bounds the index range
  return sql`${refs[0]} ${sign(0, true)} ${values[0]} and (${sql.join(steps, sql` or `)})`;
}

/** Refuses more than one of cursor, from and at, and direction "previous" with from or at. */
function refuseMixed({ cursor, from, at, direction }: Paging): void {
  if ([cursor, from, at].filter((given) => given !== undefined).length > 1)
    throw new Refusal("request.invalid", { cursor: ["Give only one of cursor, from and at"] });
  if (direction === "previous" && (from !== undefined || at !== undefined))
    throw new Refusal("request.invalid", { direction: ["Must be next with from and at"] });
}

function fromMoment(column: OrderColumn | undefined, ref: RawBuilder<unknown> | undefined, { from, to }: Moment): RawBuilder<unknown> {
  if (column?.timed === true) return column.falling ? sql`and ${ref} < ${idAt(to)}::uuid` : sql`and ${ref} >= ${idAt(from)}::uuid`;
  if (column?.type !== "timestamptz") throw new Refusal("request.invalid", { at: ["Needs sorting by time"] });
  return column.falling
    ? sql`and ${ref} < ${new Date(to).toISOString()}::timestamptz`
    : sql`and ${ref} >= ${new Date(from).toISOString()}::timestamptz`;
}

/** The least uuid of version 7 of a time, in ms since 1970. */
export function idAt(time: number): string {
  const hex = Math.max(0, time).toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

/** Drops the extra row and adds the cursors. `rows` in the order of the answer. */
export function cutPage<R extends { readonly key: readonly string[] }>(
  rows: readonly R[],
  sort: readonly string[],
  { cursor, from, at, direction, limit }: Paging,
): { rows: R[]; meta: ListMeta } {
  const more = rows.length > limit;
  const kept = !more ? [...rows] : direction === "next" ? rows.slice(0, limit) : rows.slice(1);
  const [first, last] = [kept[0], kept.at(-1)];
  const there = {
    next: direction === "next" ? more : cursor !== undefined,
    previous: direction === "previous" ? more : cursor !== undefined || from !== undefined || at !== undefined,
  };
  const key = (row: R | undefined) => (row ? writeCursor(sort, row.key) : null);
  return { rows: kept, meta: { next: there.next ? key(last) : null, previous: there.previous ? key(first) : null } };
}

/**
 * The number of rows before a page, from the count. `ahead` counts the rows before a row, or answers null when that takes too long; it is
 * called only when needed.
 */
export async function rowsBefore<R extends { readonly key: readonly string[] }>(
  { rows, meta }: { rows: readonly R[]; meta: ListMeta },
  count: number,
  ahead: (key: readonly string[]) => Promise<number | null>,
): Promise<Pick<ListMeta, "before" | "previous">> {
  const [first] = rows;
  if (first === undefined) return { previous: meta.previous };
  if (meta.previous === null) return { before: 0, previous: null };
  const before = meta.next === null ? Math.max(0, count - rows.length) : await ahead(first.key);
  if (before === null) return { previous: meta.previous };
  return { before, previous: before === 0 ? null : meta.previous };
}

function writeCursor(sort: readonly string[], key: readonly string[]): string {
  return Buffer.from(JSON.stringify([sort.join(","), ...key])).toString("base64url");
}

function readCursor(cursor: string, sort: readonly string[], length: number): string[] {
  let read: unknown;
  try {
    read = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
  } catch {
    read = null;
  }
  if (!Array.isArray(read) || read.length !== length + 1 || !read.every((part) => typeof part === "string") || read[0] !== sort.join(",")) {
    throw new Refusal("request.invalid", { cursor: ["Not in this list"] });
  }
  return read.slice(1);
}

export interface Wanted {
  readonly count: boolean;
  readonly sums: boolean;
  readonly oldest: boolean;
}

/** What a list is requested with (`with=count,sums`). */
export function requestedTotals(requested = ""): Wanted {
  const parts = requested.split(",");
  return { count: parts.includes("count"), sums: parts.includes("sums"), oldest: parts.includes("oldest") };
}

/** The refusal of a cursor with values invalid for its columns; any other error unchanged. */
export function cursorRefusal(error: unknown): unknown {
  const bad = ["22007", "22008", "22P02", "22003"].includes(sqlState(error) ?? "");
  return bad ? new Refusal("request.invalid", { cursor: ["Not in this list"] }) : error;
}
