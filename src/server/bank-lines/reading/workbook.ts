import { Readable } from "node:stream";
import ExcelJS from "exceljs";
import type { Cell, Row } from "./cells.ts";
import { limits } from "./limits.ts";
import { UnreadableFile } from "./unreadable.ts";
import type { Archive } from "./zip-directory.ts";
import { archiveOf, openArchive } from "./zip-directory.ts";

export interface Sheet {
  readonly name: string;
  readonly rows: readonly Row[];
}

/** The parts that hold cells, in the order in which the reader needs them; pictures, macros, links and all else are never unpacked. */
const needed = ["xl/workbook.xml", "xl/_rels/workbook.xml.rels", "xl/styles.xml", "xl/sharedStrings.xml"];
const sheetPart = /^xl\/worksheets\/([^/]+)\.xml$/;

/**
 * The cells of a workbook's sheets. A formula is the value it had when the file was saved, never worked out; a date is what its cell is
 * formatted as, by the workbook's own calendar.
 */
export async function readWorkbook(bytes: Uint8Array): Promise<Sheet[]> {
  const archive = openArchive(bytes);
  requireWorkbook(archive.names);
  const packed = Readable.from([archiveOf(partsOf(archive))]);
  const reader = new ExcelJS.stream.xlsx.WorkbookReader(packed, {
    worksheets: "emit",
    sharedStrings: "cache",
    styles: "cache",
    hyperlinks: "ignore",
  });
  const sheets: Sheet[] = [];
  try {
    for await (const sheet of reader) {
      const rows: Row[] = [];
      for await (const row of sheet) {
        const cells = cellsOf(row, is1904(reader));
        if (cells.length === 0) continue;
        if (rows.length >= limits.rows) throw new UnreadableFile(`This file has more than ${limits.rows} lines. Split it`);
        // each row has a number of its own, whatever the file says
        const least = (rows.at(-1)?.n ?? 0) + 1;
        rows.push({ n: row.number >= least && row.number < 10_000_000 ? row.number : least, cells });
      }
      // the reader's types leave the name out
      const { name } = sheet as unknown as { readonly name?: string };
      sheets.push({ name: name ?? `${sheets.length + 1}`, rows });
    }
  } catch (error) {
    throw error instanceof UnreadableFile ? error : new UnreadableFile("This workbook is damaged");
  }
  if (sheets.length === 0) throw new UnreadableFile("No table was found in this file");
  return sheets;
}

function requireWorkbook(names: readonly string[]): void {
  if (names.includes("xl/workbook.xml")) return;
  const isBinary = names.includes("xl/workbook.bin");
  const isOpenDocument = names.includes("content.xml");
  throw new UnreadableFile(
    isBinary || isOpenDocument ? "This kind of workbook cannot be read. Save it as .xlsx or CSV" : "This is ZIP, not a table",
  );
}

function partsOf(archive: Archive): (readonly [string, Buffer])[] {
  const sheets = archive.names
    .filter((name) => sheetPart.test(name))
    .toSorted((a, b) => a.localeCompare(b, "en", { numeric: true }))
    .slice(0, limits.sheets);
  return [...needed.filter((name) => archive.names.includes(name)), ...sheets].map((name, at) => {
    const content = archive.read(name);
    // entities are what makes a small XML a large one
    if (content.subarray(0, 4096).includes("<!DOCTYPE")) throw new UnreadableFile("This workbook is damaged");
    // the reader knows sheets by number only
    const known = sheetPart.test(name) && !/\/sheet\d+\.xml$/.test(name) ? `xl/worksheets/sheet${1000 + at}.xml` : name;
    return [known, content] as const;
  });
}

/** Whether days are counted from 1904, as old Macintosh workbooks do. */
function is1904(reader: object): boolean {
  const { properties } = reader as { readonly properties?: { readonly model?: { readonly date1904?: boolean } } }; // left out of its types
  return properties?.model?.date1904 === true;
}

function cellsOf(row: ExcelJS.Row, from1904: boolean): Cell[] {
  const cells: Cell[] = [];
  let filled = 0;
  row.eachCell({ includeEmpty: false }, (cell, column) => {
    if (column > limits.columns) throw new UnreadableFile(`This table has more than ${limits.columns} columns`);
    const read = cellOf(cell, from1904);
    if (read === "") return;
    while (cells.length < column - 1) cells.push("");
    cells.push(read);
    filled++;
  });
  return filled === 0 ? [] : cells;
}

function cellOf(cell: ExcelJS.Cell, from1904: boolean): Cell {
  const { value } = cell;
  return valueOf(value, isDateFormat(cell.numFmt), from1904);
}

function valueOf(value: ExcelJS.CellValue | undefined, isDate: boolean, from1904: boolean): Cell {
  if (value === null || value === undefined) return "";
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return value ? "TRUE" : "FALSE";
  if (typeof value === "number") {
    if (!Number.isFinite(value)) return "";
    return isDate ? { date: dayText((value - 25_569 + (from1904 ? 1462 : 0)) * 86_400_000) } : { number: numberText(value) };
  }
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? "" : { date: dayText(value.getTime()) };
  if ("richText" in value) return value.richText.map(({ text }) => text ?? "").join("");
  if ("error" in value) return String(value.error);
  if ("hyperlink" in value) return String(value.text);
  // of a shared formula the reader keeps the result alone
  return valueOf("result" in value ? value.result : undefined, isDate, from1904);
}

/** To the second, because a time of day is a fraction of one. */
function dayText(ms: number): string {
  const rounded = new Date(Math.round(ms / 1000) * 1000);
  return Number.isNaN(rounded.getTime()) ? "" : rounded.toISOString().slice(0, 19);
}

/** As a workbook shows it, which keeps fifteen digits: 0.1 + 0.2 is 0.3. */
function numberText(value: number): string {
  const text = String(Number(value.toPrecision(15)));
  return text.includes("e") ? value.toLocaleString("en-US", { useGrouping: false, maximumFractionDigits: 20 }) : text;
}

/** Whether a number format shows a day, a month or a year, its quoted words and colours left out. */
function isDateFormat(format: string | undefined): boolean {
  const bare = (format ?? "").replace(/"[^"]*"|\[[^\]]*\]|[\\_*]./g, "").toLowerCase();
  return /[dy]|m.*[h:]|[h:].*m/.test(bare) && !/general/.test(bare);
}
