/** A typed time as the span it covers: a month, a week, a day, a minute or a millisecond. ms since 1970, `to` excluded. */
export interface Moment {
  readonly from: number;
  readonly to: number;
}

const units = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;
const zoned = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,6})?Z$/;

/** Whether a text is a day of the calendar, "2026-11-20". */
function isDay(text: string): boolean {
  const at = Date.parse(`${text}T00:00:00Z`);
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}

/**
 * "2026-11-20", "2026-11-20 14:30", "2026-11-20 02:30 PM" as the screen writes it, "14:30" (today), "2026-11", "today", "yesterday", "tomorrow",
 * "week" (this one, from Monday), "month", "now", "-2h", "+2h" (also s, m, d, w), or an instant of UTC.
 * Days and clock times are those of the zone `zoneMinutes` east of UTC. Null when it is none of these.
 */
export function readMoment(text: string, now: number, zoneMinutes: number): Moment | null {
  const moment = readAny(text, now, zoneMinutes);
  return moment !== null && moment.from >= first && moment.to <= last ? moment : null;
}

/** Years 1 to 9999, which both ISO 8601 and PostgreSQL can write. */
const first = Date.parse("0001-01-01T00:00:00Z");
const last = Date.parse("9999-12-31T23:59:59.999Z");

function readAny(text: string, now: number, zoneMinutes: number): Moment | null {
  const typed = text.trim().replace(/\s+/g, " ");
  const zone = zoneMinutes * 60_000;
  const exactly = (from: number): Moment | null => (Number.isFinite(from) ? { from, to: from + 1 } : null);
  if (zoned.test(typed)) return isDay(typed.slice(0, 10)) ? exactly(Date.parse(typed)) : null;
  const away = /^([+-]\d{1,6})([smhdw])$/i.exec(typed);
  if (away) return exactly(now + Number(away[1]) * units[away[2]?.toLowerCase() as keyof typeof units]); // the pattern allows only these
  const word = typed.toLowerCase();
  if (word === "now") return exactly(now);
  const midnight = Math.floor((now + zone) / units.d) * units.d - zone;
  if (word === "today") return { from: midnight, to: midnight + units.d };
  if (word === "yesterday") return { from: midnight - units.d, to: midnight };
  if (word === "tomorrow") return { from: midnight + units.d, to: midnight + 2 * units.d };
  const local = new Date(midnight + zone);
  if (word === "week") {
    const monday = midnight - ((local.getUTCDay() + 6) % 7) * units.d;
    return { from: monday, to: monday + 7 * units.d };
  }
  const month = /^(\d{4})-(\d{2})$/.exec(word);
  if (word === "month" || month !== null) {
    const [year, index] = month ? [Number(month[1]), Number(month[2]) - 1] : [local.getUTCFullYear(), local.getUTCMonth()];
    if (index < 0 || index > 11) return null;
    const first = (at: number) => new Date(0).setUTCFullYear(year, at, 1) - zone;
    return { from: first(index), to: first(index + 1) };
  }
  const [, day, hours, minutes, half] = /^(?:(\d{4}-\d{2}-\d{2})(?:[ T]|$))?(?:(\d{1,2}):(\d{2})(?: ?([ap])m)?)?$/i.exec(typed) ?? [];
  if (day !== undefined && !isDay(day)) return null;
  const begin = day === undefined ? midnight : Date.parse(`${day}T00:00:00Z`) - zone;
  if (hours === undefined) return day === undefined ? null : { from: begin, to: begin + units.d };
  if (Number(hours) > 23 || Number(minutes) > 59) return null;
  if (half !== undefined && (Number(hours) < 1 || Number(hours) > 12)) return null;
  // 12 AM is midnight, 12 PM is noon
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (half.toLowerCase() === "p" ? 12 : 0);
  const from = begin + hour * units.h + Number(minutes) * units.m;
  return { from, to: from + units.m };
}

export const momentWords = ["now", "today", "yesterday", "tomorrow", "week", "month"] as const;
export type MomentWord = (typeof momentWords)[number];
type WordOf = (word: MomentWord) => string;

/** A typed time or span `a..b` with the words of the reader's language put into English, as `readMoment` and links use them. */
export const plainMoment = (typed: string, wordOf: WordOf): string =>
  eachEnd(typed, (end) => momentWords.find((word) => folded(wordOf(word)) === folded(end)));

/** The reverse: English words put into the reader's language. */
export const spokenMoment = (plain: string, wordOf: WordOf): string =>
  eachEnd(plain, (end) => momentWords.filter((word) => word === folded(end)).map(wordOf)[0]);

/** Treats both apostrophes alike, because keyboards write "aujourd’hui" with a straight one. */
const folded = (word: string): string => word.trim().toLowerCase().replaceAll("’", "'");

const eachEnd = (text: string, turn: (end: string) => string | undefined): string =>
  text
    .split("..")
    .map((end) => turn(end) ?? end)
    .join("..");
