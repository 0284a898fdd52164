import type { Formats } from "../../api/formats.ts";

/** How much of the time the picture shows. */
export const spans = ["day", "week", "month"] as const;
export type Span = (typeof spans)[number];

/** [from, to) in ms since 1970. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** The zone days begin in, and how one is written. */
type Calendar = Pick<Formats, "zone" | "day">;

export const dayLength = 86_400_000;
const isDay = /^\d{4}-\d{2}-\d{2}$/;

/** Midnight of a day "2026-11-21" in a zone so many minutes east of UTC; null: it is no day. */
export function dayStart(text: string, { zone }: Calendar): number | null {
  const at = isDay.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return Number.isNaN(at) ? null : at - zone * 60_000;
}

/** Days since the Monday before: 1970 began on a Thursday. */
const weekday = (start: number, zone: number): number => (Math.round((start + zone * 60_000) / dayLength) + 3) % 7;

/** The first of a day's month, or of the one after. */
function monthStart(text: string, after: 0 | 1, calendar: Calendar): number {
  const [year = 0, month = 1] = text.split("-").map(Number);
  const [y, m] = month + after > 12 ? [year + 1, 1] : [year, month + after];
  return dayStart(`${String(y).padStart(4, "0")}-${String(m).padStart(2, "0")}-01`, calendar) ?? 0;
}

/** The stretch of a span with this day in it: the day, its week from Monday, its month. */
export function stretchOf(span: Span, text: string, calendar: Calendar): Stretch {
  if (span === "month") return { from: monthStart(text, 0, calendar), to: monthStart(text, 1, calendar) };
  const start = dayStart(text, calendar) ?? 0;
  if (span === "day") return { from: start, to: start + dayLength };
  const from = start - weekday(start, calendar.zone) * dayLength;
  return { from, to: from + 7 * dayLength };
}

/** The day a span further on, or with -1 a span back; of a month its first or last. */
export function stepped(span: Span, text: string, by: 1 | -1, calendar: Calendar): string {
  const { from, to } = stretchOf(span, text, calendar);
  if (span === "month") return calendar.day(by === 1 ? to : from - dayLength);
  const start = dayStart(text, calendar) ?? from;
  return calendar.day(start + by * (span === "day" ? dayLength : 7 * dayLength));
}

/** Each midnight of a stretch. */
export const daysOf = ({ from, to }: Stretch): number[] =>
  Array.from({ length: Math.round((to - from) / dayLength) }, (_, n) => from + n * dayLength);

/** What is read at once: a day's whole week, because the strip above shows it. */
export const readStretch = (span: Span, text: string, calendar: Calendar): Stretch =>
  stretchOf(span === "month" ? "month" : "week", text, calendar);

/** Where an instant stands within a stretch, in percent of its length. */
export const share = ({ from, to }: Stretch, at: number): number => ((at - from) / (to - from)) * 100;

/** Where a window is drawn within a stretch: from its start, and as wide as what of it lies within. */
export function placeIn(stretch: Stretch, { from, to }: Stretch): { readonly "--x": string; readonly "--w": string } {
  const [begin, end] = [Math.max(0, share(stretch, from)), Math.min(100, share(stretch, to))];
  return { "--x": `${begin.toFixed(3)}%`, "--w": `${(end - begin).toFixed(3)}%` };
}
