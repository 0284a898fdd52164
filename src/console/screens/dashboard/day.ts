import type { Dashboard, DashboardHour } from "../../../contract/dashboard.ts";
import { shownAmount } from "../../kit/look/amounts.ts";
import { formatAmount, moneyText, parseMoney } from "../../../values/money.ts";
import type { Money } from "../../../values/money.ts";
import { spanText } from "../../api/formats.ts";

/** Change of a figure since yesterday at the same time; null where there is nothing to compare. */
export interface Change {
  readonly way: "up" | "down" | "same";
  /** Without sign and unit: "6.2", "00:12". */
  readonly size: string;
}

export const arrows = { up: "↑", down: "↓", same: "±" } as const;

/** For calculations; an unreadable amount is shown as 0.00 and counts as zero. */
export const amountOf = (text: string): Money => parseMoney(text) ?? 0n;

/** Deposits less withdrawals. */
export const netOf = ({ deposits, withdrawals }: Pick<DashboardHour, "deposits" | "withdrawals">): Money =>
  amountOf(deposits.amount) - amountOf(withdrawals.amount);

/** "+1,236,534.50", "−40.00", "0.00" */
export const signed = (value: Money): string => `${value > 0n ? "+" : ""}${shownAmount(moneyText(value))}`;

const wayOf = (difference: number | bigint): Change["way"] => (difference > 0 ? "up" : difference < 0 ? "down" : "same");

/** Change in percent with one decimal; null where yesterday was zero. */
export function percentChange(now: Money, before: Money): Change | null {
  if (before === 0n) return null;
  const difference = now - before;
  const [absolute, whole] = [difference < 0n ? -difference : difference, before < 0n ? -before : before];
  const tenths = (absolute * 1000n + whole / 2n) / whole;
  // in ten-thousandths of a percent, as the amount format expects
  return { way: tenths === 0n ? "same" : wayOf(difference), size: formatAmount(moneyText(tenths * 1000n), 1) };
}

/** Change of a figure that may be negative, for which a percentage means nothing. */
export function amountChange(now: Money, before: Money): Change {
  const difference = now - before;
  return { way: wayOf(difference), size: shownAmount(moneyText(difference < 0n ? -difference : difference)) };
}

/** Change of a rate in percentage points with one decimal. */
export function pointChange(now: number | null, before: number | null): Change | null {
  if (now === null || before === null) return null;
  const tenths = Math.round((now - before) * 10);
  return { way: wayOf(tenths), size: (Math.abs(tenths) / 10).toFixed(1) };
}

export function secondChange(now: number | null, before: number | null): Change | null {
  if (now === null || before === null) return null;
  return { way: wayOf(now - before), size: spanText(Math.abs(now - before) * 1000) };
}

/** Short form for an axis: "600k", "1.25M", "−300k"; figures and tables show full amounts. */
export function compact(value: number): string {
  const size = Math.abs(value);
  const units = [
    [1e12, "T"],
    [1e9, "B"],
    [1e6, "M"],
    [1e3, "k"],
    [1, ""],
  ] as const;
  const sign = value < 0 ? "−" : "";
  // 999,999 is 1M, not 1000k
  const [unit, letter] = units.find(([least]) => Number((size / least).toPrecision(3)) >= 1) ?? [1, ""];
  return `${sign}${Number((size / unit).toPrecision(3))}${letter}`;
}

/** The hour of day of an instant, in the zone that many minutes east of UTC. */
export function hourOf(instant: string, zoneMinutes: number): number {
  const minutes = Math.floor(Date.parse(instant) / 60_000) + zoneMinutes;
  return Math.floor((((minutes % 1440) + 1440) % 1440) / 60);
}

export const hourText = (hour: number): string => `${String(hour).padStart(2, "0")}:00`;

/** Whether nothing has been decided today. */
export const isEmptyDay = ({ today }: Pick<Dashboard, "today">): boolean =>
  today.deposits.count === 0 && today.withdrawals.count === 0 && today.rejected === 0;

/** "< 1", "1–2", "> 10": minutes of a bar. */
export function ageText(from: number, to: number | null): string {
  const text = (minutes: number) => String(Math.round(minutes * 10) / 10);
  return to === null ? `> ${text(from)}` : from === 0 ? `< ${text(to)}` : `${text(from)}–${text(to)}`;
}

/** Grey, or amber and red beyond the tenant's limits. */
export function ageTone(
  from: number,
  { amber_minutes, red_minutes }: Pick<Dashboard["queue"], "amber_minutes" | "red_minutes">,
): "" | "amber" | "red" {
  return from >= red_minutes ? "red" : from >= amber_minutes ? "amber" : "";
}
