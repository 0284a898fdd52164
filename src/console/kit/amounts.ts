import { formatAmount, groupAmounts, typedAmount } from "../../values/money.ts";

/** Decimals of the currency the console works in: one at a time. */
let decimals = 2;

export const amountDecimals = (): number => decimals;

/** Before anything of another currency is drawn. */
export function setAmountDecimals(minorDigits: number): void {
  decimals = minorDigits;
}

/** The specification's amount format, with the decimals of the currency at work. */
export const shownAmount = (text: string | null | undefined): string => formatAmount(text, decimals);

/** The amounts among named values, alike. */
export const shownAmounts = (values: Readonly<Record<string, string>>): Record<string, string> => groupAmounts(values, decimals);

/** An amount as a field begins with it. */
export const fieldAmount = (text: string): string => typedAmount(text, decimals);
