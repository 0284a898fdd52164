import { cell, escaped, headCell, part, stylesXml } from "./cells.ts";
import type { CellKind } from "./cells.ts";
import { zip } from "./zip.ts";
import type { Packer, Part } from "./zip.ts";

/** Rows of a sheet beneath its head. */
export const mostInSheet = 1_048_575;
/** px of a digit in the format's default font, because widths are counted in digits. */
const digit = 7;

/** Rows written before a piece is looked at, and characters of a piece: few enough to leave memory quickly. */
const rowsAtOnce = 50;
const pieceLength = 64 * 1024;
/** A part of the archive has at most 4 GiB, and a character at most three bytes. */
const mostCharacters = 1_400_000_000;

export interface WorkbookColumn {
  readonly title: string;
  readonly kind: CellKind;
  /** px */
  readonly width: number;
}

/** Cells by column; null: empty. */
export type WorkbookRow = readonly (string | null)[];

export interface Workbook {
  /** Title of the rows' sheet; where they need several, those after the first are numbered. */
  readonly title: string;
  readonly columns: readonly WorkbookColumn[];
  /** Minutes east of UTC in which times are written. */
  readonly zone: number;
  /** Decimals of amounts. */
  readonly decimals: number;
  readonly rightToLeft: boolean;
  /** What is said of the rows on a sheet of its own; `lines` is asked when all are written. */
  readonly about: { readonly title: string; lines(count: number): readonly (readonly [label: string, value: string])[] };
}

export type WorkbookRows = AsyncIterable<readonly WorkbookRow[]> | Iterable<readonly WorkbookRow[]>;

/** Sheets that so many rows need. */
export const sheetsFor = (count: number, most = mostInSheet): number => Math.max(1, Math.ceil(count / most));

/** An .xlsx file of the rows, which come in batches and are written as they come: what is held of it is a piece. */
export function writeWorkbook(
  book: Workbook,
  rows: WorkbookRows,
  packer: Packer,
  most = mostInSheet,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  return zip(partsOf(book, rows, most), packer);
}

/** What lists the sheets comes last, because how many there are is not known before. */
async function* partsOf(book: Workbook, rows: WorkbookRows, most: number): AsyncGenerator<Part> {
  yield { name: "_rels/.rels", texts: [relations([["officeDocument", "xl/workbook.xml"]])] };
  yield { name: "xl/styles.xml", texts: [stylesXml(book.decimals)] };
  const source = rowSource(rows);
  const counts: number[] = [];
  do {
    const sheet = rowSheet(book, source, most);
    yield { name: `xl/worksheets/sheet${counts.length + 1}.xml`, texts: sheet.texts() };
    counts.push(sheet.count());
  } while (await source.hasMore());
  const about = book.about.lines(counts.reduce((sum, count) => sum + count, 0));
  yield { name: `xl/worksheets/sheet${counts.length + 1}.xml`, texts: [aboutSheet(book, about)] };
  const names = sheetNames(book.title, counts.length, book.about.title);
  yield { name: "xl/workbook.xml", texts: [workbookXml(book, names, counts)] };
  yield { name: "xl/_rels/workbook.xml.rels", texts: [relations([...names.map((_, at) => sheetRelation(at)), ["styles", "styles.xml"]])] };
  yield { name: "[Content_Types].xml", texts: [contentTypes(names)] };
}

interface RowSource {
  /** At most so many of the rows that have come; empty: none is left. */
  take(most: number): Promise<readonly WorkbookRow[]>;
  hasMore(): Promise<boolean>;
}

function rowSource(rows: WorkbookRows): RowSource {
  const batches = (async function* () {
    yield* rows;
  })();
  let held: readonly WorkbookRow[] = [];
  let ended = false;
  const fill = async () => {
    while (held.length === 0 && !ended) {
      const { done, value } = await batches.next();
      if (done === true) ended = true;
      else held = value;
    }
    return held.length > 0;
  };
  return {
    async take(most) {
      await fill();
      const some = held.slice(0, most);
      held = held.slice(some.length);
      return some;
    },
    hasMore: fill,
  };
}

/** "A", "B" … "AA": the format's names of columns. */
export function letters(column: number): string {
  const last = String.fromCharCode(65 + (column % 26));
  return column < 26 ? last : letters(Math.floor(column / 26) - 1) + last;
}

/** One sheet: of at most `most` rows, and no more than one part of the archive can hold. */
function rowSheet({ columns, zone, rightToLeft }: Workbook, source: RowSource, most: number) {
  let count = 0;
  async function* texts(): AsyncGenerator<string> {
    const shown = columns.map(({ kind }, at) => ({ kind, letter: letters(at) }));
    const widths = columns.map(({ width, title }) => Math.max(width / digit, title.length + 2));
    const pane = '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>';
    const [opening = "", closing = ""] = part("worksheet", "|").split("|");
    const head = columns.map(({ title }, at) => headCell(`${letters(at)}1`, title)).join("");
    yield `${opening}${viewXml(rightToLeft, pane)}${widthsXml(widths)}<sheetData><row r="1">${head}</row>`;
    let length = 0;
    let text = "";
    while (count < most && length < mostCharacters) {
      const batch = await source.take(Math.min(rowsAtOnce, most - count));
      if (batch.length === 0) break;
      for (const row of batch) {
        count += 1;
        text += `<row r="${count + 1}">`;
        for (const [at, { kind, letter }] of shown.entries()) {
          const value = row[at];
          if (value != null && value !== "") text += cell(letter + (count + 1), kind, value, zone);
        }
        text += "</row>";
      }
      if (text.length < pieceLength) continue;
      length += text.length;
      yield text;
      text = "";
    }
    yield `${text}</sheetData><autoFilter ref="${rangeOf(columns.length, count)}"/>${closing}`;
  }
  return { texts, count: () => count };
}

const viewXml = (rightToLeft: boolean, pane = ""): string =>
  `<sheetViews><sheetView workbookViewId="0"${rightToLeft ? ' rightToLeft="1"' : ""}>${pane}</sheetView></sheetViews>`;

const widthsXml = (widths: readonly number[]): string =>
  `<cols>${widths.map((width, at) => `<col min="${at + 1}" max="${at + 1}" width="${width.toFixed(2)}" customWidth="1"/>`).join("")}</cols>`;

const rangeOf = (columns: number, rows: number, fixed = ""): string =>
  `${fixed}A${fixed}1:${fixed}${letters(columns - 1)}${fixed}${rows + 1}`;

function aboutSheet({ rightToLeft }: Workbook, said: readonly (readonly [label: string, value: string])[]): string {
  const lines = said.map(
    ([label, value], at) => `<row r="${at + 1}">${headCell(`A${at + 1}`, label)}${cell(`B${at + 1}`, "text", value, 0)}</row>`,
  );
  return part("worksheet", `${viewXml(rightToLeft)}${widthsXml([24, 80])}<sheetData>${lines.join("")}</sheetData>`);
}

/** What no sheet's name may have, and how long it may be. */
const forbidden = /[\\/?*[\]:]/g;
const longest = 31;

function sheetNames(title: string, sheets: number, about: string): readonly string[] {
  const name = (text: string, end = "") =>
    `${
      text
        .replace(forbidden, " ")
        .trim()
        .replace(/^'+/, "")
        .slice(0, longest - end.length) || "-"
    }${end}`;
  const ofRows = Array.from({ length: sheets }, (_, at) => name(title, at === 0 ? "" : ` ${at + 1}`));
  const ofAbout = name(about);
  return [...ofRows, ofRows.some((one) => one.toLowerCase() === ofAbout.toLowerCase()) ? name(about, " i") : ofAbout];
}

function workbookXml({ columns }: Workbook, names: readonly string[], counts: readonly number[]): string {
  const sheets = names.map((name, at) => `<sheet name="${escaped(name)}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`);
  const filters = counts.map((count, at) => {
    const range = `'${(names[at] ?? "").replaceAll("'", "''")}'!${rangeOf(columns.length, count, "$")}`;
    return `<definedName name="_xlnm._FilterDatabase" localSheetId="${at}" hidden="1">${escaped(range)}</definedName>`;
  });
  return part("workbook", `<sheets>${sheets.join("")}</sheets><definedNames>${filters.join("")}</definedNames>`);
}

type Relation = readonly [type: string, target: string];
const sheetRelation = (at: number): Relation => ["worksheet", `worksheets/sheet${at + 1}.xml`];

function relations(all: readonly Relation[]): string {
  const type = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
  const each = all.map(([name, target], at) => `<Relationship Id="rId${at + 1}" Type="${type}/${name}" Target="${target}"/>`);
  return `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${each.join("")}</Relationships>`;
}

function contentTypes(names: readonly string[]): string {
  const own = "application/vnd.openxmlformats-officedocument.spreadsheetml";
  const overrides = [
    ["/xl/workbook.xml", `${own}.sheet.main+xml`],
    ["/xl/styles.xml", `${own}.styles+xml`],
    ...names.map((_, at) => [`/xl/worksheets/sheet${at + 1}.xml`, `${own}.worksheet+xml`]),
  ].map(([name, type]) => `<Override PartName="${name}" ContentType="${type}"/>`);
  return (
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">' +
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
    `<Default Extension="xml" ContentType="application/xml"/>${overrides.join("")}</Types>`
  );
}
