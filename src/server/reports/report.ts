import type { RawBuilder } from "kysely";
import { sql } from "kysely";
import { Refusal } from "../../contract/problems.ts";
import type { RecordColumns } from "../../contract/record-columns.ts";
import type { ListMeta } from "../../contract/wire.ts";
import type { Asked } from "../../values/asked.ts";
import { amountText } from "../../values/money.ts";
import type { StaffCall } from "../call.ts";
import type { Scoped } from "../db/scope.ts";
import { inTenant } from "../db/scope.ts";
import { localDay } from "../payments/limits.ts";
import type { ListQuery, RecordList } from "../records/record-list.ts";
import { listRecords } from "../records/record-list.ts";
import { withCode } from "../statements/owners.ts";
import type { Cut, DayKind, Period } from "./days.ts";
import { ownerKey, ownerKeyOf, readRowId, reportRows, sortedBy } from "./days.ts";

/** A row as the database has it; amounts and counts by the names of their columns. */
export type ReportRow = Readonly<Record<string, unknown>> & {
  readonly id: string;
  readonly owner: string | null;
  readonly code: string | null;
  readonly name: string | null;
  readonly first: string;
  readonly last: string;
  readonly starts: Date;
  readonly is_closed: boolean;
  readonly is_difference: boolean;
  /** The difference is to the day before; null: it tells none. */
  readonly is_carried: boolean | null;
  readonly difference: string | null;
};

/** One of the three reports. */
export interface Report<View> {
  readonly kind: DayKind;
  readonly columns: RecordColumns;
  /** How its rows are cut where nobody says. */
  readonly cut: Cut;
  /** Its own columns of each row; left out: those of its days. */
  rows?(rows: RawBuilder<unknown>, call: StaffCall, period: Period): RawBuilder<unknown>;
  /** Of a day: what came in, what went out, and what was earned or paid by it, of the columns of a row. */
  readonly course: { readonly moneyIn: string; readonly moneyOut: string; readonly earned: string };
  /** What two periods are compared by, of the columns of a row. */
  readonly figures: Readonly<Record<string, string>>;
  /** A row as it is answered; a day that is not over is live. */
  readonly view: (row: ReportRow, today: string) => View;
  /** What only the rows of a page are asked for. */
  complete?(db: Scoped, call: StaffCall, rows: readonly View[]): Promise<View[]>;
  /** Who closed with how much, as code, name and closing, of one day's rows by owner; left out: each owner. */
  closings?(rows: RawBuilder<unknown>, call: StaffCall): RawBuilder<unknown>;
  /** Rows with a difference of their own, besides those whose balances do not agree with their movements or with the day before. */
  differs?(call: StaffCall): RawBuilder<unknown>;
}

const dayLength = 86_400_000;

export function todayOf({ currencyFacts: { zoneMinutes } }: Pick<StaffCall, "currencyFacts">): string {
  return localDay(new Date(), zoneMinutes);
}

/** The days of a list's query: from and to are instants, the latter excluded. */
function periodOf(call: StaffCall, query: ListQuery): Period {
  const day = (name: string, by: number, otherwise: number): string => {
    const at = query[`filter[${name}]`];
    const asked = typeof at === "string" ? Date.parse(at) - by : otherwise;
    // there are no days before the first, nor after the next one
    return localDay(new Date(Math.min(Math.max(asked, 0), Date.now() + dayLength)), call.currencyFacts.zoneMinutes);
  };
  return { from: day("day_from", 0, 0), to: day("day_to", 1, Date.now()), today: todayOf(call) };
}

const cutOf = (query: ListQuery, otherwise: Cut): Cut => {
  const asked = query["filter[by]"];
  return Array.isArray(asked) && asked.length > 0 ? (asked[0] as Cut) : otherwise; // its column's own choices
};

/** How the report's list is sorted and summed: balances of the first and the last day stand for those of the whole. */
function listOf({ columns }: Report<unknown>): RecordList {
  const { by: _by, against: _against, differs: _differs, opening: _opening, ...own } = columns;
  return {
    columns: {
      ...own,
      closing: { sort: true },
      difference: { sum: true },
      opening_first: { sum: true },
      closing_last: { sum: true },
    },
    stored: {
      day: { column: "starts", sort: [{ name: "starts", type: "timestamptz" }] },
      ...Object.fromEntries(sortedBy.map((name) => [name, { sort: [{ name: `by_${name}`, type: "numeric" as const, missing: "0" }] }])),
    },
  };
}

async function ownersOf(db: Scoped, { tenant, currency }: StaffCall, kind: DayKind, where: RawBuilder<unknown>): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select o.id from ${sql.table(kind.owners)} o
    where o.tenant_id = ${tenant} and o.currency = ${currency} and ${where}`.execute(db);
  return rows.map(({ id }) => id);
}

/** Owners with such a code; null: all of them. */
export async function ownersWithCode(db: Scoped, call: StaffCall, kind: DayKind, code: Asked | undefined): Promise<string[] | null> {
  return code === undefined ? null : ownersOf(db, call, kind, withCode(code));
}

async function list<View>(db: Scoped, call: StaffCall, report: Report<View>, query: ListQuery): Promise<{ data: View[]; meta: ListMeta }> {
  const named = query["filter[uuid]"];
  if (Array.isArray(named)) return { data: await readAll(db, call, report, named as string[]), meta: { next: null, previous: null } };
  const period = periodOf(call, query);
  const only = await ownersWithCode(db, call, report.kind, query["filter[code]"] as Asked | undefined); // its column's own schema
  const asked = cutOf(query, report.cut);
  // a row of several owners is of all of them: the days of those asked for stand each by itself
  const cut = asked === "day" && only !== null ? "each" : asked;
  const all = reportRows(report.kind, call, period, cut, only);
  const differing = query["filter[differs]"] !== undefined;
  const shown = report.rows?.(all, call, period) ?? all;
  const rows = differing ? sql`select r.* from (${shown}) r where r.is_difference or ${report.differs?.(call) ?? sql`false`}` : shown;
  const found = await listRecords<ReportRow, string>(db, call, listOf(report), rows, query);
  const { sums } = found.meta;
  return {
    data: await viewOf(db, call, report, found.rows),
    meta: { ...found.meta, ...(sums && { sums: sumsOf(sums, differing || Boolean(query.q)) }) },
  };
}

/** With rows left out, balances and movements do not add up, and are not told beside each other. */
function sumsOf({ opening_first, closing_last, difference, ...sums }: Readonly<Record<string, string>>, isPart: boolean) {
  return isPart ? sums : { ...sums, opening: opening_first ?? "0.00", closing: closing_last ?? "0.00", difference: difference ?? "0.00" };
}

async function viewOf<View>(db: Scoped, call: StaffCall, report: Report<View>, rows: readonly ReportRow[]): Promise<View[]> {
  const today = todayOf(call);
  const views = rows.map((row) => report.view(row, today));
  return (await report.complete?.(db, call, views)) ?? views;
}

/** The rows these uuids name; one that names none is left out. */
async function readAll<View>(db: Scoped, call: StaffCall, report: Report<View>, uuids: readonly string[]): Promise<View[]> {
  const today = todayOf(call);
  const found: ReportRow[] = [];
  const byPeriod = Map.groupBy(
    uuids.map((uuid) => ({ uuid, ...readRowId(uuid) })),
    ({ from, to }) => `${from} ${to}`,
  );
  for (const names of byPeriod.values()) {
    const [first] = names;
    if (first === undefined) continue;
    const { from, to } = first;
    const period = { from, to, today };
    const keys = names.map(({ owner }) => owner);
    const owners = await ownersOf(db, call, report.kind, sql`${ownerKeyOf(sql`o.id`)} = any(${keys}::text[])`);
    const ofAll = keys.includes(ownerKey(call.tenant));
    const cuts: [Cut, string[] | null][] = [
      ...(owners.length > 0 ? [["owner", owners] satisfies [Cut, string[]]] : []),
      ...(ofAll ? [["all", null] satisfies [Cut, null]] : []),
    ];
    for (const [cut, only] of cuts) {
      const all = reportRows(report.kind, call, period, from === to && cut === "owner" ? "each" : cut, only);
      const shown = report.rows?.(all, call, period) ?? all;
      const { rows } = await sql<ReportRow>`select r.* from (${shown}) r where r.id = any(${[...uuids]}::uuid[])`.execute(db);
      found.push(...rows);
    }
  }
  return viewOf(db, call, report, found);
}

/** The row a uuid names; refused where it names none. */
export async function readRow<View>(db: Scoped, call: StaffCall, report: Report<View>, uuid: string): Promise<View> {
  const [row] = await readAll(db, call, report, [uuid]);
  if (row === undefined) throw new Refusal("not-found");
  return row;
}

/** The list and one row of a report, each of one snapshot. */
export const reportHandlers = <View>(report: Report<View>) => ({
  list: (call: StaffCall, { query }: { query: ListQuery }) =>
    inTenant(call.deps.database, call.tenant, (db) => list(db, call, report, query), { snapshot: "report" }),
  read: (call: StaffCall, { params: { uuid } }: { params: { uuid: string } }) =>
    inTenant(call.deps.database, call.tenant, async (db) => ({ data: { row: await readRow(db, call, report, uuid) } }), {
      snapshot: "report",
    }),
});

export const amountOf = (row: ReportRow, name: string): string => amountText(String(row[name] ?? "0"));
/** Of a row that only tells a difference there is no amount. */
export const figureOf = (row: ReportRow, name: string): string | null => (row.is_difference ? null : amountOf(row, name));
export const countOf = (row: ReportRow, name: string): number | null => (row.is_difference ? null : Number(row[name] ?? 0));
