import { describe, expect, test } from "vitest";
import { createFormats } from "../../../src/console/api/formats.ts";
import { daysOf, dayStart, readStretch, stepped, stretchOf } from "../../../src/console/screens/downtime-schedule/timeline-span.ts";

const [malaysia, newfoundland] = [createFormats("+08:00"), createFormats("-03:30")];
const iso = (at: number | null) => (at === null ? null : new Date(at).toISOString());
const of = ({ from, to }: { from: number; to: number }) => [iso(from), iso(to)];

describe("a day of the timeline", () => {
  test("begins at midnight of the zone at work", () => {
    expect(iso(dayStart("2026-11-21", malaysia))).toBe("2026-11-20T16:00:00.000Z");
    expect(iso(dayStart("2026-11-21", newfoundland))).toBe("2026-11-21T03:30:00.000Z");
    expect(["2026-13-41", "yesterday", ""].map((text) => dayStart(text, malaysia))).toEqual([null, null, null]);
  });

  test("lies in its week from Monday and in its month, also at a year's end", () => {
    expect(of(stretchOf("week", "2026-11-22", malaysia))).toEqual(["2026-11-15T16:00:00.000Z", "2026-11-22T16:00:00.000Z"]);
    expect(of(stretchOf("week", "2026-11-23", newfoundland))).toEqual(["2026-11-23T03:30:00.000Z", "2026-11-30T03:30:00.000Z"]);
    expect(of(stretchOf("month", "2026-12-31", malaysia))).toEqual(["2026-11-30T16:00:00.000Z", "2026-12-31T16:00:00.000Z"]);
    expect(of(stretchOf("month", "2028-02-29", malaysia))).toEqual(["2028-01-31T16:00:00.000Z", "2028-02-29T16:00:00.000Z"]);
    expect(daysOf(stretchOf("month", "2028-02-01", malaysia))).toHaveLength(29);
    expect(readStretch("day", "2026-11-22", malaysia)).toEqual(stretchOf("week", "2026-11-22", malaysia));
  });

  test("is followed by the next day, week or month, and back again", () => {
    const step = (span: "day" | "week" | "month", day: string, by: 1 | -1) => stepped(span, day, by, malaysia);
    expect([step("day", "2026-12-31", 1), step("day", "2027-01-01", -1)]).toEqual(["2027-01-01", "2026-12-31"]);
    expect([step("week", "2026-12-28", 1), step("week", "2027-01-04", -1)]).toEqual(["2027-01-04", "2026-12-28"]);
    expect([step("month", "2026-12-15", 1), step("month", "2027-01-15", -1)]).toEqual(["2027-01-01", "2026-12-31"]);
  });
});
