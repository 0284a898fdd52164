import { expect, test } from "vitest";
import { holds } from "../../../../src/console/kit/grid/found-cells.ts";

test.each([
  ["Tan Wei Jie", "wei"],
  ["ＡＢＣ", "abc"],
  ["1,234,850.00", "1234850"],
  ["4,850.00", "4,850"],
  ["W2611000004821", "4821"],
])("%j holds %j", (shown, sought) => {
  expect(holds(shown, sought)).toBe(true);
});

test.each([
  ["4,850.00", "4,8500"],
  ["Lim, Siew", "limsiew"],
  ["1,23", "123"],
])("%j does not hold %j", (shown, sought) => {
  expect(holds(shown, sought)).toBe(false);
});
