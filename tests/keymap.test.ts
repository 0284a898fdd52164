import { expect, test } from "vitest";
import { commands } from "../commands/index.ts";
import en from "../locales/en.json" with { type: "json" };
import zh from "../locales/zh.json" with { type: "json" };
import { canonicalChord, isReserved, isTypable } from "../src/console/kit/chord.ts";
import { clashes } from "../src/console/kit/registry.ts";

const bound = commands.flatMap((command) => (command.keys ?? []).map((chord) => ({ id: command.id, chord })));

test("no two commands of one place share a key, and no key starts another", () => {
  expect(clashes(commands)).toEqual([]);
});

test("every key can be typed on all eight layouts without AltGr", () => {
  expect(bound.filter(({ chord }) => !isTypable(chord))).toEqual([]);
});

test("no key belongs to the browser or the system", () => {
  expect(bound.filter(({ chord }) => isReserved(chord))).toEqual([]);
});

test("every key is written in one way", () => {
  expect(bound.filter(({ chord }) => canonicalChord(chord) !== chord)).toEqual([]);
});

test("no two commands have one name", () => {
  expect(commands.map(({ id }) => id).toSorted()).toEqual([...new Set(commands.map(({ id }) => id))].toSorted());
});

test.each([
  ["en", en],
  ["zh", zh],
])("every command has its name and its synonyms in %s", (_, texts: Record<string, string>) => {
  const missing = commands.flatMap(({ id }) => [`command.${id}`, `command.${id}.words`]).filter((key) => !texts[key]);
  expect(missing).toEqual([]);
});

test("only motions repeat while held", () => {
  expect(commands.filter((command) => command.repeats === true && (command.danger !== undefined || command.subject !== null))).toEqual([]);
});

test("what moves money or cannot be undone and has no key on purpose has none", () => {
  const keyless = /(change-status|send-callback|reset-credentials|adjust-wallet|clear-balance|delete|sign-out)$/;
  expect(commands.filter((command) => keyless.test(command.id) && command.keys !== undefined).map(({ id }) => id)).toEqual([]);
});

test("the key table is this one", async () => {
  const table = commands
    .filter((command) => command.keys !== undefined)
    .map(
      (command) =>
        `${command.scope.padEnd(8)} ${(command.subject ?? "").padEnd(11)} ${(command.keys ?? []).join("  ").padEnd(36)} ${command.id}`,
    )
    .join("\n");
  await expect(`${table}\n`).toMatchFileSnapshot("keymap.txt");
});
