import type { RawBuilder } from "kysely";
import { sql } from "kysely";
import type { RecordColumn } from "../../contract/record-columns.ts";
import { sortsOf } from "../../contract/record-columns.ts";
import type { ListMeta } from "../../contract/wire.ts";
import { plainNumber } from "../../contract/wire.ts";
import type { Asked } from "../../values/asked.ts";
import { amountText } from "../../values/money.ts";
import { whereAsked } from "../db/asked.ts";
import type { Paging, SortColumn, Sorts } from "../db/keyset.ts";
import { cursorRefusal, cutPage, isFiltered, pageOf, rowsBefore, requestedTotals, withMoment } from "../db/keyset.ts";
import { plannedAnew } from "../db/prepared.ts";
import type { Scoped } from "../db/scope.ts";

/** How a field is stored, if not in a column of its name. */
export interface Stored {
  /** The column its filter reads. */
  readonly column?: string;
  /** The columns it is sorted by; the id follows to make the order total. */
  readonly sort?: readonly SortColumn[];
  /** The column holds several ids, one of which a reference filter has to name. */
  readonly many?: true;
}

/** The columns of a list (contract/record-columns.ts) and where they are stored. */
export interface RecordList<Field extends string = string> {
  readonly columns: Readonly<Record<Field, RecordColumn>>;
  readonly stored?: Partial<Readonly<Record<NoInfer<Field>, Stored>>>;
  /** Returned with the sums and read in the same statement, because both must be of one moment: field → a scalar query. */
  readonly figures?: Readonly<Record<string, RawBuilder<unknown>>>;
}

/** A parsed query of a list (`listQuery`). */
export type ListQuery = Paging & {
  readonly sort?: readonly string[] | undefined;
  readonly q?: string | undefined;
  readonly with?: string | undefined;
} & { readonly [name: `filter[${string}`]: unknown };

/** The rows of `rows` (a select) with these ids. */
export async function findRecords<R extends object>(db: Scoped, rows: RawBuilder<unknown>, ids: readonly string[]): Promise<R[]> {
  const found = await sql<R>`select t.* from (${rows}) t where t.id = any(${ids}::uuid[])`.execute(db);
  return found.rows;
}

/** One page of `rows` (a select), with count and sums when requested. */
export async function listRecords<R extends object, Field extends string>(
  db: Scoped,
  scope: { tenant: string; currency: string },
  list: RecordList<Field>,
  rows: RawBuilder<unknown>,
  requested: ListQuery,
): Promise<{ rows: R[]; meta: ListMeta }> {
  const query = await withMoment(db, scope, requested);
  const all = sql`from (${rows}) t where ${sql.join([sql`true`, ...conditionsOf(list, requested)], sql` and `)}`;
  const sort = query.sort ?? [sortsOf(list.columns)[0]];
  const page = pageOf(sort, orders(list), query, "t");
  const anew = plannedAnew(isFiltered(query));
  const rowsOf = () =>
    sql<R & { key: string[] }>`${anew}select * from (
      select t.*, ${page.key} as key ${all} ${page.after} order by ${page.order} limit ${page.most}) t order by ${page.shown}`
      .execute(db)
      .catch((error: unknown) => {
        throw cursorRefusal(error);
      });
  const cut = cutPage(query.limit === 0 ? [] : (await rowsOf()).rows, sort, query);
  const { count, sums, ...wanted } = requestedTotals(query.with);
  const oldest = wanted.oldest && "created_at" in list.columns;
  if (!count && !sums && !oldest) return cut;
  const summed = fieldsOf(list).flatMap(([field, { sum }]) => (sum === true ? [field] : []));
  const { figures = {} } = list;
  const each = [
    ...summed.map((field) => sql`, coalesce(sum(${sql.ref(`t.${field}`)}), 0) as ${sql.ref(field)}`),
    ...Object.entries(figures).map(([field, figure]) => sql`, coalesce((${figure}), 0) as ${sql.ref(field)}`),
  ];
  const totals = await sql<
    { count: number; oldest: Date | null } & Record<string, string>
  >`${anew}select count(*)::integer as count${oldest ? sql`, min(t.created_at) as oldest` : sql``} ${sql.join(each, sql``)} ${all}`.execute(
    db,
  );
  const total = totals.rows[0];
  const amountOf = (field: string) => [field, amountText(total?.[field] ?? "0")] as const;
  const ahead = async (key: readonly string[]) =>
    (await sql<{ n: number }>`${anew}select count(*)::integer as n ${all} ${page.ahead(key)}`.execute(db)).rows[0]?.n ?? 0;
  return {
    rows: cut.rows,
    meta: {
      ...cut.meta,
      ...(count && { count: total?.count ?? 0, ...(await rowsBefore(cut, total?.count ?? 0, ahead)) }),
      ...(oldest && { oldest_at: total?.oldest?.toISOString() ?? null }),
      ...(sums && { sums: Object.fromEntries([...summed, ...Object.keys(figures)].map(amountOf)) }),
    },
  };
}

type Named = [field: string, column: RecordColumn, stored: Stored | undefined];

function fieldsOf<Field extends string>({ columns, stored }: RecordList<Field>): Named[] {
  return (Object.keys(columns) as Field[]).map((field) => [field, columns[field], stored?.[field]]); // the map's own keys
}

const sortTypes = { amount: "numeric", time: "timestamptz" } as const;

function orders<Field extends string>(list: RecordList<Field>): Sorts {
  const id: SortColumn = { name: "id", type: "uuid" };
  return Object.fromEntries(
    fieldsOf(list).map(([field, { filter }, stored]) => {
      const type = filter === "amount" || filter === "time" ? sortTypes[filter] : "text";
      return [field, [...(stored?.sort ?? [{ name: field, type }]), id]];
    }),
  );
}

function conditionsOf<Field extends string>(list: RecordList<Field>, query: ListQuery): RawBuilder<unknown>[] {
  const fields = fieldsOf(list);
  const filtered = fields.flatMap(([field, { filter }, stored]) =>
    filterOf(filter, sql.ref(`t.${stored?.column ?? field}`), field, query, stored?.many),
  );
  return query.q ? [...filtered, searched(fields, query.q)] : filtered;
}

const holds = (ref: RawBuilder<unknown>, part: string) => sql`strpos(lower(${ref}), lower(${part}::text)) > 0`;

function filterOf(
  filter: RecordColumn["filter"],
  ref: RawBuilder<unknown>,
  field: string,
  query: Readonly<Record<`filter[${string}`, unknown>>,
  many = false,
): RawBuilder<unknown>[] {
  const value = query[`filter[${field}]`];
  // each parsed by its column's own schema
  const asked = (where: (one: string) => RawBuilder<unknown>) => (value === undefined ? [] : [whereAsked(value as Asked, where)]);
  switch (filter) {
    case undefined:
      return [];
    case "part":
      return asked((text) => holds(ref, text));
    case "whole":
      return asked((text) => sql`lower(${ref}) = lower(${text}::text)`);
    case "choices":
      return value === undefined ? [] : [sql`${ref}::text = any(${value}::text[])`];
    case "reference":
      return asked((id) => (many ? sql`${id}::uuid = any(${ref})` : sql`${ref} = ${id}::uuid`));
    case "rows":
      return value === undefined ? [] : [sql`t.id = any(${value}::uuid[])`];
    case "amount":
      return between(ref, "numeric", "<=", query[`filter[${field}_from]`], query[`filter[${field}_to]`]);
    case "time":
      return between(ref, "timestamptz", "<", query[`filter[${field}_from]`], query[`filter[${field}_to]`]);
  }
}

function between(ref: RawBuilder<unknown>, type: string, until: string, from: unknown, to: unknown): RawBuilder<unknown>[] {
  return [
    ...(from === undefined ? [] : [sql`${ref} >= ${from}::${sql.raw(type)}`]),
    ...(to === undefined ? [] : [sql`${ref} ${sql.raw(until)} ${to}::${sql.raw(type)}`]),
  ];
}

/** By any part of a text or number, or by the exact id. It needs no index, because a tenant has few records. */
function searched(fields: readonly Named[], q: string): RawBuilder<unknown> {
  const digits = plainNumber(q);
  const ways = fields.flatMap(([field, { find }]) => {
    if (find === undefined || (find === "number" && digits === "")) return [];
    return [holds(sql.ref(`t.${field}`), find === "number" ? digits : q)];
  });
  return sql`(${sql.join([...ways, sql`t.id::text = lower(${q}::text)`], sql` or `)})`;
}
