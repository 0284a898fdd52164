import type { DecimalMark, LineFault } from "../../../contract/bank-layouts.ts";
import { isCurrency } from "../../../values/currencies.ts";
import { fitsMinorUnit, moneyText, parseMoney } from "../../../values/money.ts";
import type { Cell } from "./cells.ts";

export interface ReadAmount {
  /** Without its sign: "1234.50". */
  readonly amount: string;
  readonly isNegative: boolean;
  /** What is written beside it: CR or DR. */
  readonly side: "credit" | "debit" | null;
  /** Whether a sign of its own or such a mark is there. */
  readonly isSigned: boolean;
  /** The code of a currency beside it. */
  readonly currency: string | null;
}

type AmountFault = Extract<LineFault, "not-an-amount" | "too-fine" | "too-large">;
export type AmountResult = ReadAmount | { readonly fault: AmountFault };

/** The wire's bound: 14 digits before the point. */
const tooLarge = 10n ** 18n;

const creditMarks = /^(cr|c|h|k|\+)$/i;
const marked = /^(?:(cr|dr|db|c|d|h|s)\.?\s+)?(.*?)(?:\s*(?<![a-z])(cr|dr|db|c|d|h|s|k)\.?)?$/is;
/** Signs and short names of money that no code stands for alone. */
const moneyNames =
  /^(?:rm|rp|rs|s\$|hk\$|nt\$|us\$|a\$|kč|zł|ft|kr|lei|р|руб|тг|₽|円|元|圆|บาท|đ|đồng|vnđ|sr|ر\.?س|د\.?إ|د\.?ك|ج\.?م)\.?$/iu;

/**
 * Reads an amount as a bank writes it, exactly: any script's digits, groups of three or the Indian ones, blanks and apostrophes between
 * them, a sign before or after, parentheses, CR and DR, a currency beside it. `decimal` is the sign before the decimals.
 */
export function readAmount(cell: Cell, decimal: DecimalMark, minorDigits: number): AmountResult {
  if (typeof cell !== "string") return "number" in cell ? ofNumber(cell.number, minorDigits) : { fault: "not-an-amount" };
  let text = plainDigits(cell);
  let isNegative = false;
  let signs = 0;
  const inside = /^\((.*)\)$/s.exec(text)?.[1];
  if (inside !== undefined) {
    [text, isNegative] = [inside.trim(), true];
    signs++;
  }
  const [, before, body = "", after] = marked.exec(text) ?? [];
  const mark = before ?? after;
  if (before !== undefined && after !== undefined) return { fault: "not-an-amount" };
  let currency: string | null = null;
  let bare = body.trim();
  // sign and currency in either order, on either side
  for (let left = 3; left > 0; left--) {
    const sign = /^([-+])\s*(.*)$|^(.*?)\s*([-+])$/s.exec(bare);
    if (sign) {
      bare = sign[2] ?? sign[3] ?? "";
      isNegative ||= (sign[1] ?? sign[4]) === "-";
      signs++;
    }
    const money = /^([^\d.,\s'()+-]{1,4}\.?)\s*(.*)$|^(.*?)\s*([^\d.,\s'()+-]{1,4}\.?)$/su.exec(bare);
    if (!money) continue;
    const name = money[1] ?? money[4] ?? "";
    bare = money[2] ?? money[3] ?? "";
    if (isCurrency(name.toUpperCase())) currency = name.toUpperCase();
    else if (!/^\p{Sc}+$/u.test(name) && !moneyNames.test(name)) return { fault: "not-an-amount" };
  }
  if (signs > 1) return { fault: "not-an-amount" };
  const plain = ungrouped(bare, decimal);
  if (plain === null) return { fault: "not-an-amount" };
  const value = valueOf(plain, minorDigits);
  if (typeof value !== "bigint") return value;
  const side = mark === undefined ? null : creditMarks.test(mark) ? "credit" : "debit";
  return { amount: moneyText(value), isNegative: isNegative && value !== 0n, side, isSigned: signs > 0 || side !== null, currency };
}

function ofNumber(number: string, minorDigits: number): AmountResult {
  const isNegative = number.startsWith("-");
  const value = valueOf(isNegative ? number.slice(1) : number, minorDigits);
  if (typeof value !== "bigint") return value;
  return { amount: moneyText(value), isNegative: isNegative && value !== 0n, side: null, isSigned: isNegative, currency: null };
}

/** Digits and a point, as ten-thousandths; decimals beyond the currency's must be noughts. */
function valueOf(plain: string, minorDigits: number): bigint | { fault: AmountFault } {
  const [whole = "", decimals = ""] = plain.split(".");
  if (!/^\d+$/.test(whole || "0") || !/^\d*$/.test(decimals) || whole + decimals === "") return { fault: "not-an-amount" };
  const digits = whole.replace(/^0+(?=\d)/, "") || "0";
  const kept = decimals.replace(/0+$/, "");
  if (digits.length > 14) return { fault: "too-large" };
  const value = kept.length > 4 ? null : parseMoney(kept === "" ? digits : `${digits}.${kept}`);
  if (value === null || !fitsMinorUnit(value, minorDigits)) return { fault: "too-fine" };
  return value < tooLarge ? value : { fault: "too-large" };
}

/** Digits and at most one point; null when the groups are none. */
function ungrouped(text: string, decimal: DecimalMark): string | null {
  const at = text.lastIndexOf(decimal);
  const [whole, decimals] = at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
  if (!/^\d*$/.test(decimals) || (at >= 0 && decimals === "" && whole === "")) return null;
  const group = /\D/.exec(whole)?.[0];
  if (group === undefined) return at < 0 ? whole || null : `${whole || "0"}.${decimals}`;
  if (group === decimal || !/^[.,' ]$/.test(group)) return null;
  const parts = whole.split(group);
  const [first = "", ...rest] = parts;
  const byThree = /^\d{1,3}$/.test(first) && rest.every((part) => /^\d{3}$/.test(part));
  const byTwo = /^\d{1,2}$/.test(first) && rest.slice(0, -1).every((part) => /^\d{2}$/.test(part)) && /^\d{3}$/.test(rest.at(-1) ?? "");
  if (!byThree && !(byTwo && group === ",")) return null;
  return at < 0 ? parts.join("") : `${parts.join("")}.${decimals}`;
}

/** The first of each script's ten digits. */
const zeros = [0x0660, 0x06f0, 0x0966, 0x0e50, 0x0ed0, 0x1040, 0x17e0];

/** Digits of any script as ours, all kinds of blanks, apostrophes and minus signs as one. */
export function plainDigits(text: string): string {
  // nearly every cell of nearly every bank
  if (/^[ -_a-~]*$/.test(text)) return text.replace(/ {2,}/g, " ").trim();
  return text
    .normalize("NFKC")
    .replace(/\p{Nd}/gu, (digit) => {
      const code = digit.codePointAt(0) ?? 0;
      const zero = zeros.find((first) => code >= first && code < first + 10);
      return zero === undefined ? digit : String(code - zero);
    })
    .replaceAll("\u066b", ".")
    .replaceAll("\u066c", ",")
    .replace(/[\u2212\u2010-\u2015]/g, "-")
    .replace(/[\u2018\u2019\u02bc`´]/g, "'")
    .replace(/[\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/g, "")
    .replace(/\s+/g, " ")
    .trim();
}

/**
 * The sign before the decimals, told from the whole column: the one all of its amounts can be read with. Null when both can and would give
 * other amounts, or neither can. Texts that are no amounts with either do not count.
 */
export function decimalOf(cells: readonly string[], minorDigits: number): DecimalMark | null {
  let differs = false;
  const fits = { ".": 0, ",": 0 };
  for (const cell of cells) {
    const [point, comma] = [readAmount(cell, ".", minorDigits), readAmount(cell, ",", minorDigits)];
    if ("amount" in point) fits["."]++;
    if ("amount" in comma) fits[","]++;
    if ("amount" in point && "amount" in comma && point.amount !== comma.amount) differs = true;
  }
  if (fits["."] === fits[","]) return differs ? null : ".";
  // a stray amount of the other kind does not outweigh the column; half of them do
  const [most, least] = fits["."] > fits[","] ? ([".", ","] as const) : ([",", "."] as const);
  const only = fits[most] - fits[least];
  return only > 0 && !(differs && onlyWith(cells, least, most, minorDigits) > 0) ? most : null;
}

/** How many amounts can be read with one sign and not with the other. */
const onlyWith = (cells: readonly string[], mark: DecimalMark, other: DecimalMark, minorDigits: number): number =>
  cells.filter((cell) => "amount" in readAmount(cell, mark, minorDigits) && !("amount" in readAmount(cell, other, minorDigits))).length;
