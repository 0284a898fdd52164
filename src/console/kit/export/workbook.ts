import ExcelJS from "exceljs";
import type { Cell, Worksheet } from "exceljs";
import type { CellKind, Sheet } from "../commands/sheet.ts";

/** Most characters in a cell, and significant digits of a number, that the format keeps. */
const mostInCell = 32_767;
const mostDigits = 15;
/** px of a digit in the format's default font, because widths are counted in digits. */
const digit = 7;

const forbidden = /[\\/?*[\]:]/g;

/** Writes a text as a string, whatever it begins with, so that it never becomes a formula. */
function plain(text: string): string {
  return text.length <= mostInCell ? text : `${text.slice(0, mostInCell - 1)}…`;
}

/** All decimals of the currency, and more only where an amount has them. */
const amountFormat = (decimals: number): string => (decimals === 0 ? "#,##0" : `#,##0.${"0".repeat(decimals).padEnd(4, "#")}`);

function write(cell: Cell, kind: CellKind, value: string, { zone, decimals }: Pick<Sheet, "zone" | "decimals">): void {
  if (kind === "amount" && value.replace(/\D/g, "").length <= mostDigits && Number.isFinite(Number(value))) cell.value = Number(value);
  else if (kind === "time" && !Number.isNaN(Date.parse(value))) {
    // the format has no zones, so the local time is written
    cell.value = new Date(Date.parse(value) + zone * 60_000);
  } else cell.value = plain(value);
  if (typeof cell.value === "string") cell.numFmt = "@";
  else cell.numFmt = kind === "amount" ? amountFormat(decimals) : kind === "time" ? "yyyy-mm-dd hh:mm AM/PM" : "General";
}

function head(sheet: Worksheet): void {
  sheet.getRow(1).font = { bold: true };
}

/** Makes an .xlsx workbook with a sheet of the rows and a sheet about them. */
export async function makeWorkbook({ title, columns, rows, zone, decimals, rightToLeft, about }: Sheet): Promise<ArrayBuffer> {
  const book = new ExcelJS.Workbook();
  const sheet = book.addWorksheet(title.replace(forbidden, " ").slice(0, 31), { views: [{ state: "frozen", ySplit: 1, rightToLeft }] });
  sheet.columns = columns.map(({ width, title: text }) => ({ width: Math.max(width / digit, text.length + 2) }));
  sheet.addRow(columns.map(({ title: text }) => plain(text)));
  head(sheet);
  for (const row of rows) {
    const written = sheet.addRow([]);
    columns.forEach(({ kind }, at) => {
      const value = row[at];
      if (value != null && value !== "") write(written.getCell(at + 1), kind, value, { zone, decimals });
    });
  }
  sheet.autoFilter = { from: { row: 1, column: 1 }, to: { row: rows.length + 1, column: columns.length } };
  const other = book.addWorksheet(about.title.replace(forbidden, " ").slice(0, 31), { views: [{ state: "normal", rightToLeft }] });
  other.columns = [{ width: 24 }, { width: 80 }];
  for (const line of about.lines) {
    const written = other.addRow(line.map(plain));
    written.getCell(1).font = { bold: true };
    written.getCell(2).numFmt = "@";
  }
  return (await book.xlsx.writeBuffer()) as ArrayBuffer; // exceljs types the result as Node's buffer
}
