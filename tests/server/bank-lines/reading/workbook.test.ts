import ExcelJS from "exceljs";
import { expect, test } from "vitest";
import { linesIn, othersIn, readFile } from "../../../support/bank-imports.ts";
import { sheetRow, workbookParts, zipOf } from "../../../support/hostile-files.ts";

const bytesOf = async (book: ExcelJS.Workbook) => Buffer.from(await book.xlsx.writeBuffer());
const headers = ["Date", "Details", "Credit"];

test.each([false, true])(
  "a formula is the value it was saved with, a date in the workbook's calendar (from 1904: %s)",
  async (date1904) => {
    const book = new ExcelJS.Workbook();
    book.properties.date1904 = date1904;
    const sheet = book.addWorksheet("March");
    sheet.addRow(headers);
    const row = sheet.addRow([]);
    row.getCell(1).value = { formula: "TODAY()", result: new Date("2026-03-15T10:30:00Z") };
    row.getCell(1).numFmt = "dd/mm/yyyy hh:mm";
    row.getCell(2).value = { formula: 'CONCAT("a","b")', result: "ab" };
    row.getCell(3).value = { formula: "0.1+0.2", result: 0.1 + 0.2 };
    const statement = await readFile(await bytesOf(book));
    expect(linesIn(statement)).toMatchObject([{ time: "2026-03-15T02:30:00.000Z", description: "ab", amount: "0.30" }]);
  },
);

test("a day without a time of its own is the end of that day", async () => {
  const book = new ExcelJS.Workbook();
  const sheet = book.addWorksheet("March");
  sheet.addRow(headers);
  sheet.addRow([new Date("2026-03-15T00:00:00Z"), "a", 1]).getCell(1).numFmt = "d mmm yyyy";
  expect(linesIn(await readFile(await bytesOf(book)))).toMatchObject([{ time: "2026-03-15T15:59:59.000Z" }]);
});

test("the sheet with the statement is taken, and another one when it is chosen", async () => {
  const book = new ExcelJS.Workbook();
  book.addWorksheet("Cover").addRow(["Dear customer", "this is your statement"]);
  const march = book.addWorksheet("March");
  march.addRow(headers);
  march.addRow(["15/03/2026", "march", "1.00"]);
  const april = book.addWorksheet("April");
  april.addRow(headers);
  april.addRow(["15/04/2026", "april", "2.00"]);
  const bytes = await bytesOf(book);
  const statement = await readFile(bytes);
  expect([statement.sheets, statement.layout.sheet]).toEqual([["Cover", "March", "April"], 1]);
  expect(linesIn(statement)).toMatchObject([{ description: "march" }]);
  expect(linesIn(await readFile(bytes, {}, { ...statement.layout, sheet: 2 }))).toMatchObject([{ description: "april" }]);
});

test("numbers keep the digits a workbook shows, and a long reference stored as a number keeps its own", async () => {
  const book = new ExcelJS.Workbook();
  const sheet = book.addWorksheet("March");
  sheet.addRow(["Date", "Reference No.", "Credit"]);
  sheet.addRow(["15/03/2026", 202603151234567, 1234.1]);
  sheet.addRow(["16/03/2026", 7, 99999999999.99]);
  sheet.addRow(["17/03/2026", 8, 0.005]);
  const statement = await readFile(await bytesOf(book));
  expect(linesIn(statement).map(({ reference, amount }) => [reference, amount])).toEqual([
    ["202603151234567", "1234.10"],
    ["7", "99999999999.99"],
  ]);
  expect(othersIn(statement)).toEqual(["4 too-fine"]);
});

test("a workbook that was changed after its sums were made is damaged", async () => {
  const bytes = zipOf(workbookParts(sheetRow(1, ...headers)).map((part) => ({ ...part, isStored: true as const })));
  const place = bytes.indexOf("Details");
  bytes.write("DETAILS", place);
  await expect(readFile(bytes)).rejects.toThrow("This workbook is damaged");
});
