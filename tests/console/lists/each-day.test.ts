import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { eachDay } from "../../../src/console/lists/each-day.ts";

const midnight = Date.parse("2026-11-28T16:00:00.000Z"); // in the zone of +08:00
let clock = 0;
let end = () => {};

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "performance"] });
});
afterEach(() => {
  end();
  vi.useRealTimers();
});

/** How often it was called by then. */
function days(from: number) {
  const act = vi.fn<() => void>();
  clock = from;
  end = eachDay(() => clock, 480, act);
  return (until: number): number => {
    clock = until;
    vi.advanceTimersByTime(2_000);
    return act.mock.calls.length;
  };
}

test("another day is told once, when the server is in it for certain", () => {
  const toldBy = days(midnight - 60_000);
  expect([toldBy(midnight - 1), toldBy(midnight + 1_000), toldBy(midnight + 3_000), toldBy(midnight + 3_600_000)]).toEqual([0, 0, 1, 1]);
  expect(toldBy(midnight + 86_403_000)).toBe(2);
});

test("days slept through are told once the machine wakes, and nobody is told after the end", () => {
  const toldBy = days(midnight - 60_000);
  expect(toldBy(midnight + 3 * 86_400_000)).toBe(1);
  end();
  expect(toldBy(midnight + 5 * 86_400_000)).toBe(1);
});
