import { expect, test } from "vitest";
import { curveOf, elapsedOf } from "../../../src/console/screens/payment-account-live-balances/course.ts";
import { shortAmount, wholeAmount } from "../../../src/console/kit/look/short-amount.ts";
import { meta } from "./accounts.ts";

const calm = { state: "normal", threshold: "0.00" } as const;

test("a curve runs from the day's beginning until now, between its lowest and highest balance", () => {
  const { points, lowest, highest } = curveOf({ opening: "100.00", points: ["150.00", "50.00"] }, calm, 0.02);
  expect(points[0]).toEqual([0, 0.5]);
  expect(points.at(-1)).toEqual([0.02, 0]);
  expect([lowest, highest]).toEqual([50, 150]);
});

test("a balance that never changed lies in the middle", () => {
  expect(curveOf({ opening: "100.00", points: ["100.00"] }, calm, 0.5).points.map(([, y]) => y)).toEqual([0.5, 0.5, 0.5]);
});

test("the threshold is drawn where the balance has come near it, and always while the account is critical", () => {
  const day = { opening: "1000.00", points: ["900.00"] };
  expect(curveOf(day, { state: "normal", threshold: "100.00" }, 0.5).threshold).toBeNull();
  expect(curveOf(day, { state: "normal", threshold: "850.00" }, 0.5)).toMatchObject({ threshold: 0, lowest: 850 });
  expect(curveOf(day, { state: "critical", threshold: "5000.00" }, 0.5)).toMatchObject({ threshold: 1, highest: 5000 });
});

test("of the day passes no less than nothing and no more than all", () => {
  expect(elapsedOf(Date.parse(meta.at), meta)).toBeCloseTo(14 / 24);
  expect(elapsedOf(0, meta)).toBe(0);
  expect(elapsedOf(Date.parse("2027-01-01T00:00:00.000Z"), meta)).toBe(1);
});

test.each([
  ["0.00", "0"],
  ["9999.99", "9,999"],
  ["10000.00", "10.0k"],
  ["-8190.50", "−8,190"],
  ["145500.00", "146k"],
  ["1714999.00", "1.71m"],
  ["1284500000.00", "1.28b"],
  ["-84090000.00", "−84.1m"],
])("%s is written %s where there is no room for it", (amount, short) => expect(shortAmount(amount)).toBe(short));

test("across a room amounts have no decimals", () => expect(wholeAmount("107448.73")).toBe("107,448"));
