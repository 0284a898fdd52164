import type { GridColumn } from "./grid-column.ts";

/** Right to left the cell's content is cut instead of the cell. */
const isCut = (cell: HTMLElement): boolean => [cell, ...cell.querySelectorAll("*")].some((one) => one.scrollWidth > one.clientWidth);

/** Text that a cell does not show: its column's hint, or the whole text where it is cut; "" where nothing is missing. */
export function hiddenText<Row>(cell: HTMLElement, column: GridColumn<Row>, row: Row | undefined): string {
  if (row !== undefined) return column.hint?.(row) ?? (isCut(cell) ? column.text(row) : "");
  const title = cell.querySelector<HTMLElement>(".title");
  return title !== null && isCut(title) ? title.textContent : "";
}
