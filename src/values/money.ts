/**
 * Money is a decimal string on the wire, numeric(20,4) in tables and a bigint of ten-thousandths in code.
 * No float ever touches an amount.
 */
export type Money = bigint;

const scale = 10_000n;
const pattern = /^(-)?(\d{1,15})(?:\.(\d{1,4}))?$/;

/** Reads "1234.5" as 12345000n; null when it is no plain decimal of at most 15 + 4 digits. */
export function parseMoney(text: string): Money | null {
  const match = pattern.exec(text);
  if (!match) return null;
  const [, sign, whole = "0", fraction = ""] = match;
  const value = BigInt(whole) * scale + BigInt(fraction.padEnd(4, "0"));
  return sign ? -value : value;
}

const grouped = /^-?\d{1,3}(,\d{3})+(\.\d+)?$/;

/** A typed amount as a plain decimal: with the commas of `formatAmount`, or with none. Null: it is not an amount. */
export function readAmount(typed: string): string | null {
  const text = typed.trim().replace("\u2212", "-");
  const plain = grouped.test(text) ? text.replaceAll(",", "") : text;
  return parseMoney(plain) === null ? null : plain;
}

/** Reads an amount of the database or of a checked schema. Throws on anything else. */
export function money(text: string): Money {
  const value = parseMoney(text);
  if (value === null) throw new Error(`not an amount: ${JSON.stringify(text)}`);
  return value;
}

/** Writes ten-thousandths as a decimal with at least two and at most four places: "1234.50". */
export function moneyText(value: Money): string {
  const absolute = value < 0n ? -value : value;
  const fraction = String(absolute % scale)
    .padStart(4, "0")
    .replace(/0{1,2}$/, "");
  return `${value < 0n ? "-" : ""}${absolute / scale}.${fraction}`;
}

/** An amount of the database (`money`) as it goes on the wire (`moneyText`). */
export const amountText = (text: string): string => moneyText(money(text));

/** Whether it is an amount; anything else is shown as 0.00 and marked. */
export const isAmount = (text: string | null | undefined): boolean => parseMoney(text ?? "") !== null;

/** The specification's amount format: en-US grouping, `places` decimals (its currency's), half-even; an invalid amount shows 0.00. */
export function formatAmount(text: string | null | undefined, places = 2): string {
  const value = parseMoney(text ?? "");
  if (value === null) return "0.00";
  const rounded = roundHalfEven(value, 10n ** BigInt(4 - places));
  const absolute = rounded < 0n ? -rounded : rounded;
  const whole = String(absolute / scale).replace(/\B(?=(\d{3})+$)/g, ",");
  const fraction = String(absolute % scale)
    .padStart(4, "0")
    .slice(0, places);
  return `${rounded < 0n ? "−" : ""}${whole}${places > 0 ? `.${fraction}` : ""}`;
}

/** An amount as a form field shows it: with its currency's decimals, or more if it has more. Text that is no amount stays unchanged. */
export function typedAmount(text: string, minorDigits: number): string {
  const value = parseMoney(text);
  if (value === null) return text;
  const [whole = "", fraction = ""] = moneyText(value).split(".");
  const kept = fraction.replace(/0+$/, "").padEnd(minorDigits, "0");
  return kept === "" ? whole : `${whole}.${kept}`;
}

/** `amount` × `rate` percent, rounded half-even to `minorDigits` decimals. `rate` has up to 4 decimals. */
export function percentOf(amount: Money, rate: Money, minorDigits: number): Money {
  return divideHalfEven(amount * rate, 100n * scale, 10n ** BigInt(4 - minorDigits));
}

/** True when `value` has no more decimals than the currency's minor unit. */
export function fitsMinorUnit(value: Money, minorDigits: number): boolean {
  return value % 10n ** BigInt(4 - minorDigits) === 0n;
}

/** To the currency's minor unit, half-even. */
export const roundToMinorUnit = (value: Money, minorDigits: number): Money => roundHalfEven(value, 10n ** BigInt(4 - minorDigits));

function roundHalfEven(value: Money, unit: bigint): Money {
  return divideHalfEven(value, 1n, unit);
}

/** value ÷ divisor as a multiple of `unit`, ties to the even multiple. */
function divideHalfEven(value: bigint, divisor: bigint, unit: bigint): bigint {
  const step = divisor * unit;
  const negative = value < 0n;
  const absolute = negative ? -value : value;
  let quotient = absolute / step;
  const rest = (absolute % step) * 2n;
  if (rest > step || (rest === step && quotient % 2n === 1n)) quotient += 1n;
  return (negative ? -quotient : quotient) * unit;
}

/** Formats the amounts among named values; counts, times and names stay unchanged. */
export function groupAmounts(values: Readonly<Record<string, string>>, places = 2): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, /^-?\d+\.\d{2,4}$/.test(value) ? formatAmount(value, places) : value]),
  );
}
