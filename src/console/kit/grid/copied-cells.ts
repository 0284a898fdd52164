import type { Copied } from "../commands/grid-handle.ts";
import type { GridColumn } from "./grid-column.ts";
import { sheetText } from "./sheet-text.ts";

/** Most cells that are copied; an export is better beyond that. */
const mostCopied = 500_000;

/** Copies cells as tab-separated values; `titleOf` puts the column titles above them. */
export async function copyCells<Row>(
  rows: readonly Row[],
  columns: readonly GridColumn<Row>[],
  titleOf: ((column: GridColumn<Row>) => string) | null,
): Promise<Copied> {
  if (rows.length * columns.length > mostCopied) return "too-much";
  const lines = rows.map((row) => columns.map((column) => column.text(row)));
  if (lines.every((line) => line.every((cell) => cell === ""))) return "nothing";
  const heads = titleOf === null ? [] : [columns.map(titleOf)];
  // a single cell is copied unescaped, because it is mostly pasted into a search or a chat
  const single = titleOf === null && rows.length === 1 && columns.length === 1;
  const text = single ? (lines[0]?.[0] ?? "") : sheetText([...heads, ...lines]);
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    return "refused";
  }
  return { rows: rows.length, columns: columns.length, text };
}
