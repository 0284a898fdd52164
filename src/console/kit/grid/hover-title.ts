import { isStill } from "../loading/stillness.ts";
import type { GridRow } from "./grid-column.ts";
import type { PointerTarget } from "./grid-pointer.ts";
import { pointedAt } from "./pointed.ts";
import { hiddenText } from "./hidden-text.ts";

/** Gives the cell under the pointer a tooltip with its hidden text. */
export function titleOnHover<Row extends GridRow>(
  scroller: HTMLElement,
  target: Pick<PointerTarget<Row>, "columns" | "marks" | "rowsBefore" | "rowAt">,
  signal: AbortSignal,
): void {
  let cell: HTMLElement | null = null;
  let row: Row | undefined;
  let hasTitle = false;

  const look = ({ target: hit }: MouseEvent): void => {
    // while rows scroll past the pointer there is no tooltip
    const under = isStill() && hit instanceof Element ? hit.closest<HTMLElement>("[role=gridcell], [role=columnheader]") : null;
    const at = under === null ? null : pointedAt(under, target.columns(), target.marks(), target.rowsBefore());
    const rowUnder = at === null ? undefined : target.rowAt(at.row);
    // a cell of the pool is reused for other rows
    if (under === cell && rowUnder === row) return;
    if (hasTitle) cell?.removeAttribute("title");
    [cell, row, hasTitle] = [under, rowUnder, false];
    const column = target.columns()[at?.column ?? -1]?.column;
    // a title set by the column's own painter stays
    if (!cell || !column || cell.title !== "") return;
    const title = hiddenText(cell, column, row);
    hasTitle = title !== "";
    if (hasTitle) cell.title = title;
  };

  scroller.addEventListener("mouseover", look, { signal });
  scroller.addEventListener("mousemove", look, { signal });
}
