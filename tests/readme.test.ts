import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";

// What README.md names is there: files, folders, functions, scripts.

const project = resolve(import.meta.dirname, "..");
const readme = readFileSync(resolve(project, "README.md"), "utf8");
const section = (title: string): string => new RegExp(`\n## ${title}\n(.*?)\n## `, "s").exec(readme)?.[1] ?? "";
const layout = section("How it is laid out");
const quoted = (text: string): string[] => [...text.matchAll(/`([^`\n]+)`/g)].map(([, word = ""]) => word);

const files = globSync("{src,commands,tests,locales}/**", { cwd: project });
const sources = globSync("{src,commands}/**/*.{ts,tsx,sql}", { cwd: project });

describe("README names only", () => {
  test("files and folders that there are", () => {
    const named = quoted(readme).filter(
      (word) => /^[\w./*-]+$/.test(word) && (/^(?:src|commands|tests|locales)\//.test(word) || /\.(?:tsx?|sql|txt|css)$/.test(word)),
    );
    expect(named).toContain("src/server/records/links.ts");
    expect(named.filter((path) => !existsSync(resolve(project, path)) && !files.some((file) => file.endsWith(`/${path}`)))).toEqual([]);
  });

  test("pictures that there are", () => {
    const pictures = [...readme.matchAll(/!\[[^\]]*\]\(([^)]+)\)/g)].map(([, path = ""]) => path);
    expect(pictures).not.toEqual([]);
    expect(pictures.filter((path) => !existsSync(resolve(project, path)))).toEqual([]);
  });

  test("functions and properties that the code has", () => {
    const code = sources.map((file) => readFileSync(resolve(project, file), "utf8")).join("\n");
    const named = quoted(layout).flatMap((word) => word.match(/\b[a-z]+(?:[A-Z][a-z]+|_[a-z]+)+\b/g) ?? []);
    const unknown = named.filter((name) => name !== "verbNoun" && !new RegExp(`\\b${name}\\b`).test(code));
    expect(named).toContain("recordHandlers");
    expect(unknown).toEqual([]);
  });

  test("scripts that npm runs", () => {
    const { scripts } = JSON.parse(readFileSync(resolve(project, "package.json"), "utf8")) as { scripts: Readonly<Record<string, string>> };
    const named = [...readme.matchAll(/npm run ([\w:-]+)/g)].map(([, name = ""]) => name);
    expect(named).toContain("create-tenant");
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });
});

/** The names a line of the layout tells after its folder: "db, ledger, records (the life …)" → db, ledger, records. */
function roomsIn(folder: string): string[] {
  const block = /```\n(locales\/.*?)\n```/s.exec(layout)?.[1] ?? "";
  const lines = new RegExp(`(?:^|\n)${folder}/ +(.*?)(?=\n\\S|$)`, "s").exec(block)?.[1] ?? "";
  const plain = lines.replace(/\([^()]*\)/g, "").replace(/\s+/g, " ");
  return plain.split(/[,:]| and /).map((word) => word.trim());
}

test.each(["src/console", "src/console/kit"])("README tells every folder of %s", (folder) => {
  const folders = readdirSync(resolve(project, folder), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(folders.filter(({ name }) => !new RegExp(`[\\s(]${name}\\b`).test(layout)).map(({ name }) => name)).toEqual([]);
});

test("README tells no folder of the server that there is not", () => {
  const rooms = roomsIn("src/server").filter((word) => /^[a-z-]+$/.test(word));
  const there = readdirSync(resolve(project, "src/server")).map((name) => name.replace(/\.ts$/, ""));
  expect(rooms).toContain("payment-groups");
  expect(rooms.filter((room) => !there.includes(room))).toEqual([]);
});
