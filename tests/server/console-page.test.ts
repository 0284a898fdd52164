import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { consolePages } from "../../src/server/console-page.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "console-page-"));
  writeFileSync(join(folder, "index.html"), plain);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const plain = `<html><head><script type="module" crossorigin src="/assets/console.js"></script></head></html>`;
const manifest = {
  "_console.js": { file: "assets/console.js" },
  "_grid.js": { file: "assets/grid.js", imports: ["_console.js", "_list.js"] },
  "_list.js": { file: "assets/list.js", imports: ["_grid.js"] },
  "src/console/screens/merchants/merchants-screen.tsx": {
    file: "assets/merchants.js",
    imports: ["_console.js", "_grid.js"],
  },
  "src/console/screens/dashboard-screen.tsx": { file: "assets/dashboard.js", imports: ["_console.js"] },
  "commands/merchants.ts": { file: "assets/commands.js", imports: ["_grid.js"] },
  "commands/users.ts": { file: "assets/user-commands.js" },
  "locales/de.json?part=first": { file: "assets/texts/first.de.js" },
  "locales/de.json?part=record": { file: "assets/texts/record.de.js" },
  "locales/de.json?part=merchants": { file: "assets/texts/merchants.de.js" },
  "locales/en.json?part=record": { file: "assets/texts/record.en.js" },
  "locales/en.json?part=dashboard": { file: "assets/texts/dashboard.en.js" },
};

const named = (page: string): string[] =>
  [...page.matchAll(/<link rel="modulepreload" crossorigin href="\/(.+?)">/g)].map(([, file = ""]) => file);

test("the page of a screen names what it is drawn with, in the user's language, and nothing that stands in it already", async () => {
  writeFileSync(join(folder, "manifest.json"), JSON.stringify(manifest));
  const pageOf = consolePages(folder);
  const page = await pageOf("/payment/merchants", { isSignedIn: true, language: "de" });
  expect(named(page)).toEqual([
    "assets/texts/first.de.js",
    "assets/texts/record.de.js",
    "assets/texts/record.en.js",
    "assets/texts/merchants.de.js",
    "assets/list.js",
    "assets/grid.js",
    "assets/merchants.js",
    "assets/commands.js",
  ]);
  expect(page.replaceAll(/<link.*?>/g, "")).toBe(plain);
});

test("a language that there is not is English, and a screen in no folder has texts of its own name", async () => {
  writeFileSync(join(folder, "manifest.json"), JSON.stringify(manifest));
  const pageOf = consolePages(folder);
  expect(named(await pageOf("/dashboard", { isSignedIn: true, language: "../../etc" }))).toEqual([
    "assets/texts/record.en.js",
    "assets/texts/dashboard.en.js",
    "assets/dashboard.js",
  ]);
});

test("nothing is named to whoever must sign in first, nor where there is no screen", async () => {
  writeFileSync(join(folder, "manifest.json"), JSON.stringify(manifest));
  const pageOf = consolePages(folder);
  expect(await pageOf("/payment/merchants", { isSignedIn: false, language: "de" })).toBe(plain);
  expect(await pageOf("/login", { isSignedIn: true, language: "de" })).toBe(plain);
});

test("a folder without the bundler's list is served as it is", async () => {
  const pageOf = consolePages(folder);
  expect(await pageOf("/payment/merchants", { isSignedIn: true, language: "de" })).toBe(plain);
});

test("a folder that was built anew is served as it is now, and as it was while it is replaced", async () => {
  writeFileSync(join(folder, "manifest.json"), JSON.stringify(manifest));
  const pageOf = consolePages(folder);
  const read = () => pageOf("/payment/merchants", { isSignedIn: true, language: "de" });
  const before = await read();
  rmSync(join(folder, "index.html"));
  expect(await read()).toBe(before);
  writeFileSync(
    join(folder, "manifest.json"),
    JSON.stringify({ "src/console/screens/merchants/merchants-screen.tsx": { file: "assets/newer.js" } }),
  );
  writeFileSync(join(folder, "index.html"), plain.replace("console.js", "console-2.js"));
  expect(named(await read())).toEqual(["assets/newer.js"]);
});
