import type { BankField, BankLayout, LineFault, PassedOver } from "../../../contract/bank-layouts.ts";
import { isCurrency } from "../../../values/currencies.ts";
import { readAmount } from "./amounts.ts";
import type { ReadAmount } from "./amounts.ts";
import type { Cell, Row } from "./cells.ts";
import { cellText, isBlank } from "./cells.ts";
import type { DateColumn } from "./dates.ts";
import { readDate } from "./dates.ts";
import { directionOf } from "./directions.ts";
import { headerScore, saysBalance, saysTotal } from "./headers.ts";
import type { AccountFacts } from "./layout.ts";
import { limits } from "./limits.ts";

/** A line as it was read; its time in RFC 3339. */
export interface ReadLine {
  readonly time: string;
  readonly direction: "credit" | "debit";
  readonly amount: string;
  readonly reference: string | null;
  readonly counterparty: string | null;
  readonly counterparty_account: string | null;
  readonly description: string;
  readonly balance: string | null;
}

export type Values = Readonly<Record<string, string | number>>;

/** What became of a row. */
export type Entry = { readonly n: number } & (
  | { readonly state: "read"; readonly line: ReadLine }
  | { readonly state: "unreadable"; readonly why: LineFault; readonly values: Values; readonly text: string }
  | { readonly state: "passed"; readonly why: PassedOver; readonly text: string }
);

/** Most characters of each text of a line. */
const longest = { reference: 400, counterparty: 400, counterparty_account: 100, description: 2_000 } as const;

/** Reads each row after the headers: a line, or why it cannot be read, or what else it is. None is left out. */
export function linesOf(rows: readonly Row[], layout: BankLayout, dates: DateColumn, facts: AccountFacts): Entry[] {
  const places = placesOf(layout.columns);
  const own = rows.filter(({ n }) => layout.header === null || n > layout.header);
  const reader: LineReader = { places, layout, dates, facts, areDebitsNegative: areNegative(own, places.debit, layout, facts) };
  return withContinuations(own.map((row) => entryOf(row, reader)));
}

type Places = Readonly<Partial<Record<BankField, number>>> & { readonly descriptions: readonly number[] };

function placesOf(columns: BankLayout["columns"]): Places {
  const places: Partial<Record<BankField, number>> = {};
  const descriptions: number[] = [];
  for (const [at, field] of columns.entries()) {
    if (field === null) continue;
    if (field === "description") descriptions.push(at);
    places[field] ??= at;
  }
  return { ...places, descriptions };
}

interface LineReader {
  readonly places: Places;
  readonly layout: BankLayout;
  readonly dates: DateColumn;
  readonly facts: AccountFacts;
  readonly areDebitsNegative: boolean;
}

/** Some banks write what went out with a minus in its own column; there a minus is no reversal. */
function areNegative(rows: readonly Row[], place: number | undefined, { decimal }: BankLayout, { minorDigits }: AccountFacts): boolean {
  if (place === undefined) return false;
  const read = rows.map(({ cells }) => readAmount(cells[place] ?? "", decimal ?? ".", minorDigits));
  const amounts = read.flatMap((one) => ("amount" in one && !isNought(one) ? [one] : []));
  return amounts.length > 0 && amounts.every(({ isNegative }) => isNegative);
}

const isNought = ({ amount }: ReadAmount): boolean => /^[0.]*$/.test(amount);

function entryOf(row: Row, reader: LineReader): Entry {
  const { n, cells } = row;
  const { places, facts, dates } = reader;
  const unreadable = (why: LineFault, values: Values = {}): Entry => ({ n, state: "unreadable", why, values, text: tellOf(cells) });
  const passed = (why: PassedOver): Entry => ({ n, state: "passed", why, text: tellOf(cells) });
  const cell = (field: BankField): Cell => at(cells, places[field]);
  if (row.joined !== undefined) return unreadable("joined-lines", { lines: row.joined });
  const long = cells.find((one) => cellText(one).length > limits.cell);
  if (long !== undefined) return unreadable("cell-too-long", { characters: cellText(long).length, most: limits.cell });
  if (saysBalance(cells)) return passed("balance");
  const isMoneyless = (["amount", "debit", "credit"] as const).every((field) => isNothing(cell(field)));
  const dateCell = isBlank(cell("date")) ? cell("value_date") : cell("date");
  if (isBlank(dateCell)) {
    if (saysTotal(cells)) return passed("total");
    if (isMoneyless) return passed(isNothing(cell("balance")) ? "note" : "balance");
    return unreadable("no-date");
  }
  const time = readDate(dateCell, places.clock === undefined ? undefined : cell("clock"), dates, facts.zoneMinutes);
  if (typeof time === "string") {
    if (saysTotal(cells)) return passed("total");
    if (headerScore(cells) > 1) return passed("header");
    return isMoneyless ? passed("note") : unreadable(time, { value: short(cellText(dateCell)) });
  }
  if (isMoneyless) return isNothing(cell("balance")) ? unreadable("no-amount") : passed("balance");
  const moved = movementOf(cells, reader);
  if ("fault" in moved) return unreadable(moved.fault, moved.values);
  const balance = balanceOf(cell("balance"), reader);
  if (balance === undefined) return unreadable("not-a-balance", { value: short(cellText(cell("balance"))) });
  const currency = moved.currency ?? plain(cell("currency")).toUpperCase();
  if (currency !== facts.currency && isCurrency(currency)) return unreadable("other-currency", { currency });
  if (isOtherAccount(plain(cell("account")), facts.number)) return unreadable("other-account", { account: short(plain(cell("account"))) });
  const other = moved.direction === "credit" ? cell("payer") : cell("payee");
  const texts = {
    reference: plain(cell("reference")) || null,
    counterparty: plain(other) || plain(cell("counterparty")) || null,
    counterparty_account: plain(cell("counterparty_account")) || null,
    description: places.descriptions
      .map((place) => plain(at(cells, place)))
      .filter((part, place, all) => part !== "" && all.indexOf(part) === place)
      .join(" "),
  };
  for (const [field, most] of Object.entries(longest)) {
    const characters = texts[field as keyof typeof longest]?.length ?? 0; // its own keys
    if (characters > most) return unreadable("cell-too-long", { characters, most });
  }
  return { n, state: "read", line: { time: time.toISOString(), direction: moved.direction, amount: moved.amount, ...texts, balance } };
}

const at = (cells: readonly Cell[], place: number | undefined): Cell => (place === undefined ? "" : (cells[place] ?? ""));

/** A blank, a dash or a nought: what stands in a column of sums where there is none. */
const isNothing = (cell: Cell): boolean => /^[\s\-–—.]*$/.test(cellText(cell)) || /^[\s0.,]*0[\s0.,]*$/.test(cellText(cell));

interface Movement {
  readonly direction: "credit" | "debit";
  readonly amount: string;
  readonly currency: string | null;
}
type MovementFault = { readonly fault: LineFault; readonly values?: Values };

function movementOf(cells: readonly Cell[], reader: LineReader): Movement | MovementFault {
  const { places, layout, facts } = reader;
  const sideCells = (["debit", "credit"] as const).filter((side) => !isNothing(at(cells, places[side])));
  if (sideCells.length > 1) return { fault: "both-sides" };
  const [side] = sideCells;
  const place = side ?? "amount";
  const cell = at(cells, places[place]);
  const read = readAmount(cell, layout.decimal ?? ".", facts.minorDigits);
  if ("fault" in read) return { fault: read.fault, values: { value: short(cellText(cell)) } };
  if (isNought(read)) return { fault: "no-amount" };
  const { amount, isNegative, currency } = read;
  if (side) {
    const isReversed = isNegative && !(side === "debit" && reader.areDebitsNegative);
    return { direction: isReversed ? (side === "debit" ? "credit" : "debit") : side, amount, currency };
  }
  if (places.direction !== undefined && !isBlank(at(cells, places.direction))) {
    const word = plain(at(cells, places.direction));
    const direction = directionOf(word);
    if (direction === null || (direction === "credit" && isNegative)) return { fault: "no-direction", values: { value: short(word) } };
    return { direction, amount, currency };
  }
  const direction = read.side ?? signedDirection(read, layout.unsigned);
  return direction === null ? { fault: "no-direction", values: { value: short(cellText(cell)) } } : { direction, amount, currency };
}

function signedDirection({ isNegative, isSigned }: ReadAmount, unsigned: BankLayout["unsigned"]): "credit" | "debit" | null {
  if (unsigned === "debit") return isNegative ? "credit" : "debit";
  if (isSigned) return isNegative ? "debit" : "credit";
  return unsigned;
}

/** Null: there is none; undefined: it cannot be read. */
function balanceOf(cell: Cell, { layout, facts }: LineReader): string | null | undefined {
  if (/^[\s\-–—]*$/.test(cellText(cell))) return null;
  const read = readAmount(cell, layout.decimal ?? ".", facts.minorDigits);
  if ("fault" in read) return undefined;
  return (read.isNegative || read.side === "debit") && !isNought(read) ? `-${read.amount}` : read.amount;
}

/** Whether a line names another account than the one it is imported for; numbers with hidden digits compare by their end. */
function isOtherAccount(text: string, number: string): boolean {
  const digits = text.replace(/[^0-9A-Za-z*xX•]/g, "");
  const shown = /[0-9A-Za-z]*$/.exec(digits.replace(/[*xX•]/g, "*"))?.[0] ?? "";
  if (shown.length < 4 || !/\d{4}/.test(shown)) return false;
  return !number.toUpperCase().endsWith(shown.toUpperCase()) && !shown.toUpperCase().endsWith(number.toUpperCase());
}

/** One line of text, without control characters and those that turn the direction of writing. */
export const plain = (cell: Cell): string =>
  cellText(cell)
    .toWellFormed()
    .replace(/[\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g, "")
    .replace(/[\p{Cc}\s]+/gu, " ")
    .trim();

const short = (text: string): string => plain(text).slice(0, 60).toWellFormed();

/** A row as a person can find it in the file. */
const tellOf = (cells: readonly Cell[]): string =>
  cells
    .slice(0, 30)
    .map((cell) => plain(cellText(cell).slice(0, 200)))
    .filter(Boolean)
    .join(" · ")
    .slice(0, 300)
    .toWellFormed();

/** Adds the text of rows without date and sum to the line they follow, where further lines come: banks break long descriptions so. */
function withContinuations(entries: readonly Entry[]): Entry[] {
  const last = entries.findLastIndex(({ state }) => state === "read");
  const all = [...entries];
  let line: number | null = null;
  for (const [place, entry] of entries.entries()) {
    if (entry.state === "read") line = place;
    else if (entry.state !== "passed" || entry.why !== "note") line = null;
    else if (line !== null && place < last) {
      const before = all[line];
      if (before?.state !== "read") continue;
      const description = `${before.line.description} ${entry.text.replaceAll(" · ", " ")}`.trim();
      if (description.length > longest.description) continue;
      all[line] = { ...before, line: { ...before.line, description } };
      all[place] = { ...entry, why: "continued" };
    }
  }
  return all;
}
