import type { RawBuilder } from "kysely";
import { sql } from "kysely";
import { addDays } from "../../values/days.ts";
import type { StaffCall } from "../call.ts";

/** Tenant, currency and the zone whose days are reported. */
export type ReportScope = Pick<StaffCall, "tenant" | "currency" | "currencyFacts">;

/** Days, both included: "2026-11-20". `today` is the zone's, after which there are none. */
export interface Period {
  readonly from: string;
  readonly to: string;
  readonly today: string;
}

/** What the rows of a report are of. */
export type Cut = "each" | "owner" | "day" | "week" | "month" | "all";

/** Whose days they are: what the ledger moved of payment accounts, or of merchants. */
export interface DayKind {
  /** The table of days that are over; the function of its name with `_of` computes the others (functions/reports.sql). */
  readonly table: "account_days" | "merchant_days";
  readonly owners: "payment_accounts" | "merchants";
  readonly ownerId: "payment_account_id" | "merchant_id";
  /** What an owner is called beside its code. */
  readonly name: "bank" | "name";
  /** The columns that are summed where a row is of several days or owners. */
  readonly sums: readonly string[];
  /** What opening balance and movements come to, of the summed columns. */
  readonly reached: string;
  /** Columns that are no sums: of one owner and day only. */
  readonly single: readonly string[];
}

export const ofAccounts: DayKind = {
  table: "account_days",
  owners: "payment_accounts",
  ownerId: "payment_account_id",
  name: "bank",
  sums: [
    "deposits_n",
    "deposits",
    "withdrawals_n",
    "withdrawals",
    "transfers_in",
    "transfers_out",
    "settlements",
    "charges",
    "adjustments",
  ],
  reached: "opening + deposits - withdrawals + transfers_in - transfers_out - settlements - charges + adjustments",
  single: [],
};

export const ofMerchants: DayKind = {
  table: "merchant_days",
  owners: "merchants",
  ownerId: "merchant_id",
  name: "name",
  sums: [
    "deposits_n",
    "deposits",
    "deposits_net",
    "withdrawals_n",
    "withdrawals",
    "withdrawals_fee",
    "settlements",
    "adjustments",
    "fees",
    "approved",
    "failed",
  ],
  reached: "opening + deposits_net - withdrawals - withdrawals_fee - settlements + adjustments + held_before - held",
  single: ["median_seconds", "p95_seconds"],
};

/** Balances of a day's begin and end: of several days those of the first and of the last. */
const firsts = { account_days: ["opening"], merchant_days: ["opening", "held_before"] } as const;
const lasts = { account_days: ["closing"], merchant_days: ["closing", "held"] } as const;

/** The days of a period with their owners, those kept and those still to be read from the ledger. `only`: of these owners. */
export function daysIn(
  kind: DayKind,
  { tenant, currency, currencyFacts }: ReportScope,
  { from, to, today }: Period,
  only: readonly string[] | null,
): RawBuilder<unknown> {
  const [table, open, id] = [sql.table(kind.table), sql.ref(`${kind.table}_of`), sql.ref(kind.ownerId)];
  const ids = only === null ? sql`null::uuid[]` : sql`${[...only]}::uuid[]`;
  const owned = only === null ? sql`` : sql`and d.${id} = any(${ids})`;
  const between = sql`d.day between ${from}::date and ${to}::date`;
  return sql`select d.*, d.${id} as owner, w.code, w.${sql.ref(kind.name)} as name from (
      select d.*, true as is_closed from ${table} d where d.tenant_id = ${tenant} and d.currency = ${currency} and ${between} ${owned}
      union all
      select d.*, false as is_closed from ${open}(${tenant}::uuid, ${currency}, ${currencyFacts.zoneMinutes}::integer, null, ${today}::date, ${ids}) d where ${between}) d
    join ${sql.table(kind.owners)} w on w.tenant_id = ${tenant} and w.id = d.${id}`;
}

/** The day a cut's row begins and ends with, of day `d`. */
function boundsOf(cut: Cut, { from, to, today }: Period): RawBuilder<unknown> {
  const [begin, end] = {
    each: [sql`d.day`, sql`d.day`],
    day: [sql`d.day`, sql`d.day`],
    owner: [sql`${from}::date`, sql`${to}::date`],
    all: [sql`${from}::date`, sql`${to}::date`],
    week: [sql`date_trunc('week', d.day)::date`, sql`date_trunc('week', d.day)::date + 6`],
    month: [sql`date_trunc('month', d.day)::date`, sql`(date_trunc('month', d.day) + interval '1 month')::date - 1`],
  }[cut];
  return sql`select greatest(${begin}, ${from}::date) as first, least(${end}, ${to}::date, ${today}::date) as last`;
}

/**
 * A row's uuid names what it is of, so that a link to it is enough to find it: the day it begins with since 1970, the number of its days,
 * and of its owner, or of the tenant where it is of all, what is left of the uuid.
 */
const rowId = (
  of: RawBuilder<unknown>,
) => sql`(lpad(to_hex(b.first - date '1970-01-01'), 4, '0') || lpad(to_hex(b.last - b.first + 1), 4, '0')
  || substr(${of}::text, 9))::uuid`;

export interface RowName {
  readonly from: string;
  readonly to: string;
  /** Whose it is, as `ownerKey` has it. */
  readonly owner: string;
}

/** What a row's uuid keeps of its owner's or its tenant's: without what it begins with, and its version, which of a difference is another. */
export const ownerKey = (uuid: string): string => uuid.slice(8, 14) + uuid.slice(15);
export const ownerKeyOf = (id: RawBuilder<unknown>): RawBuilder<unknown> => sql`(substr(${id}::text, 9, 6) || substr(${id}::text, 16))`;

/** What a row's uuid names. */
export function readRowId(uuid: string): RowName {
  const [first, days] = [Number.parseInt(uuid.slice(0, 4), 16), Number.parseInt(uuid.slice(4, 8), 16)];
  const from = addDays("1970-01-01", first);
  return { from, to: addDays(from, Math.max(1, days) - 1), owner: ownerKey(uuid) };
}

/**
 * The rows of a report: its days by `cut`, and after each whose balances do not agree with its movements one that tells by how much. With
 * `opening_first` and `closing_last` for the totals, which are those of the period's first and last day.
 */
export function reportRows(
  kind: DayKind,
  scope: ReportScope,
  period: Period,
  cut: Cut,
  only: readonly string[] | null,
): RawBuilder<unknown> {
  const days = daysIn(kind, scope, period, only);
  const byOwner = cut === "each" || cut === "owner";
  const of = byOwner ? sql`d.owner` : sql`${scope.tenant}::uuid`;
  const columns = (names: readonly string[], read: (name: string) => RawBuilder<unknown>) =>
    names.map((name) => sql`, ${read(name)} as ${sql.ref(name)}`);
  const plain = (name: string) => sql.ref(`d.${name}`);
  const summed = (name: string) => sql`sum(${plain(name)})`;
  const at = (edge: "first" | "last") => (name: string) =>
    sql`coalesce(sum(${plain(name)}) filter (where d.day = ${sql.ref(`b.${edge}`)}), 0)`;
  const [opening, closing] = [firsts[kind.table], lasts[kind.table]];
  const grouped = cut !== "each";
  const figures = sql.join(
    [
      ...columns(opening, grouped ? at("first") : plain),
      ...columns(kind.sums, grouped ? summed : plain),
      ...columns(closing, grouped ? at("last") : plain),
      ...columns(kind.single, grouped ? () => sql`null::integer` : plain),
    ],
    sql``,
  );
  const owner = byOwner ? sql`d.owner, d.code, d.name` : sql`null::uuid as owner, null::text as code, null::text as name`;
  const group = grouped ? sql`group by ${byOwner ? sql`d.owner, d.code, d.name, ` : sql``} b.first, b.last` : sql``;
  const closed = grouped ? sql`bool_and(d.is_closed)` : sql`d.is_closed`;
  const rows = sql`select ${rowId(of)} as row_id, ${owner}, b.first, b.last, day_start(b.first, ${scope.currencyFacts.zoneMinutes}::integer) as starts,
      ${closed} as is_closed ${figures}
    from (${days}) d cross join lateral (${boundsOf(cut, period)}) b ${group}`;
  const isFirst = sql`not l.is_difference and r.first = ${period.from}::date`;
  const isLast = sql`not l.is_difference and r.last = least(${period.to}::date, ${period.today}::date)`;
  return sql`select r.*, case when l.is_difference then overlay(r.row_id::text placing '6' from 15)::uuid else r.row_id end as id, l.is_difference,
      case when l.is_difference then r.closing - (${sql.raw(kind.reached)}) end as difference,
      case when ${isFirst} then r.opening end as opening_first, case when ${isLast} then r.closing end as closing_last
    from (${rows}) r
    join (values (false), (true)) l (is_difference) on not l.is_difference or r.closing <> ${sql.raw(kind.reached)}`;
}
