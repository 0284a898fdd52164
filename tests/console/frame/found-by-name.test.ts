import { describe, expect, test } from "vitest";
import { commands as list } from "../../../commands/index.ts";
import { everyCommand } from "../../../src/console/kit/commands/command-list.ts";
import { languages } from "../../../src/contract/languages.ts";
import { findSettings } from "../../../src/console/frame/found-settings.ts";
import { settingSections as screenSections } from "../../../src/console/screens/setting/setting-fields.ts";
import { settingSections } from "../../../src/contract/settings.ts";
import { rank } from "../../../src/console/kit/palette/palette-ranking.ts";
import { commandName, commandWords, englishName, needTexts, text } from "../../../src/console/kit/texts/texts.ts";
import type { MessageKey } from "../../../src/console/kit/texts/messages.ts";
import type { Texts } from "../../../src/console/kit/texts/texts.ts";
import { folded } from "../../../src/values/folded.ts";
import { inLanguage } from "../in-language.ts";

const commands = await everyCommand(list);
const everything = import.meta.glob<Texts>("../../../locales/*.json", { import: "default" });

/** A name with two neighbouring letters swapped in its longest word; null: no word is long enough to tell a slip from another word. */
function slipped(name: string): string | null {
  const longest = folded(name)
    .split(/[^\p{L}\p{N}]+/u)
    .reduce((a, b) => (b.length > a.length ? b : a));
  const at = [...longest].findIndex((letter, n) => n >= 1 && n + 1 < longest.length && letter !== longest[n + 1]);
  return longest.length < 6 || at === -1 || !/^[a-zа-яء-ي]+$/.test(longest)
    ? null
    : longest.slice(0, at) + (longest[at + 1] ?? "") + (longest[at] ?? "") + longest.slice(at + 2);
}

/** A name as it may be typed: as it is, in capitals, without accents, in full width, with two letters swapped. */
const ways = (name: string): string[] => [
  name,
  name.toUpperCase(),
  folded(name),
  name.normalize("NFD"),
  name.replaceAll(/[!-~]/g, (sign) => String.fromCodePoint((sign.codePointAt(0) ?? 0) + 0xfee0)),
  ...[slipped(name)].filter((one) => one !== null),
];

describe.each(languages)("in %s", (language) => {
  const missed = async (): Promise<string[]> => {
    await inLanguage(language);
    await needTexts("everything", everything);
    const shown = commands.filter(({ quiet, scope }) => quiet !== true && scope !== "dialog");
    const candidates = shown.map(({ id }) => ({
      id,
      name: commandName(text, id),
      english: englishName(id),
      words: commandWords(text, id),
      codes: [],
    }));
    return candidates.flatMap(({ id, name, english = name }) =>
      [...ways(name), ...ways(english)].flatMap((typed) => {
        const found = rank(typed, candidates).map(({ candidate }) => candidate);
        // others may be called the same
        return found.some((one) => one.id === id || one.name === name || one.english === english) ? [] : [`${id}: ${typed}`];
      }),
    );
  };

  test("every command, screen and report is found by its name in it and in English, however it is typed", async () => {
    expect(await missed()).toEqual([]);
  });

  test("so is every setting and every section of the settings, which it opens", async () => {
    await inLanguage("en");
    await needTexts("everything", everything);
    const inEnglish = new Map(keys.map(([key]) => [key, text(key)]));
    await inLanguage(language);
    for (const [key, section] of keys) {
      const name = text(key);
      for (const typed of [...ways(name), ...ways(inEnglish.get(key) ?? "")]) {
        const found = await findSettings(typed);
        expect([key, typed, found.some((one) => one.screen === "setting" && one.search["section"] === section)]).toEqual([
          key,
          typed,
          true,
        ]);
      }
    }
  });
});

const keys = Object.entries(settingSections).flatMap(([section, names]) => [
  [`setting.section.${section}` as MessageKey, section] as const,
  ...names.map((name) => [`setting.field.${name}` as MessageKey, section] as const),
]);

test("the sections are those of the screen, with what they set", () => {
  const tiers = { MYR: { confirm_from: "1.00", second_from: "2.00" } };
  const there = screenSections({ tiers }).map(({ name, fields }) => [name, [...new Set(fields.map(({ part }) => part))]]);
  expect(there).toEqual(Object.entries(settingSections));
});

test("what names no setting finds none", async () => {
  await inLanguage("en");
  expect(await findSettings("zzzzzz")).toEqual([]);
});
