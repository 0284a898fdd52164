import type { GridColumn, GridRow } from "./grid-column.ts";

/** One cell of a row element. */
export interface Cell<Row> {
  readonly element: HTMLElement;
  /** A plain cell's text node, or the function that writes a rich cell. */
  readonly text: Text | null;
  readonly paint: ((row: Row) => void) | null;
  shown: string;
  classes: string;
  clipped: boolean;
  /** True while it shows another row's content. */
  stale: boolean;
}

export interface Slot<Row> {
  readonly element: HTMLElement;
  /** Empty until the first row, because a short list needs few of the pool's cells. */
  cells: readonly Cell<Row>[];
  index: number;
  row: Row | undefined;
  y: number;
  classes: string;
  marked: boolean | null;
}

/** A row's appearance besides its cells. */
export interface RowLook {
  readonly classes: string;
  readonly marked: boolean;
}

export interface PoolColumn<Row> {
  readonly column: GridColumn<Row>;
  /** Inner width, px: the cell without its padding. */
  readonly room: number;
  /** Font size as a share of the grid's own. */
  readonly scale: number;
  readonly pinned: "start" | "end" | null;
}

/** Above the view: laid out like any row, but out of sight. */
export const aside = "translateY(-9999px)";

/** A row element that holds no row yet, out of sight. */
export function emptySlot<Row extends GridRow>(): Slot<Row> {
  const element = document.createElement("div");
  element.className = "row";
  element.role = "row";
  element.style.transform = aside;
  element.style.visibility = "hidden";
  return { element, cells: [], index: -1, row: undefined, y: Number.NaN, classes: "", marked: null };
}

/**
 * Fills a row element with its cells, the mark's first where the grid has marks. `bidi`: texts are isolated, because in a right-to-left
 * page the surroundings would reorder a minus sign or a Latin name.
 */
export function makeCells<Row extends GridRow>(
  element: HTMLElement,
  columns: readonly PoolColumn<Row>[],
  { marks, bidi }: { readonly marks: boolean; readonly bidi: boolean },
): Cell<Row>[] {
  if (marks) element.append(markCell());
  const first = marks ? 2 : 1;
  return columns.map(({ column, pinned }, index): Cell<Row> => {
    const cell = document.createElement("div");
    cell.role = "gridcell";
    cell.ariaColIndex = String(index + first);
    cell.className = `cell c${index}${column.align === "end" ? " num" : ""}${pinned ? ` pin-${pinned}` : ""}${column.paint ? " rich" : ""}${column.mono ? " mono" : ""}`;
    element.append(cell);
    const common = { element: cell, shown: "", classes: "", clipped: false, stale: true };
    if (column.paint) return { ...common, text: null, paint: column.paint(cell) };
    const text = document.createTextNode("");
    if (bidi || column.mono) {
      const isolate = document.createElement("bdi");
      isolate.append(text);
      const holder = column.mono ? document.createElement("span") : cell;
      holder.append(isolate);
      if (holder !== cell) {
        holder.className = "tail";
        cell.append(holder);
      }
    } else cell.append(text);
    return { ...common, text, paint: null };
  });
}

function markCell(): HTMLElement {
  const mark = document.createElement("div");
  mark.className = "mk";
  mark.role = "gridcell";
  mark.ariaColIndex = "1";
  const box = document.createElement("span");
  box.className = "box";
  mark.append(box);
  return mark;
}
