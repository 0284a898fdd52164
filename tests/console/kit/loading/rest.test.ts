import { expect, test } from "vitest";
import { beginWork, markRest } from "../../../../src/console/kit/loading/rest.ts";

// without a page to draw, what waits for a frame comes at once
test("the mark stands while nothing is under way: gone with the first that begins, there again after the last is over", () => {
  let isMarked = false;
  markRest({ toggleAttribute: (_, force) => (isMarked = force === true) });
  expect(isMarked).toBe(true);
  const [first, second] = [beginWork(), beginWork()];
  expect(isMarked).toBe(false);
  first();
  // one that is told twice counts once
  first();
  expect(isMarked).toBe(false);
  second();
  expect(isMarked).toBe(true);
});
