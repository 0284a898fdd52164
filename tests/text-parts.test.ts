import { globSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import english from "../locales/en.json" with { type: "json" };
import { firstTexts, isIn, lateParts as parts } from "../src/console/text-parts.ts";
import { screens } from "../src/contract/screens.ts";
import type { ScreenName } from "../src/contract/screens.ts";

const project = resolve(import.meta.dirname, "..");
const read = (file: string) => readFileSync(join(project, file), "utf8");
const keys = Object.keys(english);

/** What a file brings with it; what it asks for later (import()) is a part of its own. */
function brought(file: string): string[] {
  return [...read(file).matchAll(/(?:^|\n)(?:import|export)\s(?!type)(?:[^"';]*?\sfrom\s)?"(\.[^"]+\.tsx?)"/g)].map(([, path = ""]) =>
    relative(project, resolve(project, dirname(file), path)),
  );
}

function closure(files: readonly string[]): Set<string> {
  const seen = new Set<string>();
  const visit = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    brought(file).forEach(visit);
  };
  files.forEach(visit);
  return seen;
}

/** Keys a file writes out, and the beginnings of those it makes: `dashboard.${name}`. */
function written(file: string): string[] {
  const found = [...read(file).matchAll(/["`]([a-z][a-z-]*\.[a-z0-9.-]*)(?:["`]|\$\{)/g)].map(([, key = ""]) => key);
  return found.filter((key) =>
    keys.some((known) => (key.endsWith(".") ? known.startsWith(key) : known === key || known.startsWith(`${key}_`))),
  );
}

/** Keys of a file that come with none of these parts. A beginning is one of them where any text that begins so is. */
const absent = (file: string, with_: readonly string[]): string[] =>
  written(file).filter((key) => {
    const meant = keys.filter((known) => known === key || known.startsWith(key.endsWith(".") ? key : `${key}_`));
    return !meant.some((known) => isIn("first", known) || with_.some((part) => isIn(part, known)));
  });

const files = globSync("src/console/screens/**/*-screen.tsx", { cwd: project });
const first = closure(["src/console/main.tsx"]);
const folderOf = (file: string): string => basename(dirname(file));

/** The commands that come with screens: their file → the texts of the first of these. */
const commandFiles = Object.fromEntries(
  [...read("commands/index.ts").matchAll(/comingWith\(\[?"([\w-]+)"[^;]*?import\("\.\/([^"]+)"\)/g)].map(([, screen = "", file = ""]) => [
    `commands/${file}`,
    [folderOf(files.find((one) => one.endsWith(`/${screen}-screen.tsx`)) ?? ""), "record"],
  ]),
);

/** Entry of a part of the console that comes later → the texts that come with it. */
const entries: Readonly<Record<string, readonly string[]>> = {
  ...commandFiles,
  // it waits for what is said of files (needExportTexts)
  "commands/statements.ts": ["merchant-transactions", "exports", "record"],
  ...Object.fromEntries(files.map((file) => [file, [folderOf(file), "record"]])),
  "src/console/transfers/sheets.tsx": ["merchants", "record"],
  "src/console/own-keys/practice/practice.tsx": ["practice", "overlays", "record"],
  "src/console/own-keys/key-editor.tsx": ["overlays", "commands"],
  "src/console/kit/palette/palette.tsx": ["overlays"],
  "src/console/kit/sheets/overlays.tsx": ["overlays", "record"],
  ...Object.fromEntries(
    [
      "sign-in/login-page",
      "sign-in/forgot-page",
      "sign-in/reset-page",
      "sign-in/invitation-page",
      "sign-in/unready-page",
      "proof-question",
    ].map((page) => [`src/console/frame/${page}.tsx`, ["sign-in", "record"]]),
  ),
};

describe("the texts that a page waits for", () => {
  test("of the first screen come with it", () => {
    expect(first.size).toBeGreaterThan(100);
    // what is done to a record is done on a screen, which has brought the texts of any
    const wanting = [...first].flatMap((file) =>
      absent(file, file === "commands/record.ts" ? ["record"] : []).map((key) => `${file}: ${key}`),
    );
    expect(wanting).toEqual([]);
    expect(Object.keys(commandFiles).length).toBeGreaterThan(5);
  });

  test.each(Object.entries(entries))("%s come with it", (entry, with_) => {
    const own = [...closure([entry])].filter((file) => !first.has(file));
    expect(own).toContain(entry);
    // a cell is made of rows of its subject, whose screen has brought its texts
    const withOf = (file: string) => (file === "src/contract/derived-cells.ts" ? [...with_, "transfers"] : with_);
    expect(own.flatMap((file) => absent(file, withOf(file)).map((key) => `${file}: ${key}`))).toEqual([]);
  });

  test("are asked for by the names they have, and by whom they are of", () => {
    const asked = globSync("src/console/**/*.{ts,tsx}", { cwd: project }).flatMap((file) =>
      [...read(file).matchAll(/query: "\?part=([\w-]+)"/g)].map(([, part = ""]) => part),
    );
    const named = new Set([...asked, ...files.map(folderOf)]);
    expect([...named].filter((part) => part !== "first" && !parts.includes(part))).toEqual([]);
    expect(parts.filter((part) => !named.has(part) && keys.some((key) => isIn(part, key)))).toEqual([]);
  });
});

test.each(files)("%s brings the texts of its subject, which the first screen does not", (file) => {
  const name = basename(file, "-screen.tsx") as ScreenName; // as screens/index.ts finds it
  const own = keys.filter((key) => key.startsWith(`${screens[name].subject ?? name}.`));
  expect(own.filter((key) => !firstTexts.test(key) && !isIn(folderOf(file), key))).toEqual([]);
});

test("every text comes with the page or with a part of it, and none with both", () => {
  const nowhere = keys.filter((key) => !["first", ...parts].some((part) => isIn(part, key)));
  const twice = keys.filter((key) => isIn("first", key) && parts.some((part) => isIn(part, key)));
  expect([nowhere, twice]).toEqual([[], []]);
  // the exceptions are texts that there are
  expect(keys.some((key) => firstTexts.test(key))).toBe(true);
});
