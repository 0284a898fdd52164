import type { text } from "../texts/texts.ts";
import { formatAmount, groupAmounts, typedAmount } from "../../../values/money.ts";

/** Decimals of the selected currency. */
let decimals = 2;

export const amountDecimals = (): number => decimals;

/** Must be called before anything of another currency is drawn. */
export function setAmountDecimals(minorDigits: number): void {
  decimals = minorDigits;
}

/** The specification's amount format with the decimals of the selected currency. */
export const shownAmount = (text: string | null | undefined): string => formatAmount(text, decimals);

/** Formats the amounts among named values. */
export const shownAmounts = (values: Readonly<Record<string, string>>): Record<string, string> => groupAmounts(values, decimals);

/** Why a field's text is no amount, or has more decimals than the currency. */
export const notAmountLine = (t: typeof text, minorDigits: number): string =>
  t("record.rule.amount", { example: formatAmount("1000", minorDigits) });
export const tooFineLine = (t: typeof text, minorDigits: number): string =>
  minorDigits === 0 ? t("record.rule.whole-amount") : t("record.rule.decimals", { count: minorDigits });

/** An amount as a field's initial text. */
export const fieldAmount = (text: string): string => typedAmount(text, decimals);
