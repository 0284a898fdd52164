import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { currencyName, isCurrency, minorDigitsOf } from "../../src/values/currencies.ts";
import { fitsMinorUnit, formatAmount, moneyText, parseMoney, roundToMinorUnit, typedAmount } from "../../src/values/money.ts";

describe("a currency's decimals are those of ISO 4217", () => {
  test.each([
    ["MYR", 2],
    ["USD", 2],
    ["IDR", 2],
    ["VND", 0],
    ["JPY", 0],
    ["KWD", 3],
    ["IQD", 3],
    ["CLF", 4],
  ])("%s has %i", (code, digits) => {
    expect(minorDigitsOf(code)).toBe(digits);
  });

  test("what is no currency is known as none", () => {
    expect(["MYR", "VND", "UYW"].filter((code) => !isCurrency(code))).toEqual([]);
    expect(["QQQ", "myr", "", "MYRX"].filter(isCurrency)).toEqual([]);
    expect(currencyName("VND")).toBe("Vietnamese Dong");
  });
});

describe("amounts of a currency", () => {
  test.each([
    ["1500000.00", 0, "1,500,000"],
    ["1234.50", 2, "1,234.50"],
    ["1234.5", 3, "1,234.500"],
    ["-12.345", 3, "−12.345"],
    ["nonsense", 0, "0.00"],
    ["nonsense", 3, "0.00"],
  ])("%s in a currency of %i decimals is shown as %s", (text, digits, shown) => {
    expect(formatAmount(text, digits)).toBe(shown);
  });

  test.each([
    ["1500000.00", 0, "1500000"],
    ["1234.50", 2, "1234.50"],
    ["1234.50", 3, "1234.500"],
    // finer than its currency: nothing of it is hidden
    ["899.6667", 0, "899.6667"],
    ["", 0, ""],
    ["abc", 2, "abc"],
  ])("%s is written into a field of %i decimals as %s", (text, digits, written) => {
    expect(typedAmount(text, digits)).toBe(written);
  });

  test("rounded to the minor unit, none is further than half of it, and a field says the same amount", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 17n), max: 10n ** 17n }), fc.constantFrom(0, 2, 3, 4), (value, digits) => {
        const rounded = roundToMinorUnit(value, digits);
        const error = rounded - value;
        expect(fitsMinorUnit(rounded, digits)).toBe(true);
        expect((error < 0n ? -error : error) * 2n <= 10n ** BigInt(4 - digits)).toBe(true);
        expect(parseMoney(typedAmount(moneyText(value), digits))).toBe(value);
      }),
    );
  });
});
