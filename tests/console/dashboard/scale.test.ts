import { expect, test } from "vitest";
import { niceStep, scaleOf } from "../../../src/console/kit/charts/scale.ts";

test.each([
  [1_200_000, 5, 250_000],
  [10, 4, 2.5],
  [11.5, 4, 5],
  [100, 5, 20],
  [0.5, 5, 0.1],
])("a span of %d in at most %d steps is walked by %d", (span, most, step) => expect(niceStep(span, most)).toBeCloseTo(step, 9));

test("an axis contains all its values and marks zero", () => {
  const { min, max, ticks } = scaleOf(-420_000, 650_000, 5);
  expect(min).toBeLessThan(-420_000);
  expect(max).toBeGreaterThan(650_000);
  expect(ticks).toEqual([-250_000, 0, 250_000, 500_000]);
});

test("an axis that begins at zero has no space below it", () => {
  expect(scaleOf(0, 11.5, 4)).toMatchObject({ min: 0, ticks: [0, 5, 10] });
});

test("a day without values has an axis anyway", () => {
  expect(scaleOf(0, 0, 5)).toEqual({ min: 0, max: 1, ticks: [0] });
});
