import { parse } from "csv-parse/sync";
import type { Delimiter } from "../../../contract/bank-layouts.ts";
import type { Row } from "./cells.ts";
import { headerScore } from "./headers.ts";
import { limits } from "./limits.ts";
import { UnreadableFile } from "./unreadable.ts";

const signs: Readonly<Record<Exclude<Delimiter, "blanks">, string>> = { comma: ",", semicolon: ";", tab: "\t", bar: "|" };
const isSigned = (delimiter: Delimiter): delimiter is Exclude<Delimiter, "blanks"> => delimiter !== "blanks";

/** Lines, and characters of each, looked at to tell what parts the cells. */
const sampled = 60;
const longestSample = 2_000;

/** The rows of a text, its lines ended by line feeds alone, whose cells are parted by a sign, or by two or more blanks. */
export function rowsOf(text: string, delimiter: Delimiter): Row[] {
  if (!isSigned(delimiter)) return blankRows(text);
  return quotedRows(text, signs[delimiter]) ?? plainRows(text, (line) => line.split(signs[delimiter]).map(unquoted));
}

/** What parts the cells: the sign by which most headers are known, else the one most lines hold equally often. */
export function delimiterOf(text: string): Delimiter {
  const head = text.split("\n", sampled * 4).filter((line) => line.trim() !== "");
  const part = head
    .slice(0, sampled)
    .map((line) => line.slice(0, longestSample))
    .join("\n");
  const judged = (["tab", "semicolon", "comma", "bar", "blanks"] as const).map((delimiter) => {
    const rows = rowsOf(part, delimiter);
    const headers = Math.max(0, ...rows.map(({ cells }) => headerScore(cells)));
    const widths = rows.map(({ cells }) => cells.length);
    const usual = Math.max(0, ...widths.map((width) => (width > 1 ? widths.filter((one) => one === width).length : 0)));
    return { delimiter, headers, usual };
  });
  const [best] = judged.toSorted((a, b) => b.headers - a.headers || b.usual - a.usual);
  return best?.delimiter ?? "comma";
}

interface Parsed {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

/** By the rules of CSV; null when its quotation marks do not pair up. */
function quotedRows(text: string, sign: string): Row[] | null {
  let parsed: readonly Parsed[];
  try {
    parsed = parse(text, {
      delimiter: sign,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      info: true,
      to: limits.rows + 1,
      record_delimiter: "\n",
    }) as unknown as readonly Parsed[]; // by `info`
  } catch {
    return null;
  }
  requireRows(parsed.length);
  let last = 0;
  return parsed.map(({ record, info: { lines } }) => {
    const n = Math.max(last + 1, lines - record.reduce((sum, cell) => sum + breaksIn(cell), 0));
    last = lines;
    const joined = joinedLines(record, sign);
    return { n, cells: record, ...(joined > 1 && { joined }) };
  });
}

const breaksIn = (cell: string): number => cell.match(/\n/g)?.length ?? 0;

/** How many lines stand in one cell that are rows themselves, because a quotation mark was opened and not closed. */
function joinedLines(record: readonly string[], sign: string): number {
  const lines = record.filter((cell) => breaksIn(cell) > 0).flatMap((cell) => cell.split("\n").slice(1));
  const rows = lines.filter((line) => line.split(sign).length >= Math.max(3, record.length - 1));
  return rows.length === 0 ? 0 : lines.length + 1;
}

function plainRows(text: string, cellsOf: (line: string) => string[]): Row[] {
  const rows: Row[] = [];
  let n = 0;
  for (const line of text.split("\n")) {
    n++;
    if (line.trim() === "") continue;
    requireRows(rows.length);
    rows.push({ n, cells: cellsOf(line) });
  }
  return rows;
}

/** A table copied from a page that parts its columns by blanks. */
const blankRows = (text: string): Row[] => plainRows(text, (line) => line.trim().split(/\s{2,}/));

const unquoted = (cell: string): string => /^\s*"(.*)"\s*$/s.exec(cell)?.[1]?.replaceAll('""', '"') ?? cell;

function requireRows(count: number): void {
  if (count > limits.rows) throw new UnreadableFile(`This file has more than ${limits.rows} lines. Split it`);
}
