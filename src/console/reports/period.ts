import { addDays, countDays, dateOf, mondayOf } from "../../values/days.ts";
import { readTimes } from "../lists/ranges.ts";

/** Days "2026-11-20" of the currency's zone, both included. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

const monthStart = (day: string): string => `${day.slice(0, 7)}-01`;
const monthEnd = (day: string): string => {
  const [year, month] = [Number(day.slice(0, 4)), Number(day.slice(5, 7))];
  return dateOf(Date.UTC(year, month, 0));
};
const isMonth = ({ from, to }: Days): boolean => from === monthStart(from) && to === monthEnd(from);

/** The days that a typed time or span covers, up to today where it says no end; null: it covers none. */
export function daysOf(typed: string, now: number, zoneMinutes: number): Days | null {
  const range = readTimes(typed, now, zoneMinutes);
  if (range === null) return null;
  const dayOf = (at: number) => dateOf(at + zoneMinutes * 60_000);
  const to = range.to === undefined ? dayOf(now) : dayOf(Date.parse(range.to) - 1);
  return { from: range.from === undefined ? to : dayOf(Date.parse(range.from)), to };
}

/** A period as an address has it: "2026-11" for a month, "2026-11-20" for a day. */
export function periodText(days: Days): string {
  if (days.from === days.to) return days.from;
  return isMonth(days) ? days.from.slice(0, 7) : `${days.from}..${days.to}`;
}

/** "2026-11-20 – 2026-11-26", as it is read. */
export const daysText = ({ from, to }: Days): string => (from === to ? from : `${from} – ${to}`);

/** The period before (−1) or after one: the whole month beside a whole month, else as many days. */
export function shifted(days: Days, by: 1 | -1): Days {
  if (isMonth(days)) {
    const first = by === 1 ? addDays(days.to, 1) : monthStart(addDays(days.from, -1));
    return { from: first, to: monthEnd(first) };
  }
  const count = countDays(days.from, days.to);
  return { from: addDays(days.from, by * count), to: addDays(days.to, by * count) };
}

/** From a day to its week, from that to its month, from that to its last day that is not after today. */
export function widened(days: Days, today: string): Days {
  const last = days.from <= today && today < days.to ? today : days.to;
  if (days.from === days.to) {
    const monday = mondayOf(last);
    return { from: monday, to: addDays(monday, 6) };
  }
  return isMonth(days) ? { from: last, to: last } : { from: monthStart(last), to: monthEnd(last) };
}
