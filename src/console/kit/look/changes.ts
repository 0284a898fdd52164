import { formatAmount, moneyText } from "../../../values/money.ts";
import type { Money } from "../../../values/money.ts";
import { shownAmount } from "./amounts.ts";

/** Change of a figure against an earlier one. */
export interface Change {
  readonly way: "up" | "down" | "same";
  /** Without sign and unit: "6.2", "00:12". */
  readonly size: string;
}

export const arrows = { up: "↑", down: "↓", same: "±" } as const;

/** "+1,236,534.50", "−40.00", "0.00" */
export const signed = (value: Money): string => `${value > 0n ? "+" : ""}${shownAmount(moneyText(value))}`;

export const wayOf = (difference: number | bigint): Change["way"] => (difference > 0 ? "up" : difference < 0 ? "down" : "same");

/** Change in percent with one decimal; null where it was zero before. */
export function percentChange(now: Money, before: Money): Change | null {
  if (before === 0n) return null;
  const difference = now - before;
  const [absolute, whole] = [difference < 0n ? -difference : difference, before < 0n ? -before : before];
  const tenths = (absolute * 1000n + whole / 2n) / whole;
  // in ten-thousandths of a percent, as the amount format expects
  return { way: tenths === 0n ? "same" : wayOf(difference), size: formatAmount(moneyText(tenths * 1000n), 1) };
}

/** Change of a figure that may be negative, for which a percentage means nothing. */
export function amountChange(now: Money, before: Money): Change {
  const difference = now - before;
  return { way: wayOf(difference), size: shownAmount(moneyText(difference < 0n ? -difference : difference)) };
}

/** Short form for an axis: "600k", "1.25M", "−300k"; figures and tables show full amounts. */
export function compact(value: number): string {
  const size = Math.abs(value);
  const units = [
    [1e12, "T"],
    [1e9, "B"],
    [1e6, "M"],
    [1e3, "k"],
    [1, ""],
  ] as const;
  const sign = value < 0 ? "−" : "";
  // 999,999 is 1M, not 1000k
  const [unit, letter] = units.find(([least]) => Number((size / least).toPrecision(3)) >= 1) ?? [1, ""];
  return `${sign}${Number((size / unit).toPrecision(3))}${letter}`;
}
