import type { Copied } from "../commands/grid-handle.ts";
import type { GridColumn } from "./grid-column.ts";
import { sheetText } from "./sheet-text.ts";

/** Cells copied at most: past that an export serves better. */
const mostCopied = 500_000;

/** Writes cells to the clipboard as tab-separated values; `titleOf` puts the columns' titles above them. */
export async function copyCells<Row>(
  rows: readonly Row[],
  columns: readonly GridColumn<Row>[],
  titleOf: ((column: GridColumn<Row>) => string) | null,
): Promise<Copied> {
  if (rows.length * columns.length > mostCopied) return "too-much";
  const lines = rows.map((row) => columns.map((column) => column.text(row)));
  if (lines.every((line) => line.every((cell) => cell === ""))) return "nothing";
  const heads = titleOf === null ? [] : [columns.map(titleOf)];
  // one cell goes as it stands: it is pasted into a search or a chat more often than into a sheet
  const single = titleOf === null && rows.length === 1 && columns.length === 1;
  const text = single ? (lines[0]?.[0] ?? "") : sheetText([...heads, ...lines]);
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    return "refused";
  }
  return { rows: rows.length, columns: columns.length, text };
}
