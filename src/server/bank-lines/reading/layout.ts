import type { BankField, BankLayout, LayoutQuestion } from "../../../contract/bank-layouts.ts";
import { decimalOf, readAmount } from "./amounts.ts";
import type { Cell, Row } from "./cells.ts";
import { cellText, isBlank } from "./cells.ts";
import type { DateColumn } from "./dates.ts";
import { dateColumnOf, needsOrder } from "./dates.ts";
import { columnsOf, headerScore, plainWords } from "./headers.ts";
import type { Table } from "./table.ts";
import { headRows } from "./table.ts";

/** What is known of the account a statement is of. */
export interface AccountFacts {
  readonly currency: string;
  readonly minorDigits: number;
  readonly zoneMinutes: number;
  /** Its number, without blanks and hyphens. */
  readonly number: string;
  /** The day from which years of two digits are counted, in days since 1970. */
  readonly today: number;
}

/** A layout a bank's file was read by before, and the headers it was for. */
export interface RememberedLayout {
  readonly headers: string;
  readonly layout: BankLayout;
}

export interface FoundLayout {
  readonly layout: BankLayout;
  readonly dates: DateColumn;
  readonly questions: readonly LayoutQuestion[];
  readonly isRemembered: boolean;
}

/** The headers of a table as one text, by which a bank's layout is known again. */
export const headersText = (cells: readonly Cell[]): string => cells.map((cell) => plainWords(cellText(cell))).join("|");

/**
 * How a table is to be read: as somebody said, else as this bank's file was read before, else by its headers; orders, decimals and signs
 * by the whole column. What only a person can tell is left null and asked.
 */
export function layoutOf(
  table: Table,
  facts: AccountFacts,
  given: BankLayout | null,
  remembered: readonly RememberedLayout[],
): FoundLayout {
  const head = table.rows.slice(0, headRows);
  const before = given === null ? rememberedOf(head, remembered) : null;
  const header = given ? given.header : (before?.n ?? headerOf(head));
  const headerRow = table.rows.find(({ n }) => n === header);
  const columns = given?.columns ?? before?.layout.columns ?? (headerRow ? columnsOf(headerRow.cells) : []);
  const rows = header === null ? table.rows : table.rows.filter(({ n }) => n > header);
  const dateCells = filled(rows, columns, ["date", "value_date"]);
  const dates = dateColumnOf(dateCells, facts.today);
  const texts = filled(rows, columns, ["amount", "debit", "credit", "balance"]).filter((cell) => typeof cell === "string");
  const order = given?.date_order ?? dates.order ?? before?.layout.date_order ?? null;
  const decimal = given?.decimal ?? decimalOf(texts, facts.minorDigits) ?? before?.layout.decimal ?? null;
  const layout: BankLayout = {
    encoding: table.encoding,
    delimiter: table.delimiter,
    sheet: table.sheet,
    header,
    columns: [...columns],
    date_order: order,
    decimal,
    unsigned: given?.unsigned ?? unsignedOf(rows, columns, decimal ?? ".", facts) ?? before?.layout.unsigned ?? null,
  };
  const asked: Readonly<Record<LayoutQuestion, boolean>> = {
    encoding: table.isEncodingUnsure,
    columns: !has(columns, "date", "value_date") || !has(columns, "amount", "debit", "credit"),
    date_order: order === null && needsOrder(dateCells),
    decimal: decimal === null && texts.length > 0,
    unsigned: layout.unsigned === null && isOneSided(columns),
  };
  const questions = (Object.keys(asked) as LayoutQuestion[]).filter((question) => asked[question]); // its own keys
  return { layout, dates: { ...dates, order }, questions, isRemembered: before !== null };
}

const has = (columns: readonly (BankField | null)[], ...fields: readonly BankField[]): boolean =>
  fields.some((field) => columns.includes(field));

/** Whether one column holds what came in and what went out. */
const isOneSided = (columns: readonly (BankField | null)[]): boolean =>
  has(columns, "amount") && !has(columns, "direction", "debit", "credit");

function headerOf(rows: readonly Row[]): number | null {
  const scored = rows.map(({ n, cells }) => ({ n, score: headerScore(cells) }));
  const best = scored.toSorted((a, b) => b.score - a.score || a.n - b.n)[0];
  return best && best.score > 0 ? best.n : null;
}

function rememberedOf(rows: readonly Row[], remembered: readonly RememberedLayout[]): { n: number; layout: BankLayout } | null {
  const known = new Map(remembered.map(({ headers, layout }) => [headers, layout]));
  for (const { n, cells } of rows) {
    const layout = known.get(headersText(cells));
    if (layout) return { n, layout };
  }
  return null;
}

function filled(rows: readonly Row[], columns: readonly (BankField | null)[], fields: readonly BankField[]): Cell[] {
  const places = columns.flatMap((field, at) => (field !== null && fields.includes(field) ? [at] : []));
  return rows.flatMap(({ cells }) =>
    places.flatMap((at) => {
      const cell = cells[at];
      return cell === undefined || isBlank(cell) ? [] : [cell];
    }),
  );
}

/** A column in which some amounts carry a sign leaves it out of the others for credits; one without any sign does not say. */
function unsignedOf(
  rows: readonly Row[],
  columns: readonly (BankField | null)[],
  decimal: "." | ",",
  facts: AccountFacts,
): "credit" | null {
  if (!isOneSided(columns)) return null;
  const isSigned = filled(rows, columns, ["amount"]).some((cell) => {
    const read = readAmount(cell, decimal, facts.minorDigits);
    return "amount" in read && read.isSigned;
  });
  return isSigned ? "credit" : null;
}
