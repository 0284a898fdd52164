import ExcelJS from "exceljs";

/** A file of rows as a reader of another make finds it. */
export interface ReadFile {
  readonly sheets: readonly ExcelJS.Worksheet[];
  /** Titles of the first sheet's columns. */
  readonly titles: readonly string[];
  /** Values by title of each row of all sheets but the last. */
  readonly rows: readonly Readonly<Record<string, ExcelJS.CellValue>>[];
  /** Label and value of each line of the last sheet. */
  readonly about: Readonly<Record<string, string>>;
}

/** The text a cell shows: exceljs leaves the format's escapes of characters (ST_Xstring) in texts of cells as they are. */
export const plainText = (value: ExcelJS.CellValue): ExcelJS.CellValue =>
  typeof value === "string"
    ? value.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : value;

export async function readFile(bytes: Uint8Array): Promise<ReadFile> {
  const book = new ExcelJS.Workbook();
  await book.xlsx.load(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer); // of a file of its own
  const sheets = book.worksheets;
  const [head, last] = [sheets[0], sheets.at(-1)];
  if (head === undefined || last === undefined || sheets.length < 2) throw new Error("rows and what is said of them are expected");
  const titles = (head.getRow(1).values as string[]).slice(1); // the first is of no column
  const rows = sheets
    .slice(0, -1)
    .flatMap((sheet) =>
      Array.from({ length: sheet.rowCount - 1 }, (_, row) =>
        Object.fromEntries(titles.map((title, at) => [title, plainText(sheet.getRow(row + 2).getCell(at + 1).value)])),
      ),
    );
  const about = Array.from({ length: last.rowCount }, (_, row) =>
    [1, 2].map((at) => String(plainText(last.getRow(row + 1).getCell(at).value))),
  );
  return { sheets, titles, rows, about: Object.fromEntries(about) as Record<string, string> }; // pairs
}
