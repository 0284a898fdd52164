import { expect, test } from "vitest";
import { z } from "zod";
import { ruleText } from "../../../../src/console/kit/texts/rule-text.ts";
import { inEnglish, needTexts, setLanguage, text } from "../../../../src/console/kit/texts/texts.ts";
import type { MessageKey } from "../../../../src/console/kit/texts/messages.ts";
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

test("a text said before is said in the new language, and English stays English", async () => {
  await inLanguage("de");
  const both = () => [text("shell.loading"), inEnglish(() => text("shell.loading"))];
  expect(both()).toEqual(["Wird geladen…", "Loading…"]);
  await setLanguage("ru");
  expect(both()).toEqual(["Загрузка…", "Loading…"]);
  await setLanguage("de"); // loaded before
  expect(both()).toEqual(["Wird geladen…", "Loading…"]);
});

test("a text asked for before its part has come is said as soon as it has", async () => {
  await inLanguage("en");
  const late = "test.late" as MessageKey; // of a part made here
  expect(text(late)).toBe("test.late");
  await needTexts("test", { "/locales/en.json": () => Promise.resolve({ "test.late": "Here now" }) });
  expect(text(late)).toBe("Here now");
});
