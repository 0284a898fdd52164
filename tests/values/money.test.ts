import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fitsMinorUnit, formatAmount, money, moneyText, parseMoney, percentOf, readAmount } from "../../src/values/money.ts";

describe("amounts", () => {
  test("a decimal string survives the way in and out to the last of four places", () => {
    fc.assert(fc.property(fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n }), (value) => parseMoney(moneyText(value)) === value));
  });

  test.each(["", " 1", "1,000.00", "1.23456", "1e3", "--1", ".5", "1.", "NaN", "١٢", "9999999999999999"])("%j is no amount", (text) => {
    expect(parseMoney(text)).toBeNull();
    expect(() => money(text)).toThrow();
  });

  test.each([
    ["1,000.50", "1000.50"],
    [" 1000.5 ", "1000.5"],
    ["-1,234,567", "-1234567"],
    ["−12", "-12"],
    ["1,50", null],
    ["10,00.00", null],
    ["1000,000", null],
    ["1.000,50", null],
    [",100", null],
    ["", null],
  ])("%j as a person types it is %s", (text, read) => expect(readAmount(text)).toBe(read));

  test("what is written for reading is read again", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n }), (value) => {
        expect(parseMoney(readAmount(formatAmount(moneyText(value), 4)) ?? "")).toBe(value);
      }),
    );
  });

  test.each([
    ["1234.5", "1,234.50"],
    ["0", "0.00"],
    ["-1234567.891", "−1,234,567.89"],
    ["0.005", "0.00"],
    ["0.015", "0.02"],
    ["999.995", "1,000.00"],
    ["nonsense", "0.00"],
    [null, "0.00"],
  ])("%j is shown as %s", (text, shown) => {
    expect(formatAmount(text)).toBe(shown);
  });

  test("a fee rounds half to even at the currency's minor unit", () => {
    expect(moneyText(percentOf(money("1000.00"), money("1.5"), 2))).toBe("15.00");
    expect(moneyText(percentOf(money("0.50"), money("1"), 2))).toBe("0.00");
    expect(moneyText(percentOf(money("1.50"), money("1"), 2))).toBe("0.02");
    expect(moneyText(percentOf(money("2.50"), money("1"), 2))).toBe("0.02");
    expect(moneyText(percentOf(money("12345"), money("1.25"), 0))).toBe("154.00");
  });

  test("a rounded fee is never further than half a minor unit from the exact one", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 15n }), fc.bigInt({ min: 0n, max: 1_000_000n }), (amount, rate) => {
        const exactTimes = amount * rate;
        const error = percentOf(amount, rate, 2) * 1_000_000n - exactTimes;
        return (error < 0n ? -error : error) <= 50n * 1_000_000n && fitsMinorUnit(percentOf(amount, rate, 2), 2);
      }),
    );
  });
});
