import type { text } from "../texts/texts.ts";
import { formatAmount, groupAmounts, typedAmount } from "../../../values/money.ts";

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

/** Why a field's text is no amount, and why it is one no currency of `minorDigits` decimals has. */
export const notAmountLine = (t: typeof text, minorDigits: number): string =>
  t("record.rule.amount", { example: formatAmount("1000", minorDigits) });
export const tooFineLine = (t: typeof text, minorDigits: number): string =>
  minorDigits === 0 ? t("record.rule.whole-amount") : t("record.rule.decimals", { count: minorDigits });

/** An amount as a field begins with it. */
export const fieldAmount = (text: string): string => typedAmount(text, decimals);
