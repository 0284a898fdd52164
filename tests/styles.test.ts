import { globSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { describe, expect, test } from "vitest";

const project = resolve(import.meta.dirname, "..");
const room = join(project, "src/console");
const files = globSync("**/*.css", { cwd: room }).toSorted();
const read = (file: string) => readFileSync(join(room, file), "utf8").replaceAll(/\/\*[^]*?\*\//g, "");

/** Where the order of the layers stands, and what only names other sheets. */
const index = ["layers.css", "kit/look/look.css"];

/** Folder → its layer. The first that fits decides; everything else is of the screen. */
const layers: readonly (readonly [folder: string, layer: string])[] = [
  ["kit/look/reset.css", "reset"],
  ["kit/", "kit"],
  ["lists/", "lists"],
  ["views/", "lists"],
  ["entity/", "lists"],
  ["", "screen"],
];

/** Selectors of a sheet, those within @media and @container too. */
const selectorsOf = (file: string): string[] => selectorsIn(read(file));

function selectorsIn(text: string): string[] {
  return [...text.matchAll(/([^{};]+)\{/g)]
    .map(([, head = ""]) => head.trim())
    .filter((head) => !head.startsWith("@") && !/^(?:from|to|[\d.]+%)/.test(head))
    .flatMap(alternatives)
    .map((selector) => selector.trim());
}

/** Without what is said of paper. */
function withoutPrint(text: string): string {
  const start = text.indexOf("@media print");
  if (start === -1) return text;
  let depth = 0;
  let end = text.indexOf("{", start);
  do {
    if (text[end] === "{") depth++;
    if (text[end] === "}") depth--;
    end++;
  } while (depth > 0 && end < text.length);
  return withoutPrint(text.slice(0, start) + text.slice(end));
}

/** Whether each step of what :has() asks is to a child. */
const isNear = (asked: string): boolean =>
  alternatives(asked).every((one) => one.trim().startsWith(">") && !/[^\s>]\s+[^\s>]/.test(one.trim()));

/** Of a list of selectors each, those within :is() left in their place. */
function alternatives(list: string): string[] {
  let depth = 0;
  const commas = [...list].flatMap((letter, at) => {
    if (letter === "(") depth++;
    if (letter === ")") depth--;
    return letter === "," && depth === 0 ? [at] : [];
  });
  return [-1, ...commas].map((from, at) => list.slice(from + 1, commas[at] ?? list.length));
}

const classesIn = (text: string): string[] => [...text.matchAll(/\.([a-z_][\w-]*)/gi)].map(([, name = ""]) => name);

/** The classes a selector opens with: what it dresses stands in these, and their room decides over that. Blueprint's stand for nobody. */
function openingOf(selector: string): string[] {
  const [either] = /^:is\([^()]*\)/.exec(selector) ?? [];
  if (either !== undefined) return classesIn(either);
  let bare = selector;
  while (/\([^()]*\)/.test(bare)) bare = bare.replaceAll(/\([^()]*\)/g, "");
  return (
    bare
      .split(/[\s>+~]+/)
      .map((compound) => classesIn(compound).filter((name) => !name.startsWith("bp6-")))
      .find((names) => names.length > 0) ?? []
  );
}

/** The class a selector opens with where nothing else is said of it: `.code` and `.code .end`, but not `.code.on` or `b.code`. */
function bareOpening(selector: string): string | null {
  const [first = ""] = selector.split(/[\s>+~]+/);
  return /^\.[a-z_][\w-]*$/i.test(first) && !first.startsWith(".bp6-") ? first.slice(1) : null;
}

/** All but the parts that every room is made of. */
const rooms = files.filter((file) => !file.startsWith("kit/look/"));

describe("a sheet", () => {
  test.each(files.filter((file) => !index.includes(file)))("%s stands in its room's layer, whole", (file) => {
    const text = read(file)
      .replaceAll(/@import [^;]+ layer\(libraries\);/g, "")
      .trim();
    const [, layer] = layers.find(([folder]) => file.startsWith(folder)) ?? [];
    expect(text.startsWith(`@layer ${layer} {`)).toBe(true);
    // nothing after the brace that closes the layer
    let depth = 0;
    const ends = [...text].flatMap((letter, at) => {
      if (letter === "{") depth++;
      return letter === "}" && --depth === 0 ? [at] : [];
    });
    expect(ends).toEqual([text.length - 1]);
  });

  test("says which layers there are in one place, the first that a page loads", () => {
    expect(read("layers.css")).toContain("@layer reset, libraries, kit, lists, screen;");
    expect(readFileSync(join(room, "main.tsx"), "utf8").startsWith('import "./layers.css";\nimport "./kit/look/look.css";\n')).toBe(true);
    expect(files.filter((file) => /@layer [^{;]*;/.test(read(file)))).toEqual(["layers.css"]);
  });

  test("asks of the whole page only what stands near its root, because each change in it is sought through otherwise", () => {
    const far = files.flatMap((file) =>
      selectorsIn(withoutPrint(read(file)))
        .filter((selector) =>
          [...selector.matchAll(/(?<![\w-])(?::root|html|body)(?:[.[:][\w-]+\]?)*:has\(([^)]*)/g)].some(([, of = ""]) => !isNear(of)),
        )
        .map((selector) => `${file}: ${selector}`),
    );
    expect(far).toEqual([]);
  });

  test("is loaded by its own room, or by one that stands on it", () => {
    const imported = globSync("**/*.{ts,tsx,css}", { cwd: room }).flatMap((file) =>
      [...readFileSync(join(room, file), "utf8").matchAll(/import "(\.[^"]+\.css)"/g)].map(([, path = ""]) => join(dirname(file), path)),
    );
    expect(files.filter((file) => !imported.includes(file))).toEqual([]);
  });
});

describe("a class", () => {
  test("has a name, not a letter", () => {
    const short = files.flatMap((file) => selectorsOf(file).filter((selector) => classesIn(selector).some((name) => name.length === 1)));
    expect(short).toEqual([]);
    const written = globSync("**/*.tsx", { cwd: room }).flatMap((file) =>
      [...readFileSync(join(room, file), "utf8").matchAll(/className=(?:"([^"]*)"|\{[^}]*?["'`]([^"'`]*)["'`])/g)]
        .filter(([, plain, made]) => (plain ?? made ?? "").split(" ").some((name) => /^[a-z]$/i.test(name)))
        .map(([line]) => `${file}: ${line}`),
    );
    expect(written).toEqual([]);
  });

  /** Dressed by two sheets, and why. */
  const shared: Readonly<Record<string, string>> = {
    field: "any label with what stands beneath it; Blueprint's own parts within it come with the forms, after the first screen",
    sheet: "a sheet is as wide as the list of keys in it asks",
    "sheet-body": "as above",
    "sheet-veil": "the list of keys is printed without what lies behind it",
    grid: "a whole statement is printed without the list beneath it",
    entity: "the frame of a list that dashboard and settings take, too",
  };

  test("is dressed by one sheet: every selector that opens with it stands there", () => {
    const homes = new Map<string, Set<string>>();
    for (const file of files) {
      for (const selector of selectorsOf(file)) {
        const opening = openingOf(selector);
        // one of several is enough: `.pane.profile` is the profile's
        if (opening.length !== 1) continue;
        const [name = ""] = opening;
        homes.set(name, (homes.get(name) ?? new Set()).add(file));
      }
    }
    const several = [...homes].filter(([name, at]) => at.size > 1 && shared[name] === undefined);
    expect(several.map(([name, at]) => `.${name}: ${[...at].join(", ")}`)).toEqual([]);
  });

  /** Dressed in their own room, and placed by those they stand in: a grid in a pane, a pane of a split, a chip in a bar. */
  const placed = new Set(
    "av bad chip field grid pane pill sheet sheet-body sheet-foot sheet-head split splitter stat sum views views-pane with-button".split(
      " ",
    ),
  );

  test("of one room is no other thing in another", () => {
    const homes = new Map<string, Set<string>>();
    for (const file of rooms) {
      for (const selector of selectorsOf(file)) {
        const name = bareOpening(selector);
        if (name !== null) homes.set(name, (homes.get(name) ?? new Set()).add(dirname(file)));
      }
    }
    expect(homes.size).toBeGreaterThan(100);
    const twice = rooms.flatMap((file) =>
      selectorsOf(file).flatMap((selector) => {
        const opening = openingOf(selector);
        return classesIn(selector)
          .filter((name) => !opening.includes(name) && !placed.has(name))
          .filter((name) => [...(homes.get(name) ?? [])].some((folder) => folder !== dirname(file)))
          .map((name) => `${file}: ${selector}, but .${name} is of ${[...(homes.get(name) ?? [])].join(", ")}`);
      }),
    );
    expect(twice).toEqual([]);
  });

  test("is written by somebody, or made of a name in data", () => {
    /** Made of a check's result, a panel's name, a hue, an edge. */
    const made = /^(?:is|p|h|pin)-/;
    const sources = [...globSync("**/*.{ts,tsx}", { cwd: room })].map((file) => readFileSync(join(room, file), "utf8")).join("\n");
    const names = new Set(files.flatMap((file) => selectorsOf(file).flatMap(classesIn)));
    const unwritten = [...names].filter(
      (name) => !name.startsWith("bp6-") && !made.test(name) && !new RegExp(`(?<![\\w-])${name}(?![\\w-])`).test(sources),
    );
    expect(unwritten).toEqual([]);
  });
});
