import type { BankLayout, LayoutQuestion } from "../../../contract/bank-layouts.ts";
import { numberLines } from "../statement-line.ts";
import { cellText } from "./cells.ts";
import type { AccountFacts, RememberedLayout } from "./layout.ts";
import { headersText, layoutOf } from "./layout.ts";
import type { Entry, ReadLine } from "./lines.ts";
import { linesOf, plain } from "./lines.ts";
import { tableOf } from "./table.ts";

/** A file and what is known of it. */
export interface StatementFile {
  readonly bytes: Uint8Array;
  readonly facts: AccountFacts;
  /** How somebody said it is to be read; null: it is to be told from the file. */
  readonly given: BankLayout | null;
  readonly remembered: readonly RememberedLayout[];
}

/** A row as it is staged; `seq` is its place from the oldest, `digest` and `twin` what makes it known. */
export type StagedEntry = Entry & { readonly seq: number; readonly digest?: string; readonly twin?: number };

export interface Statement {
  readonly layout: BankLayout;
  readonly questions: readonly LayoutQuestion[];
  readonly isRemembered: boolean;
  /** By which the layout is remembered; null without headers. */
  readonly headers: string | null;
  readonly sheets: readonly string[];
  /** The first rows as they stand in the file. */
  readonly head: readonly { readonly n: number; readonly cells: readonly string[] }[];
  readonly entries: readonly StagedEntry[];
}

/** Rows of the file a preview shows as they are, and how much of each cell. */
const shown = { rows: 20, characters: 120 };

/** Reads a bank's file: its table, its layout, and each of its rows. Throws an UnreadableFile when it is none. */
export async function readStatement({ bytes, facts, given, remembered }: StatementFile): Promise<Statement> {
  const table = await tableOf(bytes, given ?? { encoding: null, delimiter: null, sheet: null });
  const { layout, dates, questions, isRemembered } = layoutOf(
    { ...table, isEncodingUnsure: table.isEncodingUnsure && given?.encoding == null },
    facts,
    given,
    remembered,
  );
  const entries = questions.includes("columns") ? [] : linesOf(table.rows, layout, dates, facts);
  const headerRow = table.rows.find(({ n }) => n === layout.header);
  const first = headerRow ? Math.max(0, table.rows.indexOf(headerRow) - 3) : 0;
  return {
    layout,
    questions,
    isRemembered,
    headers: headerRow ? headersText(headerRow.cells) : null,
    sheets: table.sheets,
    head: table.rows.slice(first, first + shown.rows).map(({ n, cells }) => ({
      n,
      cells: cells.map((cell) => plain(cellText(cell).slice(0, shown.characters))),
    })),
    entries: staged(entries),
  };
}

/** Numbers the rows from the oldest, so that lines are added in the order in which they were booked, and equal ones keep their number. */
function staged(entries: readonly Entry[]): StagedEntry[] {
  const oldestFirst = isNewestFirst(entries) ? entries.toReversed() : [...entries];
  const twins = new Map<string, number>();
  const numbered = oldestFirst.map((entry, at): StagedEntry => {
    if (entry.state !== "read") return { ...entry, seq: at + 1 };
    const [one] = numberLines([{ ...entry.line, time: new Date(entry.line.time) }], twins);
    return { ...entry, seq: at + 1, ...(one && { digest: one.digest.toString("base64"), twin: one.twin }) };
  });
  return numbered;
}

/** Whether the file begins with its newest line: by the times, and where these are all the same by the running balance. */
function isNewestFirst(entries: readonly Entry[]): boolean {
  const lines = entries.flatMap((entry) => (entry.state === "read" ? [entry.line] : []));
  let [up, down] = [0, 0];
  for (const [at, { time }] of lines.entries()) {
    const before = lines[at - 1];
    if (before && before.time < time) up++;
    if (before && before.time > time) down++;
  }
  if (up !== down) return down > up;
  return lines.length > 1 && follows(lines.toReversed()) > follows(lines);
}

const cents = (text: string): bigint => BigInt(text.replace(/(\.\d*)?$/, (part) => part.slice(1).padEnd(4, "0")));

/** How many balances are the one before with their line's amount. */
function follows(lines: readonly ReadLine[]): number {
  return lines.filter(({ balance, amount, direction }, at) => {
    const before = lines[at - 1]?.balance;
    if (before == null || balance === null) return false;
    return cents(balance) - cents(before) === (direction === "credit" ? cents(amount) : -cents(amount));
  }).length;
}
