import { describe, expect, test } from "vitest";
import { amountChange, compact, percentChange, signed } from "../../../src/console/kit/look/changes.ts";
import {
  ageText,
  ageTone,
  amountOf,
  hourOf,
  isEmptyDay,
  netOf,
  pointChange,
  secondChange,
} from "../../../src/console/screens/dashboard/day.ts";
import { money } from "../../../src/values/money.ts";

const flow = (amount: string) => ({ count: 1, amount });

test("an unreadable amount counts as the 0.00 it is shown as", () => {
  expect(["", "abc", "1,2"].map(amountOf)).toEqual([0n, 0n, 0n]);
  expect(netOf({ deposits: flow("abc"), withdrawals: flow("4.00") })).toBe(money("-4.00"));
});

describe("what a figure did since yesterday", () => {
  test.each([
    ["106.20", "100.00", { way: "up", size: "6.2" }],
    ["98.60", "100.00", { way: "down", size: "1.4" }],
    ["100.00", "100.00", { way: "same", size: "0.0" }],
    // less than half a tenth of a percent is no change
    ["100.04", "100.00", { way: "same", size: "0.0" }],
    ["0.00", "100.00", { way: "down", size: "100.0" }],
    ["45000.00", "3.00", { way: "up", size: "1,499,900.0" }],
  ])("%s after %s", (now, before, change) => expect(percentChange(money(now), money(before))).toEqual(change));

  test("after nothing is no percentage at all", () => expect(percentChange(money("5.00"), 0n)).toBeNull());

  test("of a net below zero is an amount", () => {
    expect(amountChange(money("50.00"), money("-8.50"))).toEqual({ way: "up", size: "58.50" });
    expect(amountChange(money("-9.00"), money("-8.50"))).toEqual({ way: "down", size: "0.50" });
  });

  test("of a rate is in points, of a time in minutes and seconds", () => {
    expect(pointChange(96.4, 97)).toEqual({ way: "down", size: "0.6" });
    expect(pointChange(null, 97)).toBeNull();
    expect(secondChange(108, 120)).toEqual({ way: "down", size: "00:12" });
    expect(secondChange(108, null)).toBeNull();
  });
});

test("the net is deposits less withdrawals, to the last place, with its sign", () => {
  expect(signed(netOf({ deposits: flow("4182610.00"), withdrawals: flow("2946075.50") }))).toBe("+1,236,534.50");
  expect(signed(netOf({ deposits: flow("0.10"), withdrawals: flow("0.30") }))).toBe("−0.20");
  expect(signed(0n)).toBe("0.00");
});

test.each([
  [0, "0"],
  [950, "950"],
  [600_000, "600k"],
  [1_250_000, "1.25M"],
  [999_999, "1M"],
  [-138_900, "−139k"],
  [2_000_000_000, "2B"],
])("on an axis %d is written %s", (value, text) => expect(compact(value)).toBe(text));

test("an hour is that of the currency's zone, not of the machine", () => {
  expect(hourOf("2026-11-21T06:32:00Z", 480)).toBe(14);
  expect(hourOf("2026-11-21T18:30:00Z", 330)).toBe(0);
  expect(hourOf("2026-11-21T02:59:59Z", -180)).toBe(23);
});

test("bars of age are grey, amber from the tenant's first limit, red from its second", () => {
  const limits = { amber_minutes: 5, red_minutes: 10 };
  expect([0, 4, 5, 8, 10].map((from) => ageTone(from, limits))).toEqual(["", "", "amber", "amber", "red"]);
  expect([ageText(0, 1), ageText(1, 2), ageText(0.8, 1.6), ageText(10, null)]).toEqual(["< 1", "1–2", "0.8–1.6", "> 10"]);
});

test("a day with one rejection is not an empty one", () => {
  const nothing = { count: 0, amount: "0.00" };
  const today = {
    deposits: nothing,
    withdrawals: nothing,
    fees: "0.00",
    approval_rate: null,
    rejected: 0,
    median_seconds: null,
    p95_seconds: null,
  };
  expect(isEmptyDay({ today })).toBe(true);
  expect(isEmptyDay({ today: { ...today, rejected: 1 } })).toBe(false);
});
