import type { LiveBalance, LiveDay, LiveMeta } from "../../../contract/live-balances.ts";
import { pointMinutes } from "../../../contract/live-balances.ts";
import { needsAttention, paysOut, urgency } from "../../../contract/live-shows.ts";
import type { Money } from "../../../values/money.ts";
import { money, moneyText } from "../../../values/money.ts";

/** A line of the grid: an account, or the heading of those beneath it with their sums. */
export type LiveLine = AccountLine | HeadingLine;

export type AccountLine = LiveBalance & { readonly line: "account"; readonly day: LiveDay | null; readonly attention: boolean };

export interface HeadingLine extends Sums {
  readonly line: "heading";
  readonly uuid: string;
  /** A heading is no record and never edited. */
  readonly version: 0;
  /** null: of the accounts that come first. */
  readonly name: string | null;
  readonly count: number;
  /** Of the group's accounts, those that stand above under "first". */
  readonly above: number;
}

export const limitNames = ["deposit_daily", "deposit_monthly", "withdrawal_daily", "withdrawal_monthly"] as const;
export type LimitName = (typeof limitNames)[number];

/** By what accounts are gathered. */
export const groupings = ["bank", "type", "none"] as const;
export type Grouping = (typeof groupings)[number];

export const isAccount = (line: LiveLine): line is AccountLine => line.line === "account";

/** Used share in percent; null: no limit. */
export function usedPercent({ used, limit }: { readonly used: string; readonly limit: string | null }): number | null {
  if (limit === null) return null;
  const whole = money(limit);
  return whole <= 0n ? 100 : Math.max(0, Number((money(used) * 1000n) / whole) / 10);
}

/** What is left of the tightest of the limits that bind it, as a share of 1; nothing where it pays and has nothing payable. */
export function headroom(row: LiveBalance): number {
  if (paysOut(row) && money(row.payable) <= 0n) return 0;
  const binding = limitNames.filter((name) => (name.startsWith("deposit") ? row.purpose !== "withdrawal" : row.purpose !== "deposit"));
  return Math.min(1, ...binding.map((name) => 1 - Math.min(100, usedPercent(row[name]) ?? 0) / 100));
}

/** Those that work before those that are off, the least headroom first. */
export const byHeadroom = (a: LiveBalance, b: LiveBalance): number =>
  Number(a.status === "inactive") - Number(b.status === "inactive") ||
  headroom(a) - headroom(b) ||
  (a.code < b.code ? -1 : a.code > b.code ? 1 : 0);

export interface Sums {
  readonly balance: string;
  readonly hold_amount: string;
  readonly reserve_amount: string;
  readonly payable: string;
  /** Of the accounts that have the limit; its total null: none has. */
  readonly limits: Readonly<Record<LimitName, { readonly used: string; readonly limit: string | null }>>;
  readonly in: number;
  readonly out: number;
}

const amounts = ["balance", "hold_amount", "reserve_amount", "payable"] as const;

export function sumsOf(rows: readonly LiveBalance[]): Sums {
  const sum = (of: (row: LiveBalance) => string): string => moneyText(rows.reduce<Money>((total, row) => total + money(of(row)), 0n));
  const limitOf = (name: LimitName) => {
    const limited = rows.flatMap(({ [name]: { used, limit } }) => (limit === null ? [] : [{ used: money(used), limit: money(limit) }]));
    const total = (of: "used" | "limit") => moneyText(limited.reduce((all, one) => all + one[of], 0n));
    return [name, { used: total("used"), limit: limited.length === 0 ? null : total("limit") }] as const;
  };
  return {
    ...(Object.fromEntries(amounts.map((name) => [name, sum((row) => row[name])])) as Pick<Sums, (typeof amounts)[number]>), // by its names
    limits: Object.fromEntries(limitNames.map(limitOf)) as Sums["limits"], // by its names
    in: rows.reduce((all, { open_in }) => all + open_in.count, 0),
    out: rows.reduce((all, { open_out }) => all + open_out.count, 0),
  };
}

const groupOf = (row: LiveBalance, grouping: Exclude<Grouping, "none">): string => (grouping === "bank" ? row.bank : row.type);

/**
 * Accounts as the grid shows them: what needs attention first, critical before the rest, then group by group in the order of their
 * names with their sums. `order` sorts within them.
 */
export function linesOf(
  rows: readonly LiveBalance[],
  dayOf: (uuid: string) => LiveDay | null,
  grouping: Grouping,
  order: (a: LiveBalance, b: LiveBalance) => number,
): readonly LiveLine[] {
  const account = (row: LiveBalance, attention: boolean): AccountLine => ({ ...row, line: "account", day: dayOf(row.uuid), attention });
  const first = rows
    .filter(needsAttention)
    .toSorted((a, b) => (urgency(a) ?? 0) - (urgency(b) ?? 0) || order(a, b))
    .map((row) => account(row, true));
  const rest = rows.filter((row) => !needsAttention(row)).toSorted(order);
  const heading = (name: string | null, all: readonly LiveBalance[], above: number): HeadingLine => ({
    line: "heading",
    version: 0,
    uuid: `heading ${name ?? ""}`,
    name,
    count: all.length,
    above,
    ...sumsOf(all),
  });
  const head = first.length === 0 ? [] : [heading(null, first, 0), ...first];
  if (grouping === "none") return [...head, ...rest.map((row) => account(row, false))];
  const groups = Map.groupBy(rows, (row) => groupOf(row, grouping));
  const names = [...groups.keys()].toSorted((a, b) => a.localeCompare(b, "en"));
  return [
    ...head,
    ...names.flatMap((name): LiveLine[] => {
      const all = groups.get(name) ?? [];
      const here = rest.filter((row) => groupOf(row, grouping) === name);
      return [heading(name, all, all.length - here.length), ...here.map((row) => account(row, false))];
    }),
  ];
}

/** The course of a day with a balance that holds now, `at` ms: what passed since its last point stayed as it was. */
export function withPoint(day: LiveDay, balance: string, at: number, meta: Pick<LiveMeta, "day_starts_at">): LiveDay {
  const index = Math.floor((at - Date.parse(meta.day_starts_at)) / (pointMinutes * 60_000));
  if (index < 0 || index >= (24 * 60) / pointMinutes) return day;
  const last = day.points.at(-1) ?? day.opening;
  const points = day.points.slice(0, index + 1);
  while (points.length < index) points.push(last);
  points[index] = balance;
  return { ...day, points };
}
