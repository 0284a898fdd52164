import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { atMostEvery } from "../../../src/console/api/at-most-every.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("a burst of events causes one read now and one when the interval has passed", () => {
  const read: number[] = [];
  const { soon } = atMostEvery(5_000, () => read.push(Date.now()), Date.now);
  const start = Date.now();
  for (let n = 0; n < 20; n++) {
    soon();
    vi.advanceTimersByTime(100);
  }
  vi.advanceTimersByTime(20_000);
  expect(read.map((at) => at - start)).toEqual([0, 5_000]);
});

test("nothing is read once the screen is left", () => {
  const read = vi.fn<() => void>();
  const { soon, stop } = atMostEvery(5_000, read, Date.now);
  soon();
  stop();
  vi.advanceTimersByTime(20_000);
  expect(read).not.toHaveBeenCalled();
});
