import { expect, test } from "vitest";
import { isCapOf } from "../../../../src/console/kit/keys/cap-letter.ts";

test.each([
  ["the letter", { key: "a", code: "KeyA" }, true],
  ["its capital", { key: "A", code: "KeyA" }, true],
  ["its cap on a Russian layout", { key: "ф", code: "KeyA" }, true],
  ["its cap on an Arabic layout", { key: "ش", code: "KeyA" }, true],
  ["the letter where a French layout has it", { key: "a", code: "KeyQ" }, true],
  ["the cap on which a French layout writes another Latin letter", { key: "q", code: "KeyA" }, false],
  ["another cap", { key: "и", code: "KeyB" }, false],
])("%s: %j", (_, press, is) => {
  expect(isCapOf("a", press)).toBe(is);
});
