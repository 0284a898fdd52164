import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { isStill, stillness, noteScroll } from "../../../../src/console/kit/loading/stillness.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  vi.advanceTimersByTime(60_000); // whatever another test scrolled
});
afterEach(() => void vi.useRealTimers());

/** ms until it is still, with scrolling reported every 50 ms for `scrolled` ms. */
async function waited(scrolled: number): Promise<number> {
  let over = -1;
  const began = performance.now();
  noteScroll();
  void stillness().then(() => (over = performance.now() - began));
  while (over < 0) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await vi.advanceTimersByTimeAsync(50);
    if (performance.now() - began <= scrolled) noteScroll();
  }
  return over;
}

test("without scrolling there is no wait", async () => {
  expect(isStill()).toBe(true);
  await stillness();
});

test("it is still 250 ms after the last scrolling", async () => {
  noteScroll();
  expect(isStill()).toBe(false);
  expect(await waited(0)).toBe(250);
  expect(await waited(2_000)).toBe(2_250);
  expect(isStill()).toBe(true);
});

test("endless scrolling is waited for 10 seconds", async () => {
  expect(await waited(60_000)).toBe(10_000);
});
