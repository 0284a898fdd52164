import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, test } from "vitest";

const project = resolve(import.meta.dirname, "..");

/** Room → what it may import besides itself and packages. The first prefix that fits a file names its room. */
const rooms: readonly (readonly [room: string, may: readonly string[]])[] = [
  ["src/values", []],
  ["src/contract", ["src/values"]],
  ["src/server/main.ts", ["src/server", "src/contract", "src/values", "src/server/demo"]],
  ["src/server/demo", ["src/server", "src/contract", "src/values"]],
  ["src/server", ["src/contract", "src/values"]],
  ["src/console/main.tsx", ["src/console", "commands", "src/contract", "src/values", "locales"]],
  ["src/console/icon-font", ["src/console/kit/look"]],
  ["src/console/text-parts-plugin.ts", ["src/console/text-parts.ts"]],
  ["src/console/text-parts.ts", ["src/contract"]],
  ["src/console/kit", ["src/contract", "src/values", "locales"]],
  ["src/console/api", ["src/console/kit", "src/contract", "src/values"]],
  [
    "src/console/frame",
    ["src/console/identity", "src/console/kit", "src/console/api", "src/contract", "src/values", "src/console/screens/index.ts"],
  ],
  ["src/console/identity", ["src/console/kit", "src/console/api", "src/contract", "src/values"]],
  ["src/console/views", ["src/console/kit", "src/console/api", "src/contract", "src/values"]],
  ["src/console/exports", ["src/console/kit", "src/console/api", "src/contract", "src/values"]],
  ["src/console/shifts", ["src/console/kit", "src/console/api", "src/contract", "src/values"]],
  ["src/console/imports", ["src/console/kit", "src/console/api", "src/contract", "src/values"]],
  ["src/console/provider-checks", ["src/console/kit", "src/console/api", "src/contract", "src/values"]],
  ["src/console/own-keys", ["src/console/kit", "src/console/api", "src/contract", "src/values"]],
  ["src/console/lists", ["src/console/kit", "src/console/api", "src/console/views", "src/contract", "src/values"]],
  ["src/console/entity", ["src/console/lists", "src/console/kit", "src/console/api", "src/console/views", "src/contract", "src/values"]],
  [
    "src/console/transactions",
    ["src/console/lists", "src/console/kit", "src/console/api", "src/console/views", "src/contract", "src/values"],
  ],
  ...["src/console/transfers", "src/console/statements", "src/console/reports"].map((room): [string, string[]] => [
    room,
    [
      "src/console/entity",
      "src/console/transactions",
      "src/console/lists",
      "src/console/kit",
      "src/console/api",
      "src/console/views",
      "src/contract",
      "src/values",
    ],
  ]),
  [
    "src/console/screens",
    [
      "src/console/imports",
      "src/console/provider-checks",
      "src/console/transfers",
      "src/console/statements",
      "src/console/reports",
      "src/console/entity",
      "src/console/transactions",
      "src/console/lists",
      "src/console/identity",
      "src/console/views",
      "src/console/kit",
      "src/console/api",
      "src/contract",
      "src/values",
    ],
  ],
  ["commands", ["src/console/kit", "src/contract", "src/values"]],
];

interface Import {
  from: string;
  to: string;
}

function sourceFiles(folder: string): string[] {
  return readdirSync(join(project, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => relative(project, join(entry.parentPath, entry.name)));
}

const statement = /(?:^|[\s;}])(?:import|export)\s(?:[^"';]*?\sfrom\s)?["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']\s*\)/g;

function importsOf(file: string): Import[] {
  const text = readFileSync(join(project, file), "utf8");
  return [...text.matchAll(statement)]
    .map((match) => match[1] ?? match[2] ?? "")
    .filter((path) => path.startsWith("."))
    .map((path) => ({ from: file, to: relative(project, resolve(project, dirname(file), path)) }));
}

const within = (file: string, room: string) => file === room || file.startsWith(`${room}/`);
const roomOf = (file: string) => rooms.find(([room]) => within(file, room));
const files = ["src", "commands"].flatMap(sourceFiles);
const imports = files.flatMap(importsOf);

/** Each way to write a time by hand: a library, the browser's own zone and language, or a cut through an instant of the wire. */
const timeWritten = new RegExp(
  [
    /\bdayjs\b|\b(?:from|import)\s*\(?\s*["'](?:date-fns|luxon|moment)\b/,
    /\.toLocale(?:Date|Time)?String\(|\.to(?:Date|Time|UTC|GMT)String\(|Intl\.(?:DateTime|RelativeTime|Duration)Format/,
    /\.get(?:UTC)?(?:Hours|Minutes|Seconds|Date|Day|Month|FullYear)\(|getTimezoneOffset/,
    /(?:toISOString\(\)|_at|\bat|\binstant|\buntil)\.(?:slice|substring|replace|split)\(/,
    /["'`][^"'`\n]*(?:YYYY-MM|yyyy-mm|[Hh]{2}:mm)/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "g",
);

/** The innermost room a file is in decides; "src/server" does not give "src/server/demo" unless it is named. */
function mayImport({ from, to }: Import): boolean {
  const home = roomOf(from);
  if (!home) return false;
  const target = roomOf(to)?.[0] ?? to;
  if (target === home[0]) return true;
  return home[1].some(
    (room) => (within(to, room) && (target === room || !rooms.some(([other]) => other === target) || within(room, target))) || to === room,
  );
}

const kindNamed = /withdraw|deposit/i;
const withoutComments = (text: string) => text.replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, "");

/** The screen a file belongs to; the index belongs to none. */
const screenOf = (file: string) => /^src\/console\/screens\/([^/]+)\//.exec(file)?.[1];
const knowsAnotherScreen = ({ from, to }: Import) =>
  screenOf(from) !== undefined && within(to, "src/console/screens") && screenOf(to) !== screenOf(from);

describe("who may import whom", () => {
  test("the walk finds the imports there are", () => {
    expect(files.length).toBeGreaterThan(50);
    expect(imports.length).toBeGreaterThan(100);
  });

  test("no import leaves its storey", () => {
    const main = (file: string) => file === "src/console/main.tsx" || file === "src/server/main.ts";
    const wrong = imports.filter(
      (one) => !(main(one.from) ? rooms.find(([room]) => room === one.from)?.[1].some((room) => within(one.to, room)) : mayImport(one)),
    );
    expect(wrong.map(({ from, to }) => `${from} → ${to}`)).toEqual([]);
  });

  test("the kit's commands, keys, texts and loading stand at the bottom: none of them points back up", () => {
    const bottom = ["commands", "keys", "texts", "loading"].map((room) => `src/console/kit/${room}`);
    const inBottom = (file: string) => bottom.some((room) => within(file, room));
    const up = imports.filter(({ from, to }) => inBottom(from) && within(to, "src/console/kit") && !inBottom(to));
    expect(imports.some(({ from, to }) => inBottom(from) && inBottom(to))).toBe(true);
    expect(up.map(({ from, to }) => `${from} → ${to}`)).toEqual([]);
  });

  test("what panes lend is the kit's one map: no module adds to another's types from outside the kit", () => {
    const adding = files.filter(
      (file) =>
        !within(file, "src/console/kit") &&
        !within(file, "src/server") &&
        /^declare module/m.test(readFileSync(join(project, file), "utf8")),
    );
    expect(adding).toEqual([]);
  });

  test("what any transaction has names no kind of it: neither a word nor an import", () => {
    const shared = files.filter((file) => ["src/console/transactions", "commands/transactions"].some((room) => within(file, room)));
    expect(shared.length).toBeGreaterThan(30);
    expect(shared.filter((file) => kindNamed.test(withoutComments(readFileSync(join(project, file), "utf8"))))).toEqual([]);
    for (const named of ['from "../../contract/withdrawals.ts"', "row: Withdrawal", 't("withdrawal.failed")', "id: `deposit.${act}`"])
      expect(withoutComments(`const a = 1; // held\n${named}`)).toMatch(kindNamed);
    expect(withoutComments("/** Of a withdrawal. */\nconst url = 1; // or a deposit")).not.toMatch(kindNamed);
  });

  test("no screen knows another", () => {
    expect(imports.filter(knowsAnotherScreen).map(({ from, to }) => `${from} → ${to}`)).toEqual([]);
  });

  test("there are no base classes: a class stands on none but the language's own errors", () => {
    const base = /\babstract class\b|\bclass \w+(?:<[^{]*?>)? extends (?!Error\b)/;
    // the driver's own classes can be changed in no other way
    const driver = ["src/server/db/role-client.ts", "src/server/db/commit-query.ts"];
    const wrong = files.filter((file) => !driver.includes(file) && base.test(readFileSync(join(project, file), "utf8")));
    expect(wrong).toEqual([]);
    expect("export class Live<Row extends object> extends Paged<Row> {").toMatch(base);
    expect("class Failure extends Error {").not.toMatch(base);
    expect("export class Live<Row extends object> {").not.toMatch(base);
  });

  test("nothing imports main", () => {
    expect(imports.filter(({ to }) => /^src\/(server\/main\.ts|console\/main\.tsx)$/.test(to))).toEqual([]);
  });

  test("a command knows no React and no screen", () => {
    const wrong = files.filter(
      (file) => file.startsWith("commands/") && /from ["'](react|react-dom|@blueprintjs)/.test(readFileSync(join(project, file), "utf8")),
    );
    expect(wrong).toEqual([]);
  });

  test("ids are made by values/uuid.ts, because browsers have no crypto.randomUUID on plain http", () => {
    const own = files.filter((file) => !file.startsWith("src/server/") && file !== "src/values/uuid.ts");
    expect(own.filter((file) => readFileSync(join(project, file), "utf8").includes("crypto.randomUUID"))).toEqual([]);
  });

  test("keys are heard by the key engine only", () => {
    const wrong = files.filter(
      (file) =>
        file !== "src/console/kit/keys/keys.ts" &&
        /addEventListener\(\s*["']key(down|up|press)/.test(readFileSync(join(project, file), "utf8")),
    );
    expect(wrong).toEqual([]);
  });

  test("times a person reads are written by console/api/formats.ts only, in the zone at work", () => {
    // the worker that writes files is handed the zone with the rows, counts are numbers, and how a bank wants its days is a choice by name
    const choices = ["src/contract/payout-templates.ts"];
    // of another zone than that at work, and said so
    const elsewhere = "src/values/named-zones.ts";
    // they reckon with days of the calendar, and show none
    const calendars = ["src/values/moments.ts", "src/values/days.ts"];
    const own = ["src/console/api/formats.ts", "src/values/workbook/cells.ts", "src/values/counts.ts", ...calendars, elsewhere, ...choices];
    const wrong = files
      .filter((file) => !file.startsWith("src/server/") && !own.includes(file))
      .flatMap((file) => [...readFileSync(join(project, file), "utf8").matchAll(timeWritten)].map(([found]) => `${file}: ${found}`));
    expect(wrong).toEqual([]);
    for (const found of ["dayjs(at)", 'from "date-fns"', "at.toLocaleTimeString()", "new Date(at).toLocaleString()", "day.getHours()"])
      expect(found).toMatch(new RegExp(timeWritten.source));
    for (const found of [
      "Intl.DateTimeFormat",
      "at.toISOString().slice(0, 10)",
      "row.created_at.slice(11, 16)",
      'format("YYYY-MM-DD")',
      "'hh:mm A'",
    ])
      expect(found).toMatch(new RegExp(timeWritten.source));
  });

  test("an import that breaks the rules would be found", () => {
    expect(mayImport({ from: "src/contract/a.ts", to: "src/server/a.ts" })).toBe(false);
    expect(mayImport({ from: "src/console/screens/a.tsx", to: "commands/a.ts" })).toBe(false);
    expect(mayImport({ from: "commands/a.ts", to: "src/console/screens/a.tsx" })).toBe(false);
    expect(mayImport({ from: "src/server/a.ts", to: "src/server/demo/a.ts" })).toBe(false);
    expect(mayImport({ from: "src/console/kit/a.ts", to: "src/console/api/a.ts" })).toBe(false);
    expect(mayImport({ from: "src/console/lists/a.ts", to: "src/console/entity/a.ts" })).toBe(false);
    expect(mayImport({ from: "src/console/entity/a.ts", to: "src/console/screens/a/a.ts" })).toBe(false);
    expect(mayImport({ from: "src/console/transactions/a.ts", to: "src/console/screens/a/a.ts" })).toBe(false);
    expect(mayImport({ from: "src/console/transactions/a.ts", to: "src/console/entity/a.ts" })).toBe(false);
    expect(knowsAnotherScreen({ from: "src/console/screens/a/a.ts", to: "src/console/screens/b/a.ts" })).toBe(true);
    expect(mayImport({ from: "src/server/a/b.ts", to: "src/contract/a.ts" })).toBe(true);
  });
});
