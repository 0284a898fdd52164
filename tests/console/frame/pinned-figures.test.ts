import { expect, test } from "vitest";
import type { SavedView } from "../../../src/contract/preferences.ts";
import { isPast, pinOf } from "../../../src/console/frame/pinned-figures.ts";

const now = Date.parse("2026-11-28T08:00:00Z");
const figures = { count: 50, sum: "5000.00", oldestAt: now - 15 * 60_000, asOf: now };

test("a threshold is passed by more than it says, and not by as much", () => {
  const past = (threshold: Parameters<typeof isPast>[0], currency = "MYR") => isPast(threshold, figures, now, currency);
  expect(past(null)).toBe(false);
  expect([past({ of: "count", over: 50 }), past({ of: "count", over: 49 })]).toEqual([false, true]);
  expect([past({ of: "age", over: 15 }), past({ of: "age", over: 14 })]).toEqual([false, true]);
  const sum = (over: string) => past({ of: "sum", over, currency: "MYR" });
  expect([sum("5000.00"), sum("4999.99"), sum("10000.00")]).toEqual([false, true, false]);
});

test("a threshold of a sum counts in its own currency alone", () => {
  expect(isPast({ of: "sum", over: "1.00", currency: "VND" }, figures, now, "MYR")).toBe(false);
});

test("what is not known is past nothing", () => {
  const unknown = { count: null, sum: null, oldestAt: null, asOf: now };
  for (const threshold of [
    { of: "count", over: 0 },
    { of: "age", over: 1 },
    { of: "sum", over: "1.00", currency: "MYR" },
  ] as const)
    expect(isPast(threshold, unknown, now, "MYR")).toBe(false);
});

test("one's own pin stands for the tenant's", () => {
  const view = (pin: SavedView["pin"], tenant_pin: SavedView["tenant_pin"]) => pinOf({ pin, tenant_pin } as SavedView);
  const [own, theirs] = [{ threshold: null }, { threshold: { of: "count", over: 3 } }] as const;
  expect([view(own, theirs), view(null, theirs), view(null, null)]).toEqual([own, theirs, null]);
});
