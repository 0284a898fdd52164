import type { Dashboard, DashboardHour } from "../../../contract/dashboard.ts";
import type { Change } from "../../kit/look/changes.ts";
import { wayOf } from "../../kit/look/changes.ts";
import { parseMoney } from "../../../values/money.ts";
import type { Money } from "../../../values/money.ts";
import { spanText } from "../../api/formats.ts";

/** For calculations; an unreadable amount is shown as 0.00 and counts as zero. */
export const amountOf = (text: string): Money => parseMoney(text) ?? 0n;

/** Deposits less withdrawals. */
export const netOf = ({ deposits, withdrawals }: Pick<DashboardHour, "deposits" | "withdrawals">): Money =>
  amountOf(deposits.amount) - amountOf(withdrawals.amount);

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
