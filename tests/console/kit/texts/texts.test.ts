import { expect, test } from "vitest";
import { z } from "zod";
import { ruleText } from "../../../../src/console/kit/texts/rule-text.ts";
import { inLanguage } from "../../in-language.ts";

const tooLong = z.string().max(2).safeParse("xxx").error?.issues[0]?.message ?? "";

test("a form's validation message is in the user's language, with its values", async () => {
  await inLanguage("zh");
  expect(ruleText(tooLong)).toBe("太长：最多 2 个字符");
  expect(ruleText("Already taken")).toMatch(/\p{Script=Han}/u);
});

test("in English it is our text, not the schema library's", async () => {
  await inLanguage("en");
  expect(ruleText(tooLong)).toBe("Must have at most 2 characters");
});
