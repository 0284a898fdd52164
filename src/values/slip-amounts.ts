import { moneyText, parseMoney } from "./money.ts";

/** Arabic, Persian and full-width digits and marks as they stand on most keyboards. */
export const plainDigits = (text: string): string =>
  text
    .normalize("NFKC")
    .replace(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - 0x660))
    .replace(/[۰-۹]/g, (digit) => String(digit.charCodeAt(0) - 0x6f0));

/** A number with the marks of any country: "1,250.00", "1.250,00", "1 250,00", "1'250.00", "12,50,000.00", "١٬٢٥٠٫٠٠". */
const figure = /\d(?:[\d.,'’٬٫\u00a0\u202f ]*\d)?/u;

const groups = /^\d{1,3}(?:\d{3})*$/;

function whole(parts: readonly string[]): string | null {
  const [first = "", ...rest] = parts;
  const isWestern = /^\d{1,3}$/.test(first) && rest.every((part) => part.length === 3);
  // India's lakhs: two by two before the last three
  const isIndian = /^\d{1,2}$/.test(first) && rest.at(-1)?.length === 3 && rest.slice(0, -1).every((part) => part.length === 2);
  const joined = parts.join("");
  return (isWestern || isIndian || parts.length === 1) && (groups.test(joined) || joined.length > 0) ? joined : null;
}

/**
 * What an amount on a slip may mean, as decimal text: more than one where its mark may part thousands or decimals, which only a currency
 * of three decimals leaves open. Empty: it is no amount.
 */
export function amountReadings(text: string, minorDigits: number): string[] {
  const found = figure.exec(plainDigits(text))?.[0];
  if (found === undefined) return [];
  const plain = found.replace(/['’٬\u00a0\u202f ]/gu, "").replace("٫", ".");
  const hasArabicMark = found.includes("٫");
  return forms(plain, minorDigits, hasArabicMark).flatMap((form) => {
    const value = parseMoney(form);
    return value === null ? [] : [moneyText(value)];
  });
}

function forms(plain: string, minorDigits: number, isDecimal: boolean): string[] {
  const last = Math.max(plain.lastIndexOf("."), plain.lastIndexOf(","));
  if (last < 0) return [plain];
  const mark = plain[last] ?? "";
  const other = mark === "." ? "," : ".";
  const [before, after] = [plain.slice(0, last), plain.slice(last + 1)];
  if (plain.includes(other)) {
    const sum = before.includes(mark) ? null : whole(before.split(other));
    return sum === null ? [] : [`${sum}.${after}`];
  }
  if (before.includes(mark)) {
    const sum = whole(plain.split(mark));
    return sum === null ? [] : [sum];
  }
  const decimal = `${before}.${after}`;
  if (after.length !== 3 || before.length > 3 || before === "0" || isDecimal) return [decimal];
  return minorDigits === 3 ? [decimal, `${before}${after}`] : [`${before}${after}`];
}
