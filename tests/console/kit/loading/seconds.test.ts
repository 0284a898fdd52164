import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { eachSecond, lastSecond, noteKey } from "../../../../src/console/kit/loading/seconds.ts";

/** ms of a frame, as the fake clock draws them. */
const frame = 16;

let leave = [] as (() => void)[];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "performance"] });
  vi.advanceTimersByTime(60_000); // whatever key another test pressed
  vi.stubGlobal("document", { visibilityState: "visible" });
  vi.stubGlobal("requestAnimationFrame", (draw: () => void) => setTimeout(draw, frame));
});
afterEach(() => {
  for (const each of leave) each();
  leave = [];
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** Notes the ms since now at which seconds are told. */
function told(): number[] {
  const began = performance.now();
  const at: number[] = [];
  leave.push(eachSecond(() => at.push(performance.now() - began)));
  return at;
}

test("seconds are told to all at once, and no more to whoever has left", () => {
  const first = told();
  vi.advanceTimersByTime(400);
  const second = told();
  vi.advanceTimersByTime(1_700);
  expect([first, second]).toEqual([
    [1_000, 2_000],
    [600, 1_600],
  ]);
  const [leaveFirst] = leave.splice(0, 1);
  leaveFirst?.();
  vi.advanceTimersByTime(1_000);
  expect([first.length, second.length]).toEqual([2, 3]);
});

test("between keys a second waits for the frame of the next one", () => {
  const at = told();
  vi.advanceTimersByTime(950);
  noteKey();
  vi.advanceTimersByTime(130);
  expect(at).toEqual([]);
  noteKey();
  expect(at).toEqual([]);
  vi.advanceTimersByTime(2 * frame);
  expect(at).toHaveLength(1);
  expect(at[0]).toBeGreaterThan(1_080);
  expect(at[0]).toBeLessThanOrEqual(1_080 + 2 * frame);
});

test("without a next key it is told 300 ms after the last one", () => {
  const at = told();
  vi.advanceTimersByTime(950);
  noteKey();
  vi.advanceTimersByTime(2_000);
  expect(at).toEqual([1_250, 2_000]);
  expect(lastSecond()).toBeLessThanOrEqual(performance.now());
});

test("whatever is typed, each second is told once", () => {
  const at = told();
  for (let key = 0; key < 100; key++) {
    vi.advanceTimersByTime(83);
    noteKey();
  }
  expect(at).toHaveLength(8);
});
