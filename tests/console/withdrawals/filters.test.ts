import { describe, expect, test } from "vitest";
import { askedList, readAmounts, readPlace, readTimes, sortText } from "../../../src/console/screens/withdrawals/filters.ts";

const now = Date.parse("2026-11-21T06:30:00Z");

describe("an amount filter", () => {
  test.each([
    ["100", { from: "100", to: "100" }],
    ["100..500", { from: "100", to: "500" }],
    ["1,000..", { from: "1000" }],
    ["..99.50", { to: "99.50" }],
    ["", null],
    ["..", null],
    ["ten", null],
    ["1..2..3", null],
    ["1e3", null],
  ])("%s", (text, range) => expect(readAmounts(text)).toEqual(range));
});

describe("a time filter", () => {
  test("a window ends now", () => expect(readTimes("last:30m", now, 480)).toEqual({ from: "2026-11-21T06:00:00.000Z" }));
  test("a day is the zone's, both ends included", () => {
    expect(readTimes("2026-11-20", now, 480)).toEqual({ from: "2026-11-19T16:00:00.000Z", to: "2026-11-20T16:00:00.000Z" });
    expect(readTimes("2026-11-01..2026-11-02", now, -210)).toEqual({ from: "2026-11-01T03:30:00.000Z", to: "2026-11-03T03:30:00.000Z" });
  });
  test.each(["2026-02-30", "2026-13-01", "yesterday", "last:5w", "last:m", ""])("%s is none", (text) =>
    expect(readTimes(text, now, 480)).toBeNull(),
  );
});

describe("what an address asks", () => {
  test("what it says wrongly is left out, the rest is kept", () => {
    expect(readPlace({ view: "none", status: "pending,lost", amount: "5..9", created: "2026-02-30", sort: "-colour", q: " tan " })).toEqual(
      {
        view: "queue",
        filters: { amount: "5..9", q: "tan" },
        sort: [],
      },
    );
  });

  test("age runs against the time of creation, other columns with theirs", () => {
    for (const sort of ["created_at", "-created_at", "amount", "-amount", "-txn_no"]) expect(sortText(readPlace({ sort }).sort)).toBe(sort);
    expect(readPlace({ sort: "created_at" }).sort).toEqual([{ id: "age", desc: true }]);
  });

  test("becomes the list's query", () => {
    const asked = readPlace({
      view: "all",
      amount: "5..9",
      created: "last:1h",
      merchant: "22222222-2222-4222-8222-222222222222",
      sort: "-amount",
    });
    expect(askedList(asked, now, 480)).toEqual({
      view: "all",
      sort: "-amount",
      "filter[merchant]": "22222222-2222-4222-8222-222222222222",
      "filter[amount_from]": "5",
      "filter[amount_to]": "9",
      "filter[created_from]": "2026-11-21T05:30:00.000Z",
    });
  });
});
