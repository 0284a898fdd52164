import type { GridSelection } from "../commands/grid-handle.ts";
import { between, rowsOf, type CellRange } from "./cell-range.ts";
import { Adding } from "./figures.ts";
import type { GridColumn, GridRow } from "./grid-column.ts";
import type { Place } from "./motions.ts";
import type { RowSource } from "./row-source.ts";

export interface SelectionDeps<Row extends GridRow> {
  source(): RowSource<Row>;
  columns(): readonly GridColumn<Row>[];
  place(): Place;
  marked(): readonly Row[];
  /** The selection came to rest. */
  rested(selection: GridSelection | null): void;
}

/** ms a selection must rest before it is added up and spoken, so that a held key costs neither. */
const rest = 120;
/** Cells added up in one step. */
const piece = 4000;

/**
 * The range of cells from an anchor to the cursor, with the figures of its amounts. The anchor is held by row and column id, so
 * that live rows do not move it; when either leaves, the range ends.
 */
export class SelectedCells<Row extends GridRow> {
  readonly #deps: SelectionDeps<Row>;
  #anchor: { readonly id: string; readonly columnId: string; row: number } | null = null;
  #selection: GridSelection | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #listeners = new Set<() => void>();

  constructor(deps: SelectionDeps<Row>) {
    this.#deps = deps;
  }

  /** Anchors a range here, unless one is anchored already. */
  begin({ row, column }: Place): void {
    const id = this.#deps.source().at(row)?.uuid;
    const columnId = this.#deps.columns()[column]?.id;
    if (this.#anchor === null && id !== undefined && columnId !== undefined) this.#anchor = { id, columnId, row };
  }

  /** False when there was no range. */
  collapse(): boolean {
    if (this.#anchor === null) return false;
    const shown = this.range() !== null;
    this.#anchor = null;
    this.changed();
    return shown;
  }

  /** Null while it is only the cursor's cell. */
  range(): CellRange | null {
    const anchor = this.#anchor;
    if (anchor === null) return null;
    const row = this.#deps.source().indexOf(anchor.id, anchor.row);
    const column = this.#deps.columns().findIndex(({ id }) => id === anchor.columnId);
    const head = this.#deps.place();
    if (row < 0 || column < 0) {
      this.#anchor = null;
      this.changed();
      return null;
    }
    anchor.row = row;
    if (head.row < 0 || (head.row === row && head.column === column)) return null;
    return between({ row, column }, head);
  }

  /** Range or marks changed; they are added up once they rest. */
  changed(): void {
    this.#addUpIn(rest);
  }

  /** A selected row may have changed; added up soon, even while more changes arrive. */
  stale(): void {
    if (this.#selection !== null && this.#timer === undefined) this.#addUpIn(rest);
  }

  #addUpIn(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#addUp();
    }, ms);
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  selection = (): GridSelection | null => this.#selection;

  onSelection = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  #addUp(): void {
    const range = this.range();
    const columns = this.#deps.columns();
    const marked = range === null ? this.#deps.marked() : [];
    if (range === null && marked.length === 0) return this.#publish(null);
    const rows = range === null ? marked.length : rowsOf(range);
    const inside = range === null ? columns : columns.slice(range.first, range.last + 1);
    const amounts = inside.filter((column) => column.amount !== undefined);
    // of a marked row only the first visible amount counts, because amount plus fee would mean nothing
    const counted = range === null ? amounts.slice(0, 1) : amounts;
    const size = { of: range === null ? "marks" : "range", rows, columns: inside.length } as const;
    if (counted.length === 0) return this.#publish({ ...size, figures: null });
    const source = this.#deps.source();
    const adding = new Adding();
    let at = 0;
    const step = (): void => {
      const end = Math.min(rows, at + Math.ceil(piece / counted.length));
      for (; at < end; at++) {
        const row = range === null ? marked[at] : source.at(range.top + at);
        if (row !== undefined) for (const column of counted) adding.add(column.amount?.(row) ?? null);
      }
      this.#timer = at < rows ? setTimeout(step) : undefined;
      if (at >= rows) this.#publish({ ...size, figures: adding.figures() });
    };
    step();
  }

  #publish(selection: GridSelection | null): void {
    if (selection === null && this.#selection === null) return;
    this.#selection = selection;
    for (const listener of this.#listeners) listener();
    this.#deps.rested(selection);
  }
}
