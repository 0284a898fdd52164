import { isStill } from "../loading/stillness.ts";
import type { GridRow } from "./grid-column.ts";
import type { PointerTarget } from "./grid-pointer.ts";
import { pointedAt } from "./pointed.ts";
import { hiddenText } from "./hidden-text.ts";

/** Lets the pointer tell what a cell does not show. */
export function titleOnHover<Row extends GridRow>(
  scroller: HTMLElement,
  target: Pick<PointerTarget<Row>, "columns" | "marks" | "rowsBefore" | "rowAt">,
  signal: AbortSignal,
): void {
  let cell: HTMLElement | null = null;
  let row: Row | undefined;
  let hasTitle = false;

  const look = ({ target: hit }: MouseEvent): void => {
    // rows that are scrolled pass beneath the pointer, which tells nothing while they do
    const under = isStill() && hit instanceof Element ? hit.closest<HTMLElement>("[role=gridcell], [role=columnheader]") : null;
    const at = under === null ? null : pointedAt(under, target.columns(), target.marks(), target.rowsBefore());
    const rowUnder = at === null ? undefined : target.rowAt(at.row);
    // a cell of the pool is handed from row to row
    if (under === cell && rowUnder === row) return;
    if (hasTitle) cell?.removeAttribute("title");
    [cell, row, hasTitle] = [under, rowUnder, false];
    const column = target.columns()[at?.column ?? -1]?.column;
    // what a column's own writer tells stays
    if (!cell || !column || cell.title !== "") return;
    const title = hiddenText(cell, column, row);
    hasTitle = title !== "";
    if (hasTitle) cell.title = title;
  };

  scroller.addEventListener("mouseover", look, { signal });
  scroller.addEventListener("mousemove", look, { signal });
}
