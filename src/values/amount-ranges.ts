import { fitsMinorUnit, money, readAmount } from "./money.ts";

type Range = { readonly from?: string; readonly to?: string };

/** "100..500", "100-500", "1,000..", "..500", or one amount, of a currency of `minorDigits` decimals; null when it is none. */
export function readAmounts(text: string, minorDigits: number): Range | null {
  const parts = text.split(/\.\.|[-–—…]/).map((part) => part.trim());
  const [from = null, to = from, ...more] = parts.map((part) => (part === "" ? "" : readAmount(part)));
  if (from === null || to === null || more.length > 0 || (from === "" && to === "")) return null;
  if ([from, to].some((part) => part !== "" && !fitsMinorUnit(money(part), minorDigits))) return null;
  return { ...(from !== "" && { from }), ...(to !== "" && { to }) };
}
