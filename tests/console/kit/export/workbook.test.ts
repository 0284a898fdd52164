import ExcelJS from "exceljs";
import { expect, test } from "vitest";
import type { Sheet } from "../../../../src/console/kit/commands/sheet.ts";
import { makeWorkbook } from "../../../../src/console/kit/export/workbook.ts";

const aSheet = (change: Partial<Sheet> = {}): Sheet => ({
  title: "Withdrawals",
  fileName: "withdrawals.xlsx",
  columns: [
    { title: "Txn no", kind: "text", width: 140 },
    { title: "Amount", kind: "amount", width: 98 },
    { title: "Created (+08:00)", kind: "time", width: 70 },
  ],
  rows: [["0012345678901234567", "1234.50", "2026-11-21T20:00:05.000Z"]],
  zone: 480,
  decimals: 2,
  rightToLeft: false,
  about: {
    title: "About",
    lines: [
      ["Filter", "none"],
      ["Exported by", "=HYPERLINK(1)"],
    ],
  },
  ...change,
});

async function readBack(sheet: Sheet) {
  const book = new ExcelJS.Workbook();
  await book.xlsx.load(await makeWorkbook(sheet));
  const [rows, about] = book.worksheets;
  if (!rows || !about) throw new Error("two sheets are expected");
  return { rows, about };
}

test("an id stays a text, an amount is a number with its format, a time a date in the zone's local time", async () => {
  const { rows } = await readBack(aSheet());
  const [id, amount, at] = [1, 2, 3].map((column) => rows.getRow(2).getCell(column));
  expect([id?.value, id?.numFmt]).toEqual(["0012345678901234567", "@"]);
  expect([amount?.value, amount?.numFmt]).toEqual([1234.5, "#,##0.00##"]);
  // 20:00 UTC is 04:00 of the next day at +08:00
  expect([at?.value, at?.numFmt]).toEqual([new Date("2026-11-22T04:00:05.000Z"), "yyyy-mm-dd hh:mm AM/PM"]);
});

test("an amount with more digits than a number keeps stays a text, to the last digit", async () => {
  const { rows } = await readBack(aSheet({ rows: [["a", "99999999999999.9999", null]] }));
  expect(rows.getRow(2).getCell(2).value).toBe("99999999999999.9999");
  expect(rows.getRow(2).getCell(3).value).toBeNull();
});

test("no text becomes a formula", async () => {
  const evil = ["=1+1", "+1", "-1", "@SUM(A1)", '=cmd|" /C calc"!A0', "\t=1"];
  const { rows, about } = await readBack(
    aSheet({ columns: [{ title: "=2+2", kind: "text", width: 90 }], rows: evil.map((text) => [text]) }),
  );
  const written = [1, ...evil.map((_, at) => at + 2)].map((row) => rows.getRow(row).getCell(1));
  expect(written.map(({ type }) => type)).toEqual(written.map(() => ExcelJS.ValueType.String));
  expect(written.map(({ value }) => value)).toEqual(["=2+2", ...evil]);
  expect(about.getRow(2).getCell(2).type).toBe(ExcelJS.ValueType.String);
});

test("the header stays in view and filters; columns keep their widths; the sheet has the language's direction", async () => {
  const { rows, about } = await readBack(aSheet({ rightToLeft: true }));
  expect(rows.views[0]).toMatchObject({ state: "frozen", ySplit: 1, rightToLeft: true });
  expect(about.views[0]).toMatchObject({ rightToLeft: true });
  expect(rows.autoFilter).toBe("A1:C2");
  // px by digit, and never narrower than the title
  expect([1, 2, 3].map((column) => rows.getColumn(column).width)).toEqual([20, 14, 18]);
  expect(rows.getRow(1).values).toEqual([undefined, "Txn no", "Amount", "Created (+08:00)"]);
});

test("the second sheet says what was exported", async () => {
  const { about } = await readBack(aSheet());
  expect([about.name, about.getRow(1).values]).toEqual(["About", [undefined, "Filter", "none"]]);
});

test("an invalid title and a text too long for a cell are cut, not refused", async () => {
  const { rows } = await readBack(
    aSheet({ title: "Payment accounts / [all] of the whole tenant", rows: [["x".repeat(40_000), null, null]] }),
  );
  expect(rows.name).toBe("Payment accounts    all  of the");
  expect(String(rows.getRow(2).getCell(1).value)).toHaveLength(32_767);
});

test.each([
  [0, "1500000.00", 1_500_000, "#,##0"],
  [2, "1234.50", 1234.5, "#,##0.00##"],
  [3, "12.345", 12.345, "#,##0.000#"],
])("an amount of a currency with %i decimals is written with them", async (decimals, text, value, format) => {
  const { rows } = await readBack(aSheet({ decimals, rows: [["1", text, null]] }));
  const cell = rows.getRow(2).getCell(2);
  expect([cell.value, cell.numFmt]).toEqual([value, format]);
});
