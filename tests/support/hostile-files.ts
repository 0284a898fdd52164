import { deflateRawSync, crc32 } from "node:zlib";

/** A part of an archive; `unpacked` and `crc` lie where they are given. */
interface Part {
  readonly name: string;
  readonly content: Uint8Array;
  readonly isStored?: true;
  readonly unpacked?: number;
  readonly flags?: number;
  readonly at?: number;
}

/** A ZIP archive as given, also one no program would write. */
export function zipOf(parts: readonly Part[]): Buffer {
  const local: Buffer[] = [];
  const directory: Buffer[] = [];
  let place = 0;
  for (const { name, content, isStored, unpacked = content.length, flags = 0, at } of parts) {
    const title = Buffer.from(name);
    const data = isStored ? Buffer.from(content) : deflateRawSync(content);
    const facts = Buffer.alloc(26);
    facts.writeUInt16LE(20, 0);
    facts.writeUInt16LE(flags, 2);
    facts.writeUInt16LE(isStored ? 0 : 8, 4);
    facts.writeUInt32LE(crc32(content), 10);
    facts.writeUInt32LE(data.length, 14);
    facts.writeUInt32LE(unpacked, 18);
    facts.writeUInt16LE(title.length, 22);
    const where = Buffer.alloc(14);
    where.writeUInt32LE(at ?? place, 10);
    local.push(Buffer.from([0x50, 0x4b, 3, 4]), facts, title, data);
    directory.push(Buffer.from([0x50, 0x4b, 1, 2, 20, 0]), facts, where, title);
    place += 30 + title.length + data.length;
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(parts.length, 8);
  end.writeUInt16LE(parts.length, 10);
  end.writeUInt32LE(
    directory.reduce((sum, part) => sum + part.length, 0),
    12,
  );
  end.writeUInt32LE(place, 16);
  return Buffer.concat([...local, ...directory, end]);
}

const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/** The parts of a workbook with one sheet, whose rows are given as XML. */
export function workbookParts(rows: string, more: { readonly head?: string; readonly strings?: string } = {}): Part[] {
  const part = (name: string, text: string): Part => ({ name, content: Buffer.from(text) });
  return [
    part("[Content_Types].xml", `${xml}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`),
    part(
      "xl/workbook.xml",
      `${xml}${more.head ?? ""}<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="March" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    ),
    part(
      "xl/_rels/workbook.xml.rels",
      `${xml}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    ),
    part("xl/sharedStrings.xml", `${xml}<sst xmlns="${main}">${more.strings ?? ""}</sst>`),
    part("xl/worksheets/sheet1.xml", `${xml}<worksheet xmlns="${main}"><sheetData>${rows}</sheetData></worksheet>`),
  ];
}

/** A row of texts, as a workbook without shared strings holds it. */
export const sheetRow = (n: number, ...cells: readonly string[]): string =>
  `<row r="${n}">${cells.map((cell, at) => `<c r="${String.fromCodePoint(65 + at)}${n}" t="inlineStr"><is><t>${cell}</t></is></c>`).join("")}</row>`;

const headers = sheetRow(1, "Date", "Details", "Credit");
const lines = `${headers}${sheetRow(2, "15/03/2026", "a", "1.00")}`;
const table = "Date,Details,Credit\n15/03/2026,a,1.00\n";
const zeros = (megabytes: number) => Buffer.alloc(megabytes * 1024 * 1024, 32);
const utf16 = (text: string) => Buffer.from(text, "utf16le");
const oldHead = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);
const pixel = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "base64");

/** A file made to harm, and the line it is refused with; null: it is read, and what it holds is inert. */
export interface HostileFile {
  readonly what: string;
  readonly name: string;
  readonly make: () => Buffer;
  readonly refused: string | null;
  /** What becomes of its rows, where it is read. */
  readonly rows?: readonly string[];
}

const damaged = "This workbook is damaged";
const tooMuch = "This workbook unpacks to more than can be read";

/** Made here, because none of them belongs into a repository. */
export const hostileFiles: readonly HostileFile[] = [
  {
    what: "a workbook whose sheet is a hundred megabytes of blanks",
    name: "statement.xlsx",
    make: () => zipOf([...workbookParts(lines), { name: "xl/worksheets/sheet2.xml", content: zeros(100) }]),
    refused: tooMuch,
  },
  {
    what: "a workbook that says its sheet is small and unpacks to a hundred megabytes",
    name: "statement.xlsx",
    make: () => zipOf([...workbookParts(lines).slice(0, 4), { name: "xl/worksheets/sheet1.xml", content: zeros(100), unpacked: 4_000 }]),
    refused: damaged,
  },
  {
    what: "a workbook of ten thousand parts",
    name: "statement.xlsx",
    make: () =>
      zipOf([...workbookParts(lines), ...Array.from({ length: 10_000 }, (_, n) => ({ name: `xl/media/${n}`, content: Buffer.alloc(0) }))]),
    refused: tooMuch,
  },
  {
    what: "a workbook whose parts all lie in one place",
    name: "statement.xlsx",
    make: () => zipOf(workbookParts(lines).map((part) => ({ ...part, at: 0 }))),
    refused: damaged,
  },
  {
    what: "a workbook with a billion laughs",
    name: "statement.xlsx",
    make: () => zipOf(workbookParts(lines, { head: '<!DOCTYPE w [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>' })),
    refused: damaged,
  },
  {
    what: "a workbook protected with a password",
    name: "statement.xlsx",
    make: () => Buffer.concat([oldHead, Buffer.alloc(600), utf16("EncryptedPackage"), Buffer.alloc(400)]),
    refused: "This file is protected with a password",
  },
  {
    what: "a workbook whose parts are encrypted one by one",
    name: "statement.xlsx",
    make: () => zipOf(workbookParts(lines).map((part) => ({ ...part, flags: 1 }))),
    refused: "This file is protected with a password",
  },
  {
    what: "an old workbook",
    name: "statement.xlsx",
    make: () => Buffer.concat([oldHead, Buffer.alloc(1024)]),
    refused: "This is an old Excel file (.xls). Save it as .xlsx or CSV",
  },
  {
    what: "a cell of ten megabytes",
    name: "statement.csv",
    make: () => Buffer.from(`${table}16/03/2026,${"x".repeat(10 * 1024 * 1024)},2.00\n17/03/2026,b,3.00\n`),
    refused: null,
    rows: ["read 1.00 a", "cell-too-long", "read 3.00 b"],
  },
  {
    what: "a quotation mark that is never closed",
    name: "statement.csv",
    make: () => Buffer.from(`${table}16/03/2026,"b,2.00\n17/03/2026,c,3.00\n`),
    refused: null,
    rows: ["read 1.00 a", 'read 2.00 "b', "read 3.00 c"],
  },
  {
    what: "formulas in a text",
    name: "statement.csv",
    make: () => Buffer.from(`${table}16/03/2026,"=cmd|'/c calc'!A1",2.00\n17/03/2026,"@SUM(1+1)*cmd|' /C calc'!A0",3.00\n`),
    refused: null,
    rows: ["read 1.00 a", "read 2.00 =cmd|'/c calc'!A1", "read 3.00 @SUM(1+1)*cmd|' /C calc'!A0"],
  },
  {
    what: "a formula in a workbook that would fetch from elsewhere",
    name: "statement.xlsx",
    make: () =>
      zipOf(
        workbookParts(
          `${lines}<row r="3"><c r="A3" t="inlineStr"><is><t>16/03/2026</t></is></c><c r="B3" t="str"><f>WEBSERVICE("http://127.0.0.1/")</f><v>b</v></c><c r="C3"><f>1/0</f><v>2</v></c></row>`,
        ),
      ),
    refused: null,
    rows: ["read 1.00 a", "read 2.00 b"],
  },
  {
    what: "a web page named .csv",
    name: "statement.csv",
    make: () => Buffer.from(`<html><body><table><tr><td>${table}</td></tr></table></body></html>`),
    refused: "This is a web page, not a table",
  },
  {
    what: "a picture in SVG with a script, named .csv",
    name: "statement.csv",
    make: () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
    refused: "This is XML, not a table",
  },
  {
    what: "a PDF that is a script as well",
    name: "statement.csv",
    make: () => Buffer.from("//%PDF-1.4\nalert(1)/*\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF*/\n"),
    refused: "This is PDF, not a table",
  },
  { what: "a picture named .csv", name: "statement.csv", make: () => pixel, refused: "This is PNG, not a table" },
  {
    what: "a table with an archive behind it",
    name: "statement.csv",
    make: () => Buffer.concat([Buffer.from(table), zipOf(workbookParts(lines))]),
    refused: "This is no text that can be read",
  },
  {
    what: "a table with NULs in it",
    name: "statement.csv",
    make: () => Buffer.from(`${table}16/03/2026,b\0c,2.00\n`),
    refused: "This is no text that can be read",
  },
  {
    what: "a table in half of UTF-16",
    name: "statement.csv",
    make: () => Buffer.concat([Buffer.from([0xff, 0xfe]), utf16(table), Buffer.from([0x00, 0xd8, 0x31])]),
    refused: "This is no text in utf-16le",
  },
  {
    what: "text that turns the direction of writing, and controls the terminal",
    name: "statement.xlsx",
    make: () => zipOf(workbookParts(`${lines}${sheetRow(3, "16/03/2026", "\u202eevil\u2066 \u200bname\u009b", "2.00")}`)),
    refused: null,
    rows: ["read 1.00 a", "read 2.00 evil name"],
  },
  {
    what: "a row numbered beyond every sheet, and one cell in the last column",
    name: "statement.xlsx",
    make: () => zipOf(workbookParts(`${lines}<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>`)),
    refused: "This table has more than 100 columns",
  },
  {
    what: "a hundred thousand lines and one more",
    name: "statement.csv",
    make: () => Buffer.from(`Date,Details,Credit\n${"15/03/2026,a,1.00\n".repeat(100_001)}`),
    refused: "This file has more than 100000 lines. Split it",
  },
  {
    what: "a thousand columns",
    name: "statement.csv",
    make: () => Buffer.from(`${table}${",".repeat(1_000)}\n`),
    refused: "This table has more than 100 columns",
  },
  { what: "a workbook cut in half", name: "statement.xlsx", make: () => zipOf(workbookParts(lines)).subarray(0, 600), refused: damaged },
  {
    what: "an archive that is no workbook",
    name: "statement.xlsx",
    make: () => zipOf([{ name: "a.txt", content: Buffer.from("a") }]),
    refused: "This is ZIP, not a table",
  },
];
