import type { GridColumn, GridRow } from "./grid-column.ts";
import type { GridHandle } from "./grid-handle.ts";
import { GridView, type GridElements, type ShownColumn } from "./grid-view.ts";
import { extend, forget, markAll, noMarks, toggle, type Marks } from "./marks.ts";
import { headerRow, isPaging, next, type Motion, type Place } from "./motions.ts";
import { pointedAt } from "./pointed.ts";
import type { RowLook } from "./row-pool.ts";
import type { RowChange, RowSource } from "./row-source.ts";

/** What the columns' state can be told to do; given by the TanStack side. */
export interface ColumnActs {
  sort(columnId: string, add: boolean): void;
  setWidth(columnId: string, width: number): void;
  move(columnId: string, by: number): void;
  hide(columnId: string): void;
  pin(columnId: string, side: "start" | "end" | null): void;
  /** Drags a column's edge with the pointer, from the width it is drawn with. */
  startResize(columnId: string, drawnWidth: number, event: MouseEvent): void;
  reset(): void;
}

export interface CoreOptions<Row extends GridRow> {
  readonly source: RowSource<Row>;
  readonly columns: readonly ShownColumn<Row>[];
  readonly marks: boolean;
  readonly rowHeight: number;
  readonly rtl: boolean;
  readonly acts: ColumnActs;
  titleOf(column: GridColumn<Row>): string;
  rule?(row: Row, next: Row | undefined): boolean;
  dim?(row: Row): boolean;
  onCursor?(row: Row | null): void;
  onHeader?(inHeader: boolean): void;
  onMarks?(ids: ReadonlySet<string>): void;
  onNeedMore?(): void;
  onOpen?(row: Row): void;
}

export type MarkedPart = "none" | "some" | "all";

/** Cursor, marks and live rows of one grid; the handle commands work on. */
export class GridCore<Row extends GridRow> implements GridHandle<Row> {
  #options: CoreOptions<Row>;
  #view: GridView<Row> | null = null;
  #elements: GridElements | null = null;
  #place: Place = { row: 0, column: 0 };
  /** The cursor's row and column by id: what stays when everything moves. */
  #cursorId: string | null = null;
  #columnId: string | null = null;
  #told: Row | null = null;
  #toldHeader = false;
  #marks: Marks = noMarks;
  #askedAt = -1;
  #unsubscribe: () => void = () => {};
  #clock = 0;
  #sweep = 0;
  #partListeners = new Set<() => void>();
  readonly #id: string;

  constructor(id: string, options: CoreOptions<Row>) {
    this.#id = id;
    this.#options = options;
  }

  // ── life ──

  attach(elements: GridElements): () => void {
    const stop = new AbortController();
    this.#elements = elements;
    this.#view = new GridView<Row>(
      elements,
      {
        count: () => this.#source.length,
        rowAt: (index) => this.#source.at(index),
        look: (index, row) => this.#look(index, row),
        place: () => this.#place,
        seen: (last) => this.#askForMore(last),
      },
      this.#id,
    );
    elements.scroller.addEventListener("mousedown", (event) => this.#pressed(event), { signal: stop.signal });
    elements.scroller.addEventListener("click", (event) => this.#headerClicked(event), { signal: stop.signal });
    elements.scroller.addEventListener("dblclick", (event) => this.#doubleClicked(event), { signal: stop.signal });
    this.#listen();
    this.#view.configure(this.#options);
    this.#clock = window.setInterval(() => this.#tick(), 1000);
    return () => {
      stop.abort();
      this.#unsubscribe();
      clearInterval(this.#clock);
      clearTimeout(this.#sweep);
      this.#view?.close();
      this.#view = null;
      this.#elements = null;
    };
  }

  update(options: CoreOptions<Row>): void {
    const before = this.#options;
    this.#options = options;
    if (!this.#view) return;
    const columns = options.columns;
    if (columns !== before.columns) {
      const kept = columns.findIndex(({ column }) => column.id === this.#columnId);
      this.#place = { row: this.#place.row, column: kept >= 0 ? kept : Math.min(this.#place.column, Math.max(0, columns.length - 1)) };
    }
    if (
      columns !== before.columns ||
      options.marks !== before.marks ||
      options.rowHeight !== before.rowHeight ||
      options.rtl !== before.rtl
    )
      this.#view.configure(options);
    if (options.source !== before.source) this.#listen();
    else if (options.rule !== before.rule || options.dim !== before.dim) this.#view.refreshLooks();
  }

  get #source(): RowSource<Row> {
    return this.#options.source;
  }

  #listen(): void {
    this.#unsubscribe();
    this.#unsubscribe = this.#source.subscribe((change) => this.#changed(change));
    this.#changed({ kind: "reset", keepsPlace: false });
  }

  // ── rows ──

  #changed(change: RowChange<Row>): void {
    switch (change.kind) {
      case "reset":
        this.#reset(change.keepsPlace);
        break;
      case "splice":
        this.#spliced(change.index, change.removed, change.inserted);
        break;
      case "patch":
        this.#view?.patch(change.index, change.row);
        if (this.#options.rule) this.#view?.refreshLooks();
        break;
      case "tombstone":
        this.#view?.refreshLooks();
        this.#told = null;
        this.#sweepLater();
        break;
      case "status":
        this.#askedAt = -1;
        this.#view?.render();
        break;
    }
    this.#tellRowCount();
    this.#tellCursor();
  }

  /** −1 says to a screen reader that nobody has counted them. */
  #tellRowCount(): void {
    const { total } = this.#source;
    const count = total === null ? "-1" : String(total + 1);
    if (this.#elements && this.#elements.scroller.ariaRowCount !== count) this.#elements.scroller.ariaRowCount = count;
  }

  #reset(keepsPlace: boolean): void {
    const before = this.#place.row;
    const inView = this.#view?.isInView(before) ?? false;
    const found = this.#cursorId === null ? -1 : this.#source.indexOf(this.#cursorId, before);
    if (before !== headerRow) {
      if (found >= 0) this.#setRow(found);
      else this.#setRow(keepsPlace ? Math.max(0, Math.min(before, this.#source.length - 1)) : 0);
    }
    this.#setMarks(forget(this.#marks, (id) => this.#source.indexOf(id) < 0));
    if (keepsPlace && inView) this.#view?.shift(this.#place.row - before);
    else if (!keepsPlace && found < 0) this.#view?.scrollToTop();
    this.#view?.rowsChanged();
    if (!keepsPlace && found >= 0) this.#view?.show();
    this.#tellPart();
  }

  #spliced(index: number, removed: readonly Row[], inserted: number): void {
    const { row } = this.#place;
    const moved = (from: number) => {
      if (from < index) return from;
      const kept = from < index + removed.length ? index : from - removed.length;
      return kept + inserted;
    };
    // the row the eye rests on stays where it is: the cursor's when in view, else the first in view
    const anchor = this.#view?.isInView(row) && this.#cursorId !== null ? row : (this.#view?.firstInView() ?? 0);
    const shift = this.#cursorId === null && inserted === this.#source.length ? 0 : moved(anchor) - anchor;
    if (row !== headerRow) {
      const to = this.#cursorId === null ? 0 : moved(row);
      this.#setRow(Math.max(0, Math.min(to, this.#source.length - 1)));
    }
    if (removed.length > 0) {
      const left = new Set(removed.map(({ uuid }) => uuid));
      this.#setMarks(forget(this.#marks, (id) => left.has(id)));
    }
    this.#view?.shift(shift);
    this.#view?.rowsChanged();
    this.#tellPart();
  }

  #look(index: number, row: Row): RowLook {
    const dead = this.#source.isTombstone(row.uuid);
    const rule = this.#options.rule?.(row, this.#source.at(index + 1)) ?? false;
    const closed = this.#options.dim?.(row) ?? false;
    const classes = [rule && "rule", closed && "closed", dead && "tombstone"].filter(Boolean).join(" ");
    return { classes, marked: this.#marks.ids.has(row.uuid) };
  }

  #sweepLater(): void {
    clearTimeout(this.#sweep);
    const due = this.#source.sweep(Date.now());
    if (due !== null) this.#sweep = window.setTimeout(() => this.#sweepLater(), Math.max(0, due - Date.now()));
  }

  #tick(): void {
    if (document.visibilityState === "visible" && this.#options.columns.some(({ column }) => column.tick)) this.#view?.tick();
  }

  #askForMore(last: number): void {
    const source = this.#source;
    if (!source.more || source.loading !== "idle" || this.#askedAt === source.length) return;
    if (last + 2 * (this.#view?.page ?? 0) < source.length) return;
    this.#askedAt = source.length;
    this.#options.onNeedMore?.();
  }

  // ── cursor ──

  focus(): void {
    this.#elements?.scroller.focus({ preventScroll: true });
  }

  move(motion: Motion, options: { extend?: boolean } = {}): void {
    const from = this.#place;
    const page = this.#view?.page ?? 1;
    const to = next(motion, from, { rows: this.#source.length, columns: this.#options.columns.length, page: Math.max(1, page - 1) });
    if (to === from) return this.#view?.show();
    if (options.extend && to.row !== from.row && to.row >= 0 && from.row >= 0) this.#extendTo(to.row);
    this.#go(to, isPaging(motion) ? to.row - from.row : 0);
  }

  #extendTo(row: number): void {
    const source = this.#source;
    const anchor = this.#marks.anchor ?? source.at(this.#place.row)?.uuid;
    const start = anchor === undefined ? -1 : source.indexOf(anchor);
    if (anchor === undefined || start < 0) return;
    const between = source.rows.slice(Math.min(start, row), Math.max(start, row) + 1).map(({ uuid }) => uuid);
    this.#setMarks(extend(this.#marks, anchor, between));
  }

  #go(to: Place, carry = 0): void {
    this.#place = to;
    this.#setRow(to.row);
    this.#columnId = this.#options.columns[to.column]?.column.id ?? null;
    this.#view?.show(carry);
    this.#tellCursor();
  }

  #setRow(row: number): void {
    this.#place = { row, column: this.#place.column };
    this.#cursorId = row < 0 ? null : (this.#source.at(row)?.uuid ?? null);
  }

  #tellCursor(): void {
    const row = this.cursorRow();
    const inHeader = this.inHeader();
    if (inHeader !== this.#toldHeader) this.#options.onHeader?.((this.#toldHeader = inHeader));
    if (row !== this.#told) this.#options.onCursor?.((this.#told = row));
  }

  cursorRow(): Row | null {
    return this.#source.at(this.#place.row) ?? null;
  }
  cursorIndex(): number {
    return this.#place.row;
  }
  cursorText(): string {
    const column = this.columnUnderCursor();
    if (!column) return "";
    const row = this.cursorRow();
    return row ? column.text(row) : this.#options.titleOf(column);
  }
  columnUnderCursor(): GridColumn<Row> | null {
    return this.#options.columns[this.#place.column]?.column ?? null;
  }
  rowAt(index: number): Row | undefined {
    return this.#source.at(index);
  }
  rowCount(): number {
    return this.#source.length;
  }
  inHeader(): boolean {
    return this.#place.row === headerRow;
  }

  scrollToId(id: string, columnId?: string): boolean {
    const row = this.#source.indexOf(id, this.#place.row);
    if (row < 0) return false;
    const column = columnId === undefined ? -1 : this.#columnIndex(columnId);
    this.#go({ row, column: column >= 0 ? column : this.#place.column });
    return true;
  }

  targets(): readonly Row[] {
    const rows = this.#marks.ids.size > 0 ? this.markedRows() : [this.cursorRow()];
    return rows.filter((row): row is Row => row !== null && !this.#source.isTombstone(row.uuid));
  }

  // ── marks ──

  markedRows(): readonly Row[] {
    const indexes = [...this.#marks.ids].map((id) => this.#source.indexOf(id)).filter((index) => index >= 0);
    return indexes.sort((a, b) => a - b).flatMap((index) => this.#source.at(index) ?? []);
  }

  toggleMark(id: string | undefined = this.cursorRow()?.uuid): void {
    if (id === undefined || (this.#source.isTombstone(id) && !this.#marks.ids.has(id))) return;
    this.#setMarks(toggle(this.#marks, id));
  }

  markAll(): void {
    this.#setMarks(markAll(this.#source.rows.filter(({ uuid }) => !this.#source.isTombstone(uuid)).map(({ uuid }) => uuid)));
  }

  clearMarks(): void {
    if (this.#marks.ids.size > 0 || this.#marks.anchor !== null) this.#setMarks(noMarks);
  }

  #setMarks(marks: Marks): void {
    if (marks === this.#marks) return;
    const changed = marks.ids !== this.#marks.ids;
    this.#marks = marks;
    if (!changed) return;
    this.#view?.refreshLooks();
    this.#options.onMarks?.(marks.ids);
    this.#tellPart();
  }

  /** How much of the loaded rows is marked, for the box in the header. */
  markedPart = (): MarkedPart => {
    const { size } = this.#marks.ids;
    return size === 0 ? "none" : size >= this.#source.length ? "all" : "some";
  };

  onMarkedPart = (listener: () => void): (() => void) => {
    this.#partListeners.add(listener);
    return () => void this.#partListeners.delete(listener);
  };

  #tellPart(): void {
    for (const listener of this.#partListeners) listener();
  }

  // ── columns ──

  activate(): void {
    if (this.inHeader()) return this.sortByCursorColumn();
    const row = this.cursorRow();
    if (row && !this.#source.isTombstone(row.uuid)) this.#options.onOpen?.(row);
  }
  sortByCursorColumn(add = false): void {
    const column = this.columnUnderCursor();
    if (column?.sortable) this.#options.acts.sort(column.id, add);
  }
  setWidth(columnId: string, width: number): void {
    const least = this.#options.columns[this.#columnIndex(columnId)]?.minWidth ?? 0;
    this.#options.acts.setWidth(columnId, Math.max(least, Math.round(width)));
  }
  /** px as drawn, with what a growing column was given. */
  drawnWidth(columnId: string): number {
    return this.#view?.layout.columns[this.#columnIndex(columnId)]?.width ?? 0;
  }
  resizeColumn(by: number, columnId = this.columnUnderCursor()?.id): void {
    if (columnId !== undefined) this.setWidth(columnId, this.drawnWidth(columnId) + by);
  }
  fitColumn(columnId = this.columnUnderCursor()?.id): void {
    if (columnId === undefined || !this.#view) return;
    this.setWidth(columnId, this.#view.widest(this.#columnIndex(columnId)));
  }
  moveColumn(by: number, columnId = this.columnUnderCursor()?.id): void {
    if (columnId !== undefined) this.#options.acts.move(columnId, by);
  }
  hideColumn(columnId = this.columnUnderCursor()?.id): void {
    if (columnId !== undefined && this.#options.columns.length > 1) this.#options.acts.hide(columnId);
  }
  pinColumn(side: "start" | "end" | null, columnId = this.columnUnderCursor()?.id): void {
    if (columnId !== undefined) this.#options.acts.pin(columnId, side);
  }
  resetColumns(): void {
    this.#options.acts.reset();
  }

  #columnIndex(id: string): number {
    return this.#options.columns.findIndex(({ column }) => column.id === id);
  }

  // ── pointer ──

  #pressed(event: MouseEvent): void {
    const at = pointedAt(event.target, this.#options.columns, this.#options.marks);
    if (!at || event.button === 1) return;
    if (at.row === headerRow) {
      if (event.button === 0 && at.edge && at.columnId !== null)
        this.#options.acts.startResize(at.columnId, this.drawnWidth(at.columnId), event);
      return;
    }
    const row = this.#source.at(at.row);
    if (!row) return;
    if (event.button === 0 && at.mark) {
      if (event.shiftKey) this.#extendTo(at.row);
      else this.toggleMark(row.uuid);
      return;
    }
    if (event.button === 0 && event.shiftKey) this.#extendTo(at.row);
    this.#go({ row: at.row, column: at.column ?? this.#place.column });
  }

  #headerClicked(event: MouseEvent): void {
    const at = pointedAt(event.target, this.#options.columns, this.#options.marks);
    if (at?.row !== headerRow || at.edge) return;
    if (at.mark) return this.markedPart() === "all" ? this.clearMarks() : this.markAll();
    const column = this.#options.columns[at.column ?? -1]?.column;
    if (column?.sortable) this.#options.acts.sort(column.id, event.shiftKey);
  }

  #doubleClicked(event: MouseEvent): void {
    const at = pointedAt(event.target, this.#options.columns, this.#options.marks);
    if (!at || at.mark) return;
    if (at.row !== headerRow) this.activate();
    else if (at.edge && at.columnId !== null) this.fitColumn(at.columnId);
  }
}
