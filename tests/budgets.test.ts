import { globSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { buildConsole, bundle } from "../src/server/console-build.ts";
import { marksOfMadeUp, withMadeUpEntity } from "./support/made-up-entity.ts";
import { chunksHolding, firstFonts, firstScreen, laterChunks } from "./support/sizes.ts";

const project = resolve(import.meta.dirname, "..");

/** Bytes, gzip. */
const firstScreenBudget = 288_000;
const signInBudget = 300_000;
const fontBudget = 18_000;
const screenBudget = 60_000;
const entityBudget = 300;

let dist = "";
beforeAll(async () => {
  dist = await buildConsole(project, () => undefined);
});

test("script and style before the first screen stay within 288 kB, with the sign-in's own within 300 kB", () => {
  const { script, style } = firstScreen(dist);
  expect(script).toBeGreaterThan(50_000);
  expect(script + style).toBeLessThanOrEqual(firstScreenBudget);
  const signIn = laterChunks(dist).whole.get("login-page");
  expect(signIn).toBeGreaterThan(0);
  expect(script + style + (signIn ?? 0)).toBeLessThanOrEqual(signInBudget);
});

test("all style is in one sheet, because each that came later would have every element's style and place worked out anew", () => {
  const sheets = globSync("**/*.css", { cwd: dist });
  expect(sheets.length).toBe(1);
  expect(readFileSync(join(dist, "index.html"), "utf8")).toContain(sheets[0]);
});

test("the font of the icons is named by the page, so that it comes beside the sheets, and is no larger than 18 kB", () => {
  expect(firstFonts(dist)).toBeGreaterThan(0);
  expect(firstFonts(dist)).toBeLessThanOrEqual(fontBudget);
});

test("no screen's own chunk is over 60 kB, nor any that screens share", () => {
  const { own, shared } = laterChunks(dist);
  const names = globSync("src/console/screens/**/*-screen.tsx", { cwd: project }).map((file) => basename(file, ".tsx"));
  expect(names).toContain("withdrawals-screen");
  const sizes = new Map(names.map((name) => [name, own.get(name)]));
  expect([...sizes].filter(([, size]) => size === undefined)).toEqual([]);
  expect([...sizes, ...shared].filter(([, size]) => (size ?? 0) > screenBudget)).toEqual([]);
});

test("no screen brings more than 32 files, because a browser asks for each before the first rows", () => {
  const screens = [...laterChunks(dist).files].filter(([name]) => name.endsWith("-screen"));
  expect(screens.length).toBeGreaterThan(30);
  expect(screens.filter(([, files]) => files > 32)).toEqual([]);
});

test("the same sources are built to the same files again, because a page of one machine may ask another for a part", async () => {
  const again = await mkdtemp(join(tmpdir(), "built-again-"));
  try {
    await bundle(project, again);
    const filesOf = (folder: string) => globSync("**/*.*", { cwd: folder, exclude: ["**/*.br", "**/*.gz"] }).toSorted();
    expect(filesOf(again)).toContain("index.html");
    expect(filesOf(again)).toEqual(filesOf(dist));
  } finally {
    await rm(again, { recursive: true });
  }
});

test("what makes spreadsheets is in the worker of exports, and nowhere else", () => {
  // the part every such file has, and the part that starts the worker
  expect(chunksHolding(dist, "xl/styles.xml")).toEqual([{ name: "export-worker", first: false }]);
  expect(chunksHolding(dist, "export-worker-")).toEqual([{ name: "save-sheet", first: false }]);
});

test("one more plain entity, of 8 routes, 12 fields and 4 commands, adds at most 0.3 kB to the first screen", async () => {
  const folder = await mkdtemp(join(tmpdir(), "one-more-entity-"));
  try {
    const copy = join(folder, "project");
    await withMadeUpEntity(project, copy);
    const larger = join(folder, "dist");
    await bundle(copy, larger);
    // it is there with all it has, and comes later
    for (const mark of Object.values(marksOfMadeUp)) {
      const holding = chunksHolding(larger, mark);
      expect(holding.length, mark).toBeGreaterThan(0);
      expect(
        holding.filter(({ first }) => first),
        mark,
      ).toEqual([]);
    }
    const [before, after] = [firstScreen(dist), firstScreen(larger)];
    expect(after.script).toBeGreaterThan(before.script);
    expect(after.script + after.style - before.script - before.style).toBeLessThanOrEqual(entityBudget);
  } finally {
    await rm(folder, { recursive: true });
  }
}, 300_000);
