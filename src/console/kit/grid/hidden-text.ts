import type { GridColumn } from "./grid-column.ts";

/** Right to left it is what the cell holds that is cut. */
const isCut = (cell: HTMLElement): boolean => [cell, ...cell.querySelectorAll("*")].some((one) => one.scrollWidth > one.clientWidth);

/** What a cell does not show: what its column adds to it, or all of a text that is cut; "" where nothing is missing. */
export function hiddenText<Row>(cell: HTMLElement, column: GridColumn<Row>, row: Row | undefined): string {
  if (row !== undefined) return column.hint?.(row) ?? (isCut(cell) ? column.text(row) : "");
  const title = cell.querySelector<HTMLElement>(".title");
  return title !== null && isCut(title) ? title.textContent : "";
}
