import ExcelJS from "exceljs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { facts, linesIn, othersIn, readFile } from "../../../support/bank-imports.ts";

/** What a bank knows of one line. */
interface Known {
  /** Seconds since 1970, in UTC. */
  readonly at: number;
  readonly cents: number;
  readonly isCredit: boolean;
  readonly reference: string;
  readonly name: string;
  readonly details: string;
}

const from = Date.UTC(2026, 0, 1) / 1000;
const until = Date.UTC(2026, 10, 20) / 1000;
const word = (letters: string) => fc.array(fc.constantFrom(...letters), { minLength: 2, maxLength: 12 }).map((all) => all.join(""));
const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJ";
const line = (text: fc.Arbitrary<string>): fc.Arbitrary<Known> =>
  fc.record({
    at: fc.integer({ min: from, max: until }),
    cents: fc.integer({ min: 1, max: 999_999_999_99 }),
    isCredit: fc.boolean(),
    reference: fc.integer({ min: 1, max: 1e9 }).map((n) => `R${n}`),
    name: text,
    details: text,
  });

/** How a bank writes its file. */
interface Style {
  readonly delimiter: "," | ";" | "\t" | "|";
  readonly order: "dmy" | "mdy" | "ymd";
  readonly between: "/" | "-" | ".";
  readonly decimal: "." | ",";
  readonly group: "" | "," | "." | " " | "'";
  readonly sides: "columns" | "sign" | "behind" | "word" | "parentheses";
  readonly ends: "\n" | "\r\n";
  readonly isQuoted: boolean;
  readonly newestFirst: boolean;
}
const style: fc.Arbitrary<Style> = fc
  .record({
    delimiter: fc.constantFrom(",", ";", "\t", "|"),
    order: fc.constantFrom("dmy", "mdy", "ymd"),
    between: fc.constantFrom("/", "-", "."),
    decimal: fc.constantFrom(".", ","),
    group: fc.constantFrom("", ",", ".", " ", "'"),
    sides: fc.constantFrom("columns", "sign", "behind", "word", "parentheses"),
    ends: fc.constantFrom("\n", "\r\n"),
    isQuoted: fc.boolean(),
    newestFirst: fc.boolean(),
  } as const)
  .filter(({ decimal, group }) => decimal !== group);

const two = (n: number) => String(n).padStart(2, "0");

function dateText(at: number, { order, between }: Style): string {
  const local = new Date((at + facts.zoneMinutes * 60) * 1000);
  const [year, month, day] = [String(local.getUTCFullYear()), two(local.getUTCMonth() + 1), two(local.getUTCDate())];
  const parts = { dmy: [day, month, year], mdy: [month, day, year], ymd: [year, month, day] }[order];
  return `${parts.join(between)} ${two(local.getUTCHours())}:${two(local.getUTCMinutes())}:${two(local.getUTCSeconds())}`;
}

function amountText(cents: number, { decimal, group }: Style): string {
  const whole = String(Math.floor(cents / 100)).replace(/\B(?=(\d{3})+$)/g, group);
  return `${whole}${decimal}${two(cents % 100)}`;
}

function cellsOf({ at, cents, isCredit, reference, name, details }: Known, how: Style): string[] {
  const amount = amountText(cents, how);
  const sums = {
    columns: isCredit ? ["", amount] : [amount, ""],
    sign: [isCredit ? amount : `-${amount}`],
    behind: [isCredit ? amount : `${amount}-`],
    word: [amount, isCredit ? "CR" : "DR"],
    parentheses: [isCredit ? amount : `(${amount})`],
  }[how.sides];
  return [dateText(at, how), reference, name, details, ...sums];
}

const headersOf = ({ sides }: Style) => [
  "Transaction Date",
  "Reference No.",
  "Name",
  "Description",
  ...(sides === "columns" ? ["Debit", "Credit"] : sides === "word" ? ["Amount", "Dr/Cr"] : ["Amount"]),
];

function written(lines: readonly Known[], how: Style): string {
  const needs = new RegExp(`["\n\r${how.delimiter === "|" ? "\\|" : how.delimiter}]`);
  const cell = (text: string) => (how.isQuoted || needs.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const rows = [headersOf(how), ...(how.newestFirst ? lines.toReversed() : lines).map((one) => cellsOf(one, how))];
  return rows.map((cells) => cells.map(cell).join(how.delimiter)).join(how.ends) + how.ends;
}

/** A day above twelve and what went out, so that the file says how it is meant. */
const telling: Known = {
  at: Date.UTC(2025, 11, 20) / 1000,
  cents: 12_345,
  isCredit: false,
  reference: "R0",
  name: "first",
  details: "telling",
};

const wanted = (lines: readonly Known[]) =>
  lines.map(({ at, cents, isCredit, reference, name, details }) => ({
    time: new Date(at * 1000).toISOString(),
    direction: isCredit ? "credit" : "debit",
    amount: `${Math.floor(cents / 100)}.${two(cents % 100)}`,
    reference,
    counterparty: name,
    counterparty_account: null,
    description: details,
    balance: null,
  }));

const sorted = (lines: readonly Known[]): Known[] =>
  lines.filter(({ at }, n) => lines.findIndex((other) => other.at === at) === n).toSorted((a, b) => a.at - b.at);

/** Accented letters stand between plain ones, as in words. */
const syllables = fc
  .array(fc.constantFrom("ma", "té", "ño", "çu", "ör", "üb", "ål", "øs", "è ", "B"), { minLength: 1, maxLength: 6 })
  .map((all) => `éx${all.join("x")}`);

const encodings = [
  { name: "UTF-8", text: word(`${letters}äöüßéñøžщяпдعربية汉字ไทย"`), bytes: (text: string) => Buffer.from(text) },
  { name: "UTF-16 without a mark", text: word(`${letters}äéщя汉字ไทย`), bytes: (text: string) => Buffer.from(text, "utf16le") },
  {
    name: "Windows-1252",
    text: syllables,
    bytes: (text: string) => Buffer.from(text, "latin1"),
  },
];

test.each(encodings)("whatever a bank writes in $name and any of its styles is read back exactly", async ({ text, bytes }) => {
  await fc.assert(
    fc.asyncProperty(fc.array(line(text.map((one) => `x${one}x`)), { minLength: 1, maxLength: 12 }), style, async (some, how) => {
      const lines = [telling, ...sorted(some)];
      const statement = await readFile(bytes(written(lines, how)));
      expect(statement.questions).toEqual([]);
      expect(othersIn(statement)).toEqual([]);
      expect(linesIn(statement)).toEqual(wanted(lines));
    }),
    { numRuns: 150 },
  );
});

test("a workbook's numbers, dates and texts are read back exactly, in both of its calendars", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(line(word(`${letters}äщя汉字`)), { minLength: 1, maxLength: 6 }),
      fc.boolean(),
      fc.boolean(),
      async (some, date1904, isNumber) => {
        const lines = sorted(some);
        const book = new ExcelJS.Workbook();
        book.properties.date1904 = date1904;
        const sheet = book.addWorksheet("Statement");
        sheet.addRow(["Account statement"]);
        sheet.addRow(["Transaction Date", "Reference No.", "Name", "Description", "Debit", "Credit"]);
        for (const { at, cents, isCredit, reference, name, details } of lines) {
          const amount = isNumber ? cents / 100 : `${Math.floor(cents / 100)}.${two(cents % 100)}`;
          const row = sheet.addRow([
            new Date((at + facts.zoneMinutes * 60) * 1000),
            reference,
            name,
            details,
            isCredit ? null : amount,
            isCredit ? amount : null,
          ]);
          row.getCell(1).numFmt = "dd/mm/yyyy hh:mm:ss";
        }
        const statement = await readFile(Buffer.from(await book.xlsx.writeBuffer()));
        expect(statement.questions).toEqual([]);
        expect(othersIn(statement)).toEqual([]);
        expect(linesIn(statement)).toEqual(wanted(lines));
      },
    ),
    { numRuns: 25 },
  );
});
