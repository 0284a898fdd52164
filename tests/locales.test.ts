import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { problems } from "../src/contract/problems.ts";
import { screens } from "../src/contract/screens.ts";
import { transactionStatuses } from "../src/contract/transactions.ts";
import { withdrawalFlags, withdrawalViews } from "../src/contract/withdrawals.ts";

const folder = resolve(import.meta.dirname, "../locales");
const languages = readdirSync(folder).map((file) => file.replace(".json", ""));
const textsOf = (language: string) => JSON.parse(readFileSync(join(folder, `${language}.json`), "utf8")) as Record<string, string>;
const english = textsOf("en");

const plural = /_(zero|one|two|few|many|other)$/;
const bases = (texts: Record<string, string>) => new Set(Object.keys(texts).map((key) => key.replace(plural, "")));
const isPlural = (texts: Record<string, string>, base: string) => `${base}_other` in texts;
const placeholders = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map((match) => match[1]).toSorted();

test("the eight languages of the specification are there", () => {
  expect(languages.toSorted()).toEqual(["ar", "de", "en", "es", "fr", "it", "ru", "zh"]);
});

describe.each(languages)("%s", (language) => {
  const texts = textsOf(language);

  test("has every text English has, and no other", () => {
    const [own, wanted] = [bases(texts), bases(english)];
    expect(
      [...wanted].filter((base) => !own.has(base)),
      "missing",
    ).toEqual([]);
    expect(
      [...own].filter((base) => !wanted.has(base)),
      "too many",
    ).toEqual([]);
  });

  test("says each plural in all its forms, and nothing else in forms", () => {
    const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories.toSorted();
    for (const base of bases(english)) {
      if (!isPlural(english, base)) continue;
      const own = Object.keys(texts).filter((key) => key.replace(plural, "") === base && plural.test(key));
      expect(own.map((key) => plural.exec(key)?.[1]).toSorted(), base).toEqual(forms);
    }
  });

  test("puts the same values into each text; a plural form may leave some out", () => {
    const formsOf = (all: Record<string, string>, base: string) => Object.keys(all).filter((key) => key.replace(plural, "") === base);
    const wrong = [...bases(english)].flatMap((base) => {
      const wanted = [...new Set(formsOf(english, base).flatMap((key) => placeholders(english[key] ?? "")))].toSorted();
      return formsOf(texts, base).filter((key) => {
        const own = placeholders(texts[key] ?? "");
        return isPlural(english, base) ? own.some((name) => !wanted.includes(name)) : own.join() !== wanted.join();
      });
    });
    expect(wrong).toEqual([]);
  });

  test("leaves no text empty", () => {
    expect(Object.keys(texts).filter((key) => texts[key]?.trim() === "")).toEqual([]);
  });

  test("words every refusal, screen, status, view and flag there is", () => {
    const wanted = [
      ...Object.keys(problems).map((code) => `problem.${code}`),
      ...Object.keys(screens).map((name) => `screen.${name}`),
      ...transactionStatuses.map((status) => `status.${status}`),
      ...withdrawalViews.map((view) => `withdrawal.view.${view}`),
      ...withdrawalFlags.map((flag) => `withdrawal.flag.${flag}`),
    ];
    expect(wanted.filter((key) => texts[key] === undefined)).toEqual([]);
  });
});

/** Names, codes and loan words that are the same as in English, looked at one by one. */
const alike = JSON.parse(readFileSync(join(folder, "../tests/locales-alike.json"), "utf8")) as Readonly<Record<string, readonly string[]>>;

test.each(languages.filter((language) => language !== "en"))("no %s text was left in English", (language) => {
  const texts = textsOf(language);
  const same = Object.keys(texts).filter((key) => texts[key] === english[key] && /\p{L}{2}/u.test(texts[key] ?? ""));
  expect(same.filter((key) => !alike[language]?.includes(key))).toEqual([]);
  expect(
    alike[language]?.filter((key) => texts[key] !== english[key]),
    "reviewed, but no longer the same",
  ).toEqual([]);
});
