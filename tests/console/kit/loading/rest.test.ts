import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { beginWork, markRest } from "../../../../src/console/kit/loading/rest.ts";

let isMarked = false;
const page = () => markRest({ toggleAttribute: (_, force) => (isMarked = force === true) });
beforeEach(() => void (isMarked = false));

// without a page to draw, what waits for a frame runs at once
test("the mark is set while nothing is under way: removed by the first request, set again after the last one", () => {
  page();
  expect(isMarked).toBe(true);
  const [first, second] = [beginWork(), beginWork()];
  expect(isMarked).toBe(false);
  first();
  // an end that is reported twice counts once
  first();
  expect(isMarked).toBe(false);
  second();
  expect(isMarked).toBe(true);
});

describe("in a page that is drawn", () => {
  let frames: (() => void)[] = [];
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    vi.stubGlobal("document", { visibilityState: "visible" });
    vi.stubGlobal("requestAnimationFrame", (act: () => void) => frames.push(act));
    vi.stubGlobal("cancelAnimationFrame", (frame: number) => void (frames[frame - 1] = () => undefined));
  });
  afterEach(() => {
    frames = [];
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });
  /** Draws a frame; what waited for it runs in the task behind it. */
  const paint = () => {
    for (const act of frames) act();
    frames = [];
    vi.runAllTimers();
  };

  test("the mark waits for the answer to be painted, and for the paint of what that made the page request", () => {
    page();
    beginWork()();
    expect(isMarked).toBe(false);
    paint();
    expect(isMarked).toBe(false);
    paint();
    expect(isMarked).toBe(true);
  });

  test("a request that the painted answer leads to holds the mark back until it is painted, too", () => {
    page();
    beginWork()();
    paint();
    const over = beginWork();
    paint();
    paint();
    expect(isMarked).toBe(false);
    over();
    paint();
    paint();
    expect(isMarked).toBe(true);
  });
});
