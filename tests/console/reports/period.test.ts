import { describe, expect, test } from "vitest";
import { daysOf, daysText, periodText, shifted, widened } from "../../../src/console/reports/period.ts";

const span = (text: string) => {
  const [from = "", to = from] = text.split("..");
  return { from, to };
};
const read = ({ from, to }: { readonly from: string; readonly to: string }): string => `${from}..${to}`;

describe("the days a typed period covers", () => {
  // a Saturday, 01:30 in Kuala Lumpur, when it is still Friday in UTC and in New York
  const now = Date.parse("2026-11-27T17:30:00Z");

  test.each([
    ["today", 480, "2026-11-28..2026-11-28"],
    ["today", -300, "2026-11-27..2026-11-27"],
    ["yesterday", 480, "2026-11-27..2026-11-27"],
    ["week", 480, "2026-11-23..2026-11-29"],
    ["month", 480, "2026-11-01..2026-11-30"],
    ["2026-02", 480, "2026-02-01..2026-02-28"],
    ["2028-02", 345, "2028-02-01..2028-02-29"],
    ["2026-11-20", -570, "2026-11-20..2026-11-20"],
    ["2026-10-25..2026-11-03", 480, "2026-10-25..2026-11-03"],
    ["2026-10-25..2026-11-03", 765, "2026-10-25..2026-11-03"],
    ["2026-10..2026-11", 480, "2026-10-01..2026-11-30"],
    // without an end up to today; without a beginning its last day
    ["2026-11-20..", 480, "2026-11-20..2026-11-28"],
    ["-3d", 480, "2026-11-25..2026-11-28"],
    ["..2026-11-20", 480, "2026-11-20..2026-11-20"],
  ])("%s at %s minutes", (typed, zone, expected) => {
    const days = daysOf(typed, now, zone);
    expect(days && read(days)).toBe(expected);
  });

  test("what is no time covers none", () => expect(daysOf("sometime", now, 480)).toBeNull());
});

test.each([
  ["2026-11-20..2026-11-20", "2026-11-20", "2026-11-20"],
  ["2026-11-01..2026-11-30", "2026-11", "2026-11-01 – 2026-11-30"],
  ["2026-11-01..2026-11-29", "2026-11-01..2026-11-29", "2026-11-01 – 2026-11-29"],
  ["2026-11-23..2026-11-29", "2026-11-23..2026-11-29", "2026-11-23 – 2026-11-29"],
])("%s is written %s in an address, and read %s", (days, address, shown) => {
  expect([periodText(span(days)), daysText(span(days))]).toEqual([address, shown]);
});

describe("earlier and later", () => {
  test.each([
    ["a day", "2026-03-01", "2026-02-28..2026-02-28", "2026-03-02..2026-03-02"],
    ["a week", "2026-11-23..2026-11-29", "2026-11-16..2026-11-22", "2026-11-30..2026-12-06"],
    ["a month", "2026-03-01..2026-03-31", "2026-02-01..2026-02-28", "2026-04-01..2026-04-30"],
    ["a month at a year's end", "2026-01-01..2026-01-31", "2025-12-01..2025-12-31", "2026-02-01..2026-02-28"],
    ["any days", "2026-02-25..2026-03-06", "2026-02-15..2026-02-24", "2026-03-07..2026-03-16"],
    ["a month but for a day", "2026-03-02..2026-03-31", "2026-01-31..2026-03-01", "2026-04-01..2026-04-30"],
  ])("of %s", (_, days, earlier, later) => {
    expect([read(shifted(span(days), -1)), read(shifted(span(days), 1))]).toEqual([earlier, later]);
  });

  test.each(["2026-03-01", "2026-11-23..2026-11-29", "2026-03-01..2026-03-31", "2026-02-25..2026-03-06"])(
    "the period after the one before %s is itself, and none overlap",
    (days) => {
      const before = shifted(span(days), -1);
      expect(shifted(before, 1)).toEqual(span(days));
      expect(before.to < span(days).from).toBe(true);
    },
  );
});

describe("a wider window", () => {
  const today = "2026-11-26";

  test.each([
    ["from today to its week", "2026-11-26", "2026-11-23..2026-11-29"],
    ["from a Sunday to its week, which began on Monday", "2026-11-15", "2026-11-09..2026-11-15"],
    ["from this week to its month", "2026-11-23..2026-11-29", "2026-11-01..2026-11-30"],
    ["from a week of two months to that of its last day", "2026-09-28..2026-10-04", "2026-10-01..2026-10-31"],
    ["from this month to today", "2026-11-01..2026-11-30", "2026-11-26..2026-11-26"],
    ["from an earlier month to its last day", "2026-10-01..2026-10-31", "2026-10-31..2026-10-31"],
    ["from any days to the month of their last", "2026-10-20..2026-11-05", "2026-11-01..2026-11-30"],
  ])("%s", (_, days, wider) => expect(read(widened(span(days), today))).toBe(wider));

  test("three steps lead from today back to today", () => {
    const steps = [1, 2, 3].reduce((days) => widened(days, today), span(today));
    expect(steps).toEqual(span(today));
  });
});
