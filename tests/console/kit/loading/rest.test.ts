import { expect, test } from "vitest";
import { beginWork, markRest } from "../../../../src/console/kit/loading/rest.ts";

// without a page to draw, what waits for a frame runs at once
test("the mark is set while nothing is under way: removed by the first request, set again after the last one", () => {
  let isMarked = false;
  markRest({ toggleAttribute: (_, force) => (isMarked = force === true) });
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
