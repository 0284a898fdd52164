import type { PayoutColumn, PayoutField, PayoutLayout } from "../../contract/payout-templates.ts";
import { typedAmount } from "../../values/money.ts";
import { encode, unwritable } from "./encode.ts";

/** What a file tells of one withdrawal; amounts as decimal text. */
export type PayoutLine = Readonly<Record<Exclude<PayoutField, "date" | "line" | "constant">, string>>;

/** The same for all lines of a file. */
export interface Setting {
  /** "2026-11-24", in the currency's zone. */
  readonly day: string;
  readonly minorDigits: number;
}

/** Why a cell cannot be written. */
export interface Fault {
  /** From 1. */
  readonly column: number;
  /** The character that is in the way. */
  readonly sign: string;
}

const delimiters = { comma: ",", semicolon: ";", tab: "\t", pipe: "|" } as const;
const lineEnd = "\r\n";

/** Signs with which a sheet takes a cell for a formula, in either width. A sign alone is none. */
const formula = /^[=+\-@＝＋－＠]./su;
// oxlint-disable-next-line no-control-regex -- a line is one line, and a tab may part cells
const controls = /[\u0000-\u001f\u007f\u0085\u2028\u2029]+/gu;

/** On one line, and read as a text by whatever opens the file. */
function inert(text: string): string {
  const plain = text.replace(controls, " ").trim();
  return formula.test(plain) ? `'${plain}` : plain;
}

function dated(day: string, format: PayoutLayout["date_format"]): string {
  const [year = "", month = "", date = ""] = day.split("-");
  return format.replace("YYYY", year).replace("MM", month).replace("DD", date);
}

function cellOf({ field, value }: PayoutColumn, line: PayoutLine, at: number, layout: PayoutLayout, { day, minorDigits }: Setting): string {
  switch (field) {
    case "amount": {
      const amount = typedAmount(line.amount, minorDigits);
      return layout.decimal_mark === "comma" ? amount.replace(".", ",") : amount;
    }
    case "date":
      return dated(day, layout.date_format);
    case "line":
      return String(at + 1);
    case "constant":
      return inert(value);
    default:
      return inert(line[field]);
  }
}

function written(cells: readonly string[], { delimiter, quotes }: PayoutLayout): string {
  const mark = delimiters[delimiter];
  return cells
    .map((cell) => {
      const needs = quotes === "always" || (quotes === "needed" && (cell.includes(mark) || cell.includes('"')));
      return needs ? `"${cell.replaceAll('"', '""')}"` : cell;
    })
    .join(mark);
}

function faultOf(cells: readonly string[], { delimiter, quotes, encoding }: PayoutLayout): Fault | null {
  for (const [at, cell] of cells.entries()) {
    // without quotes nothing tells these from the marks between cells
    const parting = quotes === "never" ? [delimiters[delimiter], '"'].find((sign) => cell.includes(sign)) : undefined;
    const sign = parting ?? unwritable(cell, encoding);
    if (sign !== null) return { column: at + 1, sign };
  }
  return null;
}

/** Why each line cannot be written; null: it can. */
export function faultsOf(layout: PayoutLayout, lines: readonly PayoutLine[], setting: Setting): (Fault | null)[] {
  return lines.map((line, at) =>
    faultOf(
      layout.columns.map((column) => cellOf(column, line, at, layout, setting)),
      layout,
    ),
  );
}

/** Why the head cannot be written; null: it can, or there is none. */
export const faultOfHead = (layout: PayoutLayout): Fault | null => (layout.head ? faultOf(headOf(layout), layout) : null);

const headOf = ({ columns }: PayoutLayout): string[] => columns.map(({ title }) => inert(title));

/** The lines of the file, its head first. */
export function linesOf(layout: PayoutLayout, lines: readonly PayoutLine[], setting: Setting): string[] {
  const rows = lines.map((line, at) => layout.columns.map((column) => cellOf(column, line, at, layout, setting)));
  return [...(layout.head ? [headOf(layout)] : []), ...rows].map((cells) => written(cells, layout));
}

/** The file itself, of lines without faults. */
export const fileOf = (lines: readonly string[], { encoding }: Pick<PayoutLayout, "encoding">): Buffer<ArrayBuffer> =>
  encode(lines.map((line) => `${line}${lineEnd}`).join(""), encoding);

const charsets = {
  "utf-8": "utf-8",
  "utf-8-mark": "utf-8",
  "utf-16le": "utf-16le",
  "windows-1252": "windows-1252",
  gb18030: "gb18030",
} as const;

export const typeOf = ({ encoding }: Pick<PayoutLayout, "encoding">): string => `text/csv; charset=${charsets[encoding]}`;
