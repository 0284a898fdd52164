import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { problems } from "../src/contract/problems.ts";
import { screens } from "../src/contract/screens.ts";
import { transactionStatuses } from "../src/contract/transactions.ts";
import { depositFlags } from "../src/contract/deposits.ts";
import { withdrawalFlags, withdrawalViews } from "../src/contract/withdrawals.ts";

const folder = resolve(import.meta.dirname, "../locales");
const languages = readdirSync(folder).map((file) => file.replace(".json", ""));
const textsOf = (language: string) => JSON.parse(readFileSync(join(folder, `${language}.json`), "utf8")) as Record<string, string>;
const english = textsOf("en");

const plural = /_(zero|one|two|few|many|other)$/;
const bases = (texts: Record<string, string>) => new Set(Object.keys(texts).map((key) => key.replace(plural, "")));
/** Base → its keys, one for each plural form. */
const formsOf = (texts: Record<string, string>) => Map.groupBy(Object.keys(texts), (key) => key.replace(plural, ""));
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
    const own = formsOf(texts);
    for (const base of bases(english)) {
      if (!isPlural(english, base)) continue;
      expect((own.get(base) ?? []).flatMap((key) => plural.exec(key)?.[1] ?? []).toSorted(), base).toEqual(forms);
    }
  });

  test("puts the same values into each text; a plural form may leave some out", () => {
    const formsInEnglish = formsOf(english);
    const own = formsOf(texts);
    const wrong = [...formsInEnglish].flatMap(([base, forms]) => {
      const wanted = [...new Set(forms.flatMap((key) => placeholders(english[key] ?? "")))].toSorted();
      return (own.get(base) ?? []).filter((key) => {
        const names = placeholders(texts[key] ?? "");
        return isPlural(english, base) ? names.some((name) => !wanted.includes(name)) : names.join() !== wanted.join();
      });
    });
    expect(wrong).toEqual([]);
  });

  test("offers the days a time can be written with in its own words", () => {
    for (const word of ["today", "yesterday"]) expect(texts["grid.jump.hint"]).toContain(texts[`moment.${word}`]);
  });

  test("leaves no text empty", () => {
    expect(Object.keys(texts).filter((key) => texts[key]?.trim() === "")).toEqual([]);
  });

  test("words every refusal, screen, status, view and flag there is", () => {
    const wanted = [
      ...Object.keys(problems).map((code) => `problem.${code}`),
      ...Object.keys(screens).map((name) => `screen.${name}`),
      ...transactionStatuses.map((status) => `status.${status}`),
      ...withdrawalViews.map((view) => `transaction.view.${view}`),
      ...withdrawalFlags.map((flag) => `withdrawal.flag.${flag}`),
      ...depositFlags.map((flag) => `deposit.flag.${flag}`),
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

/** One word for one thing: `terms` has a term's stems by language, and `never` the words that were given up. */
const glossary = JSON.parse(readFileSync(join(folder, "../tests/glossary.json"), "utf8")) as {
  readonly terms: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
  readonly never: Readonly<Record<string, readonly string[]>>;
};

/** As it is compared: without the marks that turn the direction of writing, nor values. */
const plain = (text: string) =>
  text
    .replace(/[\u2066-\u2069]/g, "")
    .replace(/\{\{\w+\}\}/g, "…")
    .toLowerCase();
const isRead = (key: string) => !key.endsWith(".words");

describe("the glossary", () => {
  test("has sixty terms, each of which some text uses", () => {
    const read = Object.keys(english).filter(isRead);
    const idle = Object.keys(glossary.terms).filter((term) => !read.some((key) => termIn(term, english[key] ?? "")));
    expect(idle).toEqual([]);
    expect(Object.keys(glossary.terms).length).toBeGreaterThanOrEqual(60);
  });

  test.each(languages.filter((language) => language !== "en"))("%s names each thing English names, by its one word", (language) => {
    const texts = textsOf(language);
    const wrong = Object.keys(english)
      .filter(isRead)
      .flatMap((key) => {
        const text = plain(texts[key] ?? texts[key.replace(plural, "_other")] ?? "");
        return Object.entries(glossary.terms)
          .filter(
            ([term, stems]) => termIn(term, english[key] ?? "") && !stems[language]?.some((stem) => text.includes(stem.toLowerCase())),
          )
          .map(([term]) => `${key} · ${term}`);
      });
    expect(wrong).toEqual([]);
  });

  test.each(languages)("%s has none of the words that were given up", (language) => {
    const texts = textsOf(language);
    const given = glossary.never[language] ?? [];
    expect(
      Object.keys(texts).filter((key) => isRead(key) && given.some((word) => plain(texts[key] ?? "").includes(word.toLowerCase()))),
    ).toEqual([]);
  });
});

/** Whether an English text has a term, inflected or not. */
function termIn(term: string, text: string): boolean {
  return new RegExp(`\\b${term.replaceAll(" ", "[ -]")}`).test(plain(text));
}

/** What a request calls its fields begins as the request does. */
const namesField = /^(code|cursor|password) /;

test.each(languages)("%s begins each message with a capital, a value or a name", (language) => {
  const texts = textsOf(language);
  const lower = Object.keys(texts).filter(
    (key) => /^(problem|failure|invalid|failed|refuse|.*\.(refuse|said))\./.test(key) && /^\p{Ll}/u.test(texts[key] ?? ""),
  );
  expect(lower.filter((key) => !namesField.test(texts[key] ?? ""))).toEqual([]);
});
