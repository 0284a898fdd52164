import { money } from "../../../values/money.ts";
import { shownAmount } from "./amounts.ts";

/** An amount in three to four figures where there is no room for it whole: "212k", "1.71m", "1.28b". */
export function shortAmount(text: string): string {
  const value = Number(money(text) / 10_000n);
  const size = Math.abs(value);
  const sign = value < 0 ? "−" : "";
  const figure = (whole: number, unit: string) => {
    const of = size / whole;
    return `${sign}${of.toFixed(of >= 100 ? 0 : of >= 10 ? 1 : 2)}${unit}`;
  };
  if (size >= 1e9) return figure(1e9, "b");
  if (size >= 1e6) return figure(1e6, "m");
  if (size >= 1e4) return figure(1e3, "k");
  return wholeAmount(text);
}

/** Without decimals, for figures read across a room. */
export const wholeAmount = (text: string): string => shownAmount(text).replace(/\.\d+$/, "");
