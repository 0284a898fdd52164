import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterEach, beforeEach, expect, test } from "vitest";
import { buildConsole } from "../../src/server/console-build.ts";

let project: string;
beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), "console-build-"));
  for (const folder of ["src/console", "src/contract", "src/values", "commands", "locales", "node_modules/vite/bin"])
    mkdirSync(join(project, folder), { recursive: true });
});
afterEach(() => rmSync(project, { recursive: true, force: true }));

const built = () => readFileSync(join(project, "dist/index.html"), "utf8");

/** Replaces the builder: writes the page and runs what is given. */
function builder(page: string, besides = ""): void {
  const code = `const { mkdirSync, writeFileSync } = require("node:fs");
    const out = process.argv[process.argv.indexOf("--outDir") + 1];
    mkdirSync(out, { recursive: true });
    writeFileSync(out + "/index.html", ${JSON.stringify(page)});
    ${besides}`;
  writeFileSync(join(project, "node_modules/vite/bin/vite.js"), code);
}

test("a build is made anew when its sources changed, and not before", async () => {
  const said: string[] = [];
  const build = () => buildConsole(project, (line) => said.push(line));
  builder("one");
  expect([await build(), built()]).toEqual([join(project, "dist"), "one"]);
  builder("two");
  await build();
  expect([built(), said]).toEqual(["one", ["building the console"]]);
  writeFileSync(join(project, "commands/a.ts"), "changed");
  await build();
  expect([built(), said.length]).toEqual(["two", 2]);
  // pages that were opened before ask for its parts
  expect(readFileSync(join(project, "dist.former/index.html"), "utf8")).toBe("one");
  builder("three");
  writeFileSync(join(project, "commands/a.ts"), "changed again");
  await build();
  expect([built(), readFileSync(join(project, "dist.former/index.html"), "utf8")]).toEqual(["three", "two"]);
});

test("however the folder of the project is written, its build stays, because pages that are open ask for its files", async () => {
  builder("one");
  await buildConsole(project, () => undefined);
  builder("two");
  for (const same of [`${project}/`, relative(process.cwd(), project)]) {
    await buildConsole(same, () => undefined); // oxlint-disable-line no-await-in-loop -- one after the other
    expect(built()).toBe("one");
  }
});

test("beside each text stands what it is compressed to", async () => {
  const page = `<p>${"word ".repeat(1_000)}`;
  builder(page, `writeFileSync(out + "/small.js", "1"); writeFileSync(out + "/sound.ogg", "x".repeat(5000));`);
  await buildConsole(project, () => undefined);
  const read = (name: string) => readFileSync(join(project, "dist", name));
  expect(brotliDecompressSync(read("index.html.br")).toString()).toBe(page);
  expect(gunzipSync(read("index.html.gz")).toString()).toBe(page);
  const names = readdirSync(join(project, "dist")).toSorted();
  expect(names).toEqual([".built-from", "index.html", "index.html.br", "index.html.gz", "small.js", "sound.ogg"]);
});

test("the build of a faster process stays, because a server may be serving it", async () => {
  builder("any");
  await buildConsole(project, () => undefined);
  const stamp = readFileSync(join(project, "dist/.built-from"), "utf8");
  rmSync(join(project, "dist"), { recursive: true });
  const sibling = `const dist = ${JSON.stringify(join(project, "dist"))};
    mkdirSync(dist);
    writeFileSync(dist + "/index.html", "the sibling's");
    writeFileSync(dist + "/.built-from", ${JSON.stringify(stamp)});`;
  builder("mine", sibling);
  await buildConsole(project, () => undefined);
  expect(built()).toBe("the sibling's");
  expect(readdirSync(project).filter((name) => name.startsWith("dist"))).toEqual(["dist"]);
});

test("npm run build makes what a start makes, and keeps the build before", async () => {
  const sources = ["build.ts", "console-build.ts"];
  for (const name of sources) cpSync(`src/server/${name}`, join(project, "src/server", name));
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: { build: string } }; // it has them
  const build = () => execFileSync("/bin/sh", ["-c", scripts.build], { cwd: project, stdio: ["ignore", "pipe", "pipe"] }).toString();
  builder("one");
  await buildConsole(project, () => undefined);
  builder("two");
  expect([build(), built()], "nothing has changed").toEqual(["", "one"]);
  writeFileSync(join(project, "commands/a.ts"), "changed");
  expect([build(), built()]).toEqual(["building the console\n", "two"]);
  expect(readFileSync(join(project, "dist.former/index.html"), "utf8")).toBe("one");
});
