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
  /**
   * Balances a day begins and ends with, of several days those of the first and of the last; and what the table calls the latter. What a day
   * begins with is what the one before ended with.
   */
  readonly balances: readonly Balance[];
  /** What opening balance and movements come to, of balances and summed columns. */
  readonly reached: string;
  /** Columns that are no sums: of one owner and day only. */
  readonly single: readonly string[];
}

interface Balance {
  readonly first: string;
  readonly last: string;
  readonly stored: string;
  /** What the uuid of a row that tells its difference has for a version. */
  readonly mark: string;
}
const closing: Balance = { first: "opening", last: "closing", stored: "closing", mark: "5" };
const held: Balance = { first: "held_before", last: "held_after", stored: "held", mark: "8" };

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
  balances: [closing],
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
  balances: [closing, held],
  reached: "opening + deposits_net - withdrawals - withdrawals_fee - settlements + adjustments + held_before - held_after",
  single: ["median_seconds", "p95_seconds"],
};

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

/** The version in the uuid of a row that tells what its balances and movements differ by. */
const movesMark = "6";
/** Figures that rows are sorted by: a row that tells a difference stands by those of the row it is of. */
export const sortedBy = ["deposits", "withdrawals", "closing"] as const;

export interface RowName {
  readonly from: string;
  readonly to: string;
  /** Whose it is, as `ownerKey` has it. */
  readonly owner: string;
}

/** What a row's uuid keeps of its owner's or its tenant's: without what it begins with, and its version, which of a difference is another (`mark`). */
export const ownerKey = (uuid: string): string => uuid.slice(8, 14) + uuid.slice(15);
export const ownerKeyOf = (id: RawBuilder<unknown>): RawBuilder<unknown> => sql`(substr(${id}::text, 9, 6) || substr(${id}::text, 16))`;

/** What a row's uuid names. */
export function readRowId(uuid: string): RowName {
  const [first, days] = [Number.parseInt(uuid.slice(0, 4), 16), Number.parseInt(uuid.slice(4, 8), 16)];
  const from = addDays("1970-01-01", first);
  return { from, to: addDays(from, Math.max(1, days) - 1), owner: ownerKey(uuid) };
}

/** The days of a period, each with what its balances began with more than those of its owner's day before ended with. */
function daysCarried(kind: DayKind, scope: ReportScope, { from, to, today }: Period, only: readonly string[] | null): RawBuilder<unknown> {
  const days = daysIn(kind, scope, { from: addDays(from, -1), to, today }, only);
  const balances = kind.balances.map(({ first, last, stored }) => {
    // of the first day that is read, the last one kept before it
    const kept = sql`select k.${sql.ref(stored)} from ${sql.table(kind.table)} k
      where k.tenant_id = ${scope.tenant} and k.${sql.ref(kind.ownerId)} = d.owner and k.day < d.day order by k.day desc limit 1`;
    const begun = sql`d.${sql.ref(first)} - coalesce(lag(d.${sql.ref(stored)}) over w, (${kept}), 0)`;
    const ended = last === stored ? sql`` : sql`, d.${sql.ref(stored)} as ${sql.ref(last)}`;
    return sql`, ${begun} as ${sql.ref(`${first}_more`)} ${ended}`;
  });
  return sql`select d.* from (select d.* ${sql.join(balances, sql``)} from (${days}) d window w as (partition by d.owner order by d.day)) d
    where d.day >= ${from}::date`;
}

/**
 * The rows of a report: its days by `cut`, and after each whose balances do not agree with its movements, or with those of the day before, one
 * that tells by how much. With `opening_first` and `closing_last` for the totals, which are those of the period's first and last day.
 */
export function reportRows(
  kind: DayKind,
  scope: ReportScope,
  period: Period,
  cut: Cut,
  only: readonly string[] | null,
): RawBuilder<unknown> {
  const days = daysCarried(kind, scope, period, only);
  const byOwner = cut === "each" || cut === "owner";
  const of = byOwner ? sql`d.owner` : sql`${scope.tenant}::uuid`;
  const columns = (names: readonly string[], read: (name: string) => RawBuilder<unknown>) =>
    names.map((name) => sql`, ${read(name)} as ${sql.ref(name)}`);
  const plain = (name: string) => sql.ref(`d.${name}`);
  const summed = (name: string) => sql`sum(${plain(name)})`;
  const at = (edge: "first" | "last") => (name: string) =>
    sql`coalesce(sum(${plain(name)}) filter (where d.day = ${sql.ref(`b.${edge}`)}), 0)`;
  const [firsts, lasts] = [kind.balances.map(({ first }) => first), kind.balances.map(({ last }) => last)];
  const more = firsts.map((first) => `${first}_more`);
  const grouped = cut !== "each";
  const figures = [
    ...columns([...firsts, ...more], grouped ? at("first") : plain),
    ...columns(kind.sums, grouped ? summed : plain),
    ...columns(lasts, grouped ? at("last") : plain),
    ...columns(kind.single, grouped ? () => sql`null::integer` : plain),
  ];
  const owner = byOwner ? sql`d.owner, d.code, d.name` : sql`null::uuid as owner, null::text as code, null::text as name`;
  const group = grouped ? sql`group by ${byOwner ? sql`d.owner, d.code, d.name, ` : sql``} b.first, b.last` : sql``;
  const closed = grouped ? sql`bool_and(d.is_closed)` : sql`d.is_closed`;
  const rows = sql`select ${rowId(of)} as row_id, ${owner}, b.first, b.last, day_start(b.first, ${scope.currencyFacts.zoneMinutes}::integer) as starts,
      ${closed} as is_closed ${sql.join(figures, sql``)}
    from (${days}) d cross join lateral (${boundsOf(cut, period)}) b ${group}`;
  const isFirst = sql`l.mark is null and r.first = ${period.from}::date`;
  const isLast = sql`l.mark is null and r.last = least(${period.to}::date, ${period.today}::date)`;
  const carried = kind.balances.map(({ first, mark }) => sql`, (${mark}, ${sql.ref(`r.${first}_more`)})`);
  // a row that only tells a difference has no figures, because those of the row above would count twice
  const own = columns(
    [...firsts, ...kind.sums, ...lasts, ...kind.single],
    (name) => sql`case when l.mark is null then ${sql.ref(`r.${name}`)} end`,
  );
  return sql`select r.row_id, r.owner, r.code, r.name, r.first, r.last, r.starts, r.is_closed ${sql.join(own, sql``)},
      ${sql.join(sortedBy.map((name) => sql`${sql.ref(`r.${name}`)} as ${sql.ref(`by_${name}`)}`))},
      case when l.mark is null then r.row_id else overlay(r.row_id::text placing l.mark from 15)::uuid end as id,
      l.mark is not null as is_difference, l.mark <> ${movesMark} as is_carried, l.amount as difference,
      case when ${isFirst} then r.opening end as opening_first, case when ${isLast} then r.closing end as closing_last
    from (${rows}) r
    cross join lateral (values (null::text, null::numeric), (${movesMark}, r.closing - (${sql.raw(kind.reached)})) ${sql.join(carried, sql``)}) l (mark, amount)
    where l.mark is null or l.amount <> 0`;
}
