import type { DateOrder, LineFault } from "../../../contract/bank-layouts.ts";
import { dateOrders } from "../../../contract/bank-layouts.ts";
import { plainDigits } from "./amounts.ts";
import type { Cell } from "./cells.ts";
import { monthOf } from "./months.ts";

interface Clock {
  readonly seconds: number;
  /** Minutes east of UTC that are written beside it. */
  readonly zone: number | null;
}

/** A day as written: known, or three numbers whose order is not. */
type Day =
  | { readonly year: number; readonly month: number; readonly day: number }
  | { readonly numbers: readonly [string, string, string] };

interface Written {
  readonly day: Day;
  readonly clock: Clock | null;
}

type DateFault = Extract<LineFault, "not-a-date" | "order-open" | "no-year">;

/** What the whole column tells of its dates. */
export interface DateColumn {
  readonly order: DateOrder | null;
  /** Years of two digits are of the Buddhist era. */
  readonly shortBuddhist: boolean;
}

const clockPattern =
  /(?:^|[\sT,])(上午|下午|ص|م)?\s*(\d{1,2})\s*[:.h]\s*(\d{2})(?:\s*[:.]\s*(\d{2})(?:[.,]\d{1,7})?)?\s*(a\.?\s?m\.?|p\.?\s?m\.?|ص|م|น\.?|uhr|h)?\s*(Z|UTC|GMT|(?:UTC|GMT)?[+-]\d{2}:?\d{2})?$/iu;
const chineseClock = /(上午|下午)?\s*(\d{1,2})\s*[时時点]\s*(\d{1,2})\s*分?(?:\s*(\d{1,2})\s*秒)?$/u;

/** A time of day on its own: "14:23", "2:23 PM", "142311". Seconds since midnight; null: it is none. */
export function readClock(cell: Cell): Clock | null {
  if (typeof cell !== "string") {
    if ("date" in cell) return clockOf("", cell.date.slice(11, 13), cell.date.slice(14, 16), cell.date.slice(17, 19), "", "");
    return readClock(cell.number.padStart(6, "0"));
  }
  const text = plainDigits(cell);
  const compact = /^(\d{2})(\d{2})(\d{2})$/.exec(text);
  if (compact) return clockOf("", compact[1], compact[2], compact[3], "", "");
  return splitClock(text)?.clock ?? null;
}

function clockOf(
  before: string | undefined,
  hours: string | undefined,
  minutes: string | undefined,
  seconds: string | undefined,
  after: string | undefined,
  zone: string | undefined,
): Clock | null {
  const half = /^(p|下午|م)/i.test(after || before || "") ? "pm" : /^(a|上午|ص)/i.test(after || before || "") ? "am" : null;
  let hour = Number(hours);
  if (half !== null && hour <= 12) hour = (hour % 12) + (half === "pm" ? 12 : 0);
  const [minute, second] = [Number(minutes), Number(seconds ?? 0)];
  // 24:00 ends the day
  const isTime = (hour <= 23 || (hour === 24 && minute + second === 0)) && minute <= 59 && second <= 59;
  return isTime ? { seconds: Math.min(hour * 3600 + minute * 60 + second, 86_399), zone: zoneOf(zone) } : null;
}

function zoneOf(text: string | undefined): number | null {
  if (!text) return null;
  const offset = /([+-])(\d{2}):?(\d{2})$/.exec(text);
  return offset ? (offset[1] === "-" ? -1 : 1) * (Number(offset[2]) * 60 + Number(offset[3])) : 0;
}

function splitClock(text: string): { rest: string; clock: Clock | null } | null {
  const match = chineseClock.exec(text) ?? clockPattern.exec(text);
  if (!match) return null;
  const clock = clockOf(match[1], match[2], match[3], match[4], match[5], match[6]);
  return { rest: text.slice(0, match.index).trim().replace(/,$/, ""), clock };
}

/** A date as written, with the time of day beside it. */
function writtenDate(text: string): Written | DateFault {
  const plain = plainDigits(text);
  const compact = compactDate(plain);
  if (compact) return compact;
  const whole = dayOf(plain);
  if (typeof whole !== "string") return { day: whole, clock: null };
  const split = splitClock(plain);
  if (!split) return whole;
  if (!split.clock) return "not-a-date";
  const day = dayOf(split.rest.replace(/T$/i, ""));
  return typeof day === "string" ? day : { day, clock: split.clock };
}

/** 20260315, 20260315142311. */
function compactDate(text: string): Written | null {
  const match = /^(\d{4})(\d{2})(\d{2})(?:[T ]?(\d{2})(\d{2})(\d{2})?)?$/.exec(text);
  if (!match || !/^(19|20|25)/.test(text)) return null;
  const day = { year: Number(match[1]), month: Number(match[2]), day: Number(match[3]) };
  if (!isDay(gregorian(day))) return null;
  const clock = match[4] === undefined ? null : clockOf("", match[4], match[5], match[6], "", "");
  return match[4] !== undefined && clock === null ? null : { day: gregorian(day), clock };
}

function dayOf(text: string): Day | DateFault {
  const chinese = /^(\d{4})\s*年\s*(\d{1,2})\s*月\s*(\d{1,2})\s*日?$/.exec(text);
  if (chinese) return known(Number(chinese[1]), Number(chinese[2]), Number(chinese[3]));
  const numbers = /^(\d{1,4})\s?[-/.\s]\s?(\d{1,2})\s?[-/.\s]\s?(\d{1,4})\.?$/.exec(text);
  if (numbers) {
    const [, a = "", b = "", c = ""] = numbers;
    if (a.length === 4) return c.length <= 2 ? known(Number(a), Number(b), Number(c)) : "not-a-date";
    return a.length <= 2 && (c.length === 4 || c.length === 2) ? { numbers: [a, b, c] } : "not-a-date";
  }
  if (/^\d{1,2}\s?[-/.]\s?\d{1,2}\.?$/.test(text)) return "no-year";
  const short = /^(\d{2})(\d{2})(\d{4}|\d{2})$/.exec(text);
  if (short) return { numbers: [short[1] ?? "", short[2] ?? "", short[3] ?? ""] };
  return wordedDay(text);
}

/** Words beside a day that name no month: weekdays, "de", "г.". */
const isFiller = (word: string): boolean =>
  /^(de|del|of|the|г|года|n|th|st|nd|rd|tháng|thg|năm|พ\.?ศ\.?|ค\.?ศ\.?)$/iu.test(word) || word.length === 0;

function wordedDay(text: string): Day | DateFault {
  const parts = text.match(/\d+|[^\d\s,/-]+/gu) ?? [];
  const vietnamese = /^(?:ngày\s*)?(\d{1,2})\s*(?:tháng|thg)\s*(\d{1,2})(?:\s*,?\s*(?:năm\s*)?(\d{4}))?$/iu.exec(text);
  if (vietnamese)
    return vietnamese[3] === undefined ? "no-year" : known(Number(vietnamese[3]), Number(vietnamese[2]), Number(vietnamese[1]));
  let month: number | null = null;
  const numbers: string[] = [];
  for (const [at, part] of parts.entries()) {
    if (/^\d+$/.test(part)) numbers.push(part);
    else {
      const named = monthOf(part);
      if (named !== null && month === null) month = named;
      // a weekday stands first
      else if (!isFiller(part.replaceAll(".", "")) && at !== 0) return "not-a-date";
    }
  }
  if (month === null || numbers.length === 0 || numbers.length > 2) return "not-a-date";
  const [one = "", two] = numbers;
  if (two === undefined) return one.length <= 2 ? "no-year" : "not-a-date";
  if (one.length === 4) return known(Number(one), month, Number(two));
  if (two.length !== 2 && two.length !== 4) return "not-a-date";
  return known(two.length === 2 ? 2000 + Number(two) : Number(two), month, Number(one));
}

interface Known {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

/** Years of the Buddhist era are 543 ahead. */
const gregorian = (day: Known): Known => (day.year >= 2450 && day.year <= 2700 ? { ...day, year: day.year - 543 } : day);

function known(year: number, month: number, day: number): Day | DateFault {
  const one = gregorian({ year, month, day });
  return isDay(one) ? one : "not-a-date";
}

function isDay({ year, month, day }: Known): boolean {
  const at = new Date(Date.UTC(year, month - 1, day));
  return year >= 1990 && year <= 2100 && at.getUTCMonth() === month - 1 && at.getUTCDate() === day;
}

/** Three numbers in an order; null: no such day. */
function inOrder([a, b, c]: readonly [string, string, string], order: DateOrder, shortBuddhist: boolean): Known | null {
  const [year, month, day] = order === "dmy" ? [c, b, a] : order === "mdy" ? [c, a, b] : [a, b, c];
  if (order === "ymd" && c.length === 4) return null;
  const full = year.length === 4 ? Number(year) : Number(year) + (shortBuddhist ? 2500 : 2000);
  const one = gregorian({ year: full, month: Number(month), day: Number(day) });
  return isDay(one) ? one : null;
}

const dayNumber = ({ year, month, day }: Known): number => Date.UTC(year, month - 1, day) / 86_400_000;

/** Days a statement's years of two digits may lie back, or ahead: what decides between 26-03-15 and 15-03-26. */
const longAgo = 6 * 366;
const ahead = 8;

/**
 * The order of the numbers, told from the whole column: the one in which all of them are days. Null when two would do and give other days,
 * so that a person must say. `today` is the day from which years of two digits are counted, in days since 1970.
 */
export function dateColumnOf(cells: readonly Cell[], today: number): DateColumn {
  const written = cells.flatMap((cell) => (typeof cell === "string" ? [writtenDate(cell)] : [])).filter((one) => typeof one !== "string");
  // each day once, because a statement has hundreds of lines of one
  const open = [...new Map(written.flatMap(({ day }) => ("numbers" in day ? [[day.numbers.join(), day.numbers] as const] : []))).values()];
  if (open.length === 0) return { order: null, shortBuddhist: false };
  const isNear = (one: Known) => dayNumber(one) > today - longAgo && dayNumber(one) < today + ahead;
  const isRead = (numbers: (typeof open)[number], order: DateOrder, buddhist: boolean) => {
    const one = inOrder(numbers, order, buddhist);
    return one !== null && (numbers[0].length === 4 || numbers[2].length === 4 || isNear(one));
  };
  const judged = [false, true].flatMap((buddhist) =>
    dateOrders.map((order) => ({ order, buddhist, days: open.filter((numbers) => isRead(numbers, order, buddhist)).length })),
  );
  const most = Math.max(...judged.map(({ days }) => days));
  const best = judged.filter(({ days }) => days === most);
  const [first] = best;
  if (!first || most === 0) return { order: null, shortBuddhist: false };
  const differ = best.some(({ order, buddhist }) =>
    open.some((numbers) => {
      const [one, other] = [inOrder(numbers, first.order, first.buddhist), inOrder(numbers, order, buddhist)];
      return one !== null && other !== null && dayNumber(one) !== dayNumber(other);
    }),
  );
  // one order for most of them, and the rest are no dates in any
  const isSure = !differ && judged.every(({ days, order }) => days === most || order === first.order || !isRival(open, order, first.order));
  return { order: isSure ? first.order : null, shortBuddhist: best.every(({ buddhist }) => buddhist) };
}

/** Whether some dates are days in this order and not in the other, so that the column mixes both. */
function isRival(open: readonly (readonly [string, string, string])[], order: DateOrder, other: DateOrder): boolean {
  return open.some(
    (numbers) =>
      numbers[0].length <= 2 &&
      numbers[2].length === 4 &&
      inOrder(numbers, order, false) !== null &&
      inOrder(numbers, other, false) === null,
  );
}

/** Whether a column has dates whose order matters. */
export const needsOrder = (cells: readonly Cell[]): boolean =>
  cells.some((cell) => {
    const written = typeof cell === "string" ? writtenDate(cell) : "not-a-date";
    return typeof written !== "string" && "numbers" in written.day;
  });

/**
 * The instant a line was booked. A day without a time counts as its last second, because by then its money has come; a time without a
 * zone is the currency's, `zoneMinutes` east of UTC. `clock` is a time of day in another column.
 */
export function readDate(cell: Cell, clock: Cell | undefined, column: DateColumn, zoneMinutes: number): Date | DateFault {
  const read = typeof cell === "string" ? writtenDate(cell) : "date" in cell ? ofSheet(cell.date) : writtenDate(cell.number);
  if (typeof read === "string") return read;
  if ("numbers" in read.day && column.order === null) return "order-open";
  const day = "numbers" in read.day ? column.order && inOrder(read.day.numbers, column.order, column.shortBuddhist) : read.day;
  if (!day) return "not-a-date";
  const time = read.clock ?? (clock === undefined ? null : readClock(clock));
  const seconds = time?.seconds ?? 86_399;
  return new Date(Date.UTC(day.year, day.month - 1, day.day) + (seconds - (time?.zone ?? zoneMinutes) * 60) * 1000);
}

function ofSheet(date: string): Written | DateFault {
  const day = known(Number(date.slice(0, 4)), Number(date.slice(5, 7)), Number(date.slice(8, 10)));
  if (typeof day === "string") return day;
  // a date formatted as one is midnight; whoever books at midnight is read as the day's end
  return { day, clock: date.endsWith("T00:00:00") ? null : readClock({ date }) };
}
