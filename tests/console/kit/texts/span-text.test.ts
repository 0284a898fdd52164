import { expect, test } from "vitest";
import { spanText } from "../../../../src/console/kit/texts/span-text.ts";
import { inLanguage } from "../../in-language.ts";

test("a length of time is said in the greatest unit that leaves no rest, a single day in hours", async () => {
  await inLanguage("en");
  expect([1, 59, 60, 90, 120, 1440, 2160, 2880].map(spanText)).toEqual([
    "1 min",
    "59 min",
    "1 hr",
    "90 min",
    "2 hr",
    "24 hr",
    "36 hr",
    "2 days",
  ]);
});

test("its unit is in the reader's language, its digits are those of every other figure", async () => {
  await inLanguage("zh");
  expect(spanText(1440)).toBe("24小时");
  await inLanguage("ar");
  expect(spanText(1440)).toMatch(/^24 \p{Script=Arabic}/u);
});
