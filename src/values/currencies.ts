/**
 * Currencies whose minor unit is not a hundredth, by decimals: ISO 4217, list one (SIX Financial Information, of 2026-01-01). `Intl` is not
 * used for these, because it rounds to the units people pay with, not to those banks book.
 */
const others: ReadonlyMap<number, string> = new Map([
  [0, "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF"],
  [3, "BHD IQD JOD KWD LYD OMR TND"],
  [4, "CLF UYW"],
]);

const decimals: ReadonlyMap<string, number> = new Map(
  [...others].flatMap(([digits, codes]) => codes.split(" ").map((code): [string, number] => [code, digits])),
);

/** Decimals of a currency's minor unit by ISO 4217: 2 for MYR, 0 for VND, 3 for KWD. */
export const minorDigitsOf = (code: string): number => decimals.get(code) ?? 2;

let known: ReadonlySet<string> | undefined;

/** Whether it is an ISO 4217 currency code. */
export function isCurrency(code: string): boolean {
  known ??= new Set([...Intl.supportedValuesOf("currency"), ...decimals.keys()]);
  return known.has(code);
}

/** The English name of a currency, "Vietnamese Dong"; its code when there is no name. */
export const currencyName = (code: string): string => new Intl.DisplayNames("en", { type: "currency" }).of(code) ?? code;
