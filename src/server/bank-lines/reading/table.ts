import type { Delimiter, FileEncoding } from "../../../contract/bank-layouts.ts";
import type { Row } from "./cells.ts";
import { delimiterOf, rowsOf } from "./delimited.ts";
import { decodeAs, decodeUnknown } from "./encodings.ts";
import { headerScore } from "./headers.ts";
import { kindOfFile } from "./kind-of-file.ts";
import { limits } from "./limits.ts";
import { UnreadableFile } from "./unreadable.ts";

/** The rows of a file, as yet without meaning. */
export interface Table {
  /** Null: it is a workbook. */
  readonly encoding: FileEncoding | null;
  readonly isEncodingUnsure: boolean;
  readonly delimiter: Delimiter | null;
  /** Null: it is a text. */
  readonly sheet: number | null;
  readonly sheets: readonly string[];
  readonly rows: readonly Row[];
}

/** What a person has said of how the file is written. */
export interface GivenForm {
  readonly encoding: FileEncoding | null;
  readonly delimiter: Delimiter | null;
  readonly sheet: number | null;
}

/** How many rows are looked at for the headers. */
export const headRows = 80;

/** The table in a file; throws an UnreadableFile where there is none. */
export async function tableOf(bytes: Uint8Array, given: GivenForm): Promise<Table> {
  const table = (await kindOfFile(bytes)) === "workbook" ? await ofWorkbook(bytes, given) : ofText(bytes, given);
  if (table.rows.length === 0) throw new UnreadableFile("No table was found in this file");
  if (table.rows.some(({ cells }) => cells.length > limits.columns))
    throw new UnreadableFile(`This table has more than ${limits.columns} columns`);
  if (!table.rows.some(({ cells }) => cells.length > 1)) throw new UnreadableFile("No table was found in this file");
  return table;
}

function ofText(bytes: Uint8Array, given: GivenForm): Table {
  const decoded = given.encoding === null ? decodeUnknown(bytes) : decodeAs(bytes, given.encoding);
  const text = decoded.text.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n");
  // a spreadsheet's own note of what parts its cells
  const noted = /^sep=(.)\n/i.exec(text);
  const delimiter = given.delimiter ?? delimiterOf(noted ? text.slice(noted[0].length) : text);
  return {
    encoding: decoded.encoding,
    isEncodingUnsure: decoded.isUnsure,
    delimiter,
    sheet: null,
    sheets: [],
    rows: rowsOf(text, delimiter),
  };
}

async function ofWorkbook(bytes: Uint8Array, given: GivenForm): Promise<Table> {
  // loaded only here, because it takes longer to load than most texts to read
  const { readWorkbook } = await import("./workbook.ts");
  const sheets = await readWorkbook(bytes);
  const scores = sheets.map(
    ({ rows }) => Math.max(0, ...rows.slice(0, headRows).map(({ cells }) => headerScore(cells))) * 1e6 + rows.length,
  );
  const best = scores.indexOf(Math.max(...scores));
  const sheet = given.sheet !== null && given.sheet < sheets.length ? given.sheet : best;
  return {
    encoding: null,
    isEncodingUnsure: false,
    delimiter: null,
    sheet,
    sheets: sheets.map(({ name }) => name),
    rows: sheets[sheet]?.rows ?? [],
  };
}
