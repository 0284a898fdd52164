import { describe, expect, test } from "vitest";
import { readTimes } from "../../../src/console/lists/ranges.ts";
import { readAmounts } from "../../../src/values/amount-ranges.ts";

const now = Date.parse("2026-11-21T06:30:00Z");

describe("an amount filter", () => {
  test.each([
    ["100", { from: "100", to: "100" }],
    ["100..500", { from: "100", to: "500" }],
    ["100-500", { from: "100", to: "500" }],
    ["1,000 – 2,500.50", { from: "1000", to: "2500.50" }],
    ["1,000..", { from: "1000" }],
    ["..99.50", { to: "99.50" }],
    ["1,50", null],
    ["100.555", null],
    ["1,000.50..2,000", { from: "1000.50", to: "2000" }],
    ["", null],
    ["..", null],
    ["ten", null],
    ["1..2..3", null],
    ["2026-11-21", null],
    ["1e3", null],
  ])("%s", (text, range) => expect(readAmounts(text, 2)).toEqual(range));
});

describe("a time filter", () => {
  test("a window ends now", () => expect(readTimes("last:30m", now, 480)).toEqual({ from: "2026-11-21T06:00:00.000Z" }));
  test("a day is the zone's, both ends included", () => {
    expect(readTimes("2026-11-20", now, 480)).toEqual({ from: "2026-11-19T16:00:00.000Z", to: "2026-11-20T16:00:00.000Z" });
    expect(readTimes("2026-11-01..2026-11-02", now, -210)).toEqual({ from: "2026-11-01T03:30:00.000Z", to: "2026-11-03T03:30:00.000Z" });
  });
  test("either end is any time that can be written, and a span alone is since then", () => {
    expect(readTimes("2026-11-21T13:00..2026-11-21 13:59", now, 480)).toEqual({
      from: "2026-11-21T05:00:00.000Z",
      to: "2026-11-21T06:00:00.000Z",
    });
    expect(readTimes("yesterday", now, 480)).toEqual(readTimes("2026-11-20", now, 480));
    expect(readTimes("-90s..", now, 480)).toEqual({ from: "2026-11-21T06:28:30.000Z" });
    expect(readTimes("..-600s", now, 480)).toEqual({ to: "2026-11-21T06:20:00.001Z" });
    expect(readTimes("-2h", now, 480)).toEqual(readTimes("last:2h", now, 480));
  });
  test.each(["2026-02-30", "2026-13-01", "2026-11-20..soon", "1..2..3", "last:5w", "last:m", "..", ""])("%s is none", (text) =>
    expect(readTimes(text, now, 480)).toBeNull(),
  );
});
