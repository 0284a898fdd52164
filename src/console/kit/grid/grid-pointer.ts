import type { GridRow } from "./grid-column.ts";
import type { ShownColumn } from "./fitted-columns.ts";
import { headerRow, type Place } from "./motions.ts";
import { pointedAt, type Pointed } from "./pointed.ts";

/** What the pointer can do with a grid. */
export interface PointerTarget<Row extends GridRow> {
  readonly columns: () => readonly ShownColumn<Row>[];
  readonly marks: () => boolean;
  /** Number of rows before the first loaded one; rows are numbered among all. */
  readonly rowsBefore: () => number;
  rowAt(index: number): Row | undefined;
  /** `range` extends the range to that place. */
  goTo(place: { row: number; column: number | null }, range: boolean): void;
  /** The cell at a point of the view, px from its start and top; beyond the edges the nearest one. */
  cellAt(across: number, down: number): Place | null;
  /** Marks the rows from the anchor to this one. */
  markTo(row: number): void;
  toggleMark(id: string): void;
  toggleAll(): void;
  activate(): void;
  sort(columnId: string, add: boolean): void;
  startResize(columnId: string, event: MouseEvent): void;
  fitColumn(columnId: string): void;
  /** Moves a column by places within its block. */
  moveColumn(columnId: string, by: number): void;
  columnMenu(column: number): void;
}

/** px the pressed pointer must travel before it drags. */
const threshold = 4;

/** Listens until the signal aborts; a few listeners for the whole grid, none per cell. */
export function listenToPointer<Row extends GridRow>(scroller: HTMLElement, target: PointerTarget<Row>, signal: AbortSignal): void {
  const at = (event: MouseEvent): Pointed | null => pointedAt(event.target, target.columns(), target.marks(), target.rowsBefore());
  let dragged = false;

  /** Follows the pointer until the button is released; `move` is called from the threshold on. */
  function follow(start: MouseEvent, move: (event: MouseEvent) => void, end?: () => void): void {
    const stop = new AbortController();
    const until = { signal: AbortSignal.any([stop.signal, signal]) };
    dragged = false;
    window.addEventListener(
      "mousemove",
      (event) => {
        if ((event.buttons & 1) === 0) return leave();
        dragged ||= Math.abs(event.clientX - start.clientX) + Math.abs(event.clientY - start.clientY) > threshold;
        if (dragged) move(event);
      },
      until,
    );
    window.addEventListener("mouseup", () => leave(), until);
    function leave(): void {
      stop.abort();
      end?.();
    }
  }

  /** Selects a range from the pressed cell, and scrolls by itself at the edges of the view. */
  function dragRange(start: MouseEvent): void {
    const box = scroller.getBoundingClientRect();
    const rtl = getComputedStyle(scroller).direction === "rtl";
    let last = start;
    let frame = 0;
    const reach = (): void => {
      const across = rtl ? box.right - last.clientX : last.clientX - box.left;
      const place = target.cellAt(across, last.clientY - box.top);
      if (place !== null) target.goTo(place, true);
      const outside = last.clientY < box.top || last.clientY > box.bottom || last.clientX < box.left || last.clientX > box.right;
      frame = outside ? requestAnimationFrame(reach) : 0;
    };
    follow(
      start,
      (event) => {
        last = event;
        if (frame === 0) reach();
      },
      () => cancelAnimationFrame(frame),
    );
  }

  /** Moves a column to another place among those pinned like it. */
  function dragColumn(start: MouseEvent, columnId: string): void {
    const index = () => target.columns().findIndex(({ column }) => column.id === columnId);
    let over: Element | null = null;
    let by = 0;
    const clear = (): void => over?.classList.remove("drop-before", "drop-after");
    follow(
      start,
      (event) => {
        clear();
        const columns = target.columns();
        const hit = at(event);
        const from = index();
        const to = hit?.row === headerRow ? (hit.column ?? from) : from;
        by = columns[to]?.pinned === columns[from]?.pinned ? to - from : 0;
        over = by === 0 || !(event.target instanceof Element) ? null : event.target.closest("[role=columnheader]");
        over?.classList.add(by > 0 ? "drop-after" : "drop-before");
      },
      () => {
        clear();
        if (by !== 0) target.moveColumn(columnId, by);
      },
    );
  }

  const press = (event: MouseEvent): void => {
    const hit = at(event);
    if (!hit || event.button === 1) return;
    const first = event.button === 0;
    if (hit.row === headerRow) {
      dragged = false;
      if (!first || hit.columnId === null) return;
      if (hit.edge) target.startResize(hit.columnId, event);
      else dragColumn(event, hit.columnId);
      return;
    }
    const row = target.rowAt(hit.row);
    if (!row) return;
    if (first && hit.mark) {
      if (event.shiftKey) target.markTo(hit.row);
      else target.toggleMark(row.uuid);
      return;
    }
    target.goTo({ row: hit.row, column: hit.column }, first && event.shiftKey);
    if (first) dragRange(event);
  };

  const click = (event: MouseEvent): void => {
    const hit = at(event);
    if (hit?.row !== headerRow || hit.edge || dragged) return;
    if (hit.mark) return target.toggleAll();
    if (hit.menu && hit.column !== null) return target.columnMenu(hit.column);
    const column = target.columns()[hit.column ?? -1]?.column;
    if (column?.sortable) target.sort(column.id, event.shiftKey);
  };

  const doubleClick = (event: MouseEvent): void => {
    const hit = at(event);
    if (!hit || hit.mark) return;
    if (hit.row !== headerRow) target.activate();
    else if (hit.edge && hit.columnId !== null) target.fitColumn(hit.columnId);
  };

  const menu = (event: MouseEvent): void => {
    const hit = at(event);
    if (hit?.row !== headerRow || hit.column === null) return;
    event.preventDefault();
    target.columnMenu(hit.column);
  };

  scroller.addEventListener("mousedown", press, { signal });
  scroller.addEventListener("click", click, { signal });
  scroller.addEventListener("dblclick", doubleClick, { signal });
  scroller.addEventListener("contextmenu", menu, { signal });
}
