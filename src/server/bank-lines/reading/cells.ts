/** A cell: a text, or what a workbook says to be a number or a time of day and date without a zone ("2026-03-15T09:30:00"). */
export type Cell = string | { readonly number: string } | { readonly date: string };

export interface Row {
  /** Its number in the file, from 1. */
  readonly n: number;
  readonly cells: readonly Cell[];
  /** How many lines of the file a quotation mark has joined to this row, if it looks as if it had. */
  readonly joined?: number;
}

/** A cell as a text, as a person sees it. */
export const cellText = (cell: Cell | undefined): string =>
  cell === undefined ? "" : typeof cell === "string" ? cell : "number" in cell ? cell.number : cell.date.replace("T", " ");

export const isBlank = (cell: Cell | undefined): boolean => cellText(cell).trim() === "";
