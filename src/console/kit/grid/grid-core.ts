import { copyCells, type Copied } from "./copied-cells.ts";
import { FoundCells } from "./found-cells.ts";
import type { Density, GridColumn, GridRow, Sort } from "./grid-column.ts";
import type { GridHandle } from "./grid-handle.ts";
import { listenToPointer, type PointerTarget } from "./grid-pointer.ts";
import { GridView, type GridElements, type ShownColumn } from "./grid-view.ts";
import { MarkedRows, type Everything } from "./marked-rows.ts";
import { headerRow, isPaging, next, type Motion, type Place } from "./motions.ts";
import { Paper } from "./printed-rows.ts";
import type { RowLook } from "./row-pool.ts";
import { SelectedCells, type GridSelection } from "./selected-cells.ts";
import { selectionWords, sortKey, sortWords, type GridWording } from "./spoken.ts";
import type { RowChange, RowSource } from "./row-source.ts";

/** What the columns' state can be told to do; given by the TanStack side. */
export interface ColumnActs<Row> {
  sort(columnId: string, add: boolean): void;
  setWidth(columnId: string, width: number): void;
  move(columnId: string, by: number): void;
  hide(columnId: string): void;
  show(columnId: string): void;
  hidden(): readonly GridColumn<Row>[];
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
  readonly acts: ColumnActs<Row>;
  readonly sort: readonly Sort[];
  /** Names the grid on paper. */
  readonly label: string;
  readonly allowsEverything: boolean;
  setDensity(density: Density): void;
  /** Wording of what is spoken and printed. */
  readonly words: GridWording;
  titleOf(column: GridColumn<Row>): string;
  rule?(row: Row, next: Row | undefined): boolean;
  dim?(row: Row): boolean;
  onCursor?(row: Row | null): void;
  onHeader?(inHeader: boolean): void;
  onMarks?(ids: ReadonlySet<string>): void;
  onColumnMenu?(): void;
  onNeedMore?(): void;
  onOpen?(row: Row): void;
}

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
  readonly marks = new MarkedRows<Row>(
    () => this.#source,
    (ids) => {
      this.#view?.refreshLooks();
      this.#options.onMarks?.(ids);
      this.cells.changed();
    },
  );
  readonly cells = new SelectedCells<Row>({
    source: () => this.#source,
    columns: () => this.#columns,
    place: () => this.#place,
    marked: () => this.markedRows(),
    rested: (selection) => this.#speak(selectionWords(selection, this.marks.everything(), this.#options.words)),
  });
  readonly found = new FoundCells<Row>({
    source: () => this.#source,
    columns: () => this.#columns,
    place: () => this.#place,
    goTo: (place) => {
      this.cells.collapse();
      this.#go(place);
    },
  });
  #columns: readonly GridColumn<Row>[];
  readonly #paper = new Paper<Row>();
  #askedAt = -1;
  #unsubscribe: () => void = () => {};
  #clock = 0;
  #sweep = 0;
  readonly #id: string;

  constructor(id: string, options: CoreOptions<Row>) {
    this.#id = id;
    this.#options = options;
    this.#columns = options.columns.map(({ column }) => column);
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
        range: () => this.cells.range(),
        seen: (last) => this.#askForMore(last),
      },
      this.#id,
    );
    listenToPointer(elements.scroller, this.#pointerTarget(), stop.signal);
    window.addEventListener("beforeprint", () => this.#print(), { signal: stop.signal });
    window.addEventListener("afterprint", () => this.#paper.clear(), { signal: stop.signal });
    this.#listen();
    this.#view.configure(this.#options);
    this.#clock = window.setInterval(() => this.#tick(), 1000);
    return () => {
      stop.abort();
      this.#unsubscribe();
      clearInterval(this.#clock);
      clearTimeout(this.#sweep);
      this.cells.close();
      this.found.stop();
      this.#paper.clear();
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
      this.#columns = columns.map(({ column }) => column);
      this.found.changed();
      this.cells.changed();
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
    if (sortKey(options.sort) !== sortKey(before.sort)) this.#speak(sortWords(options.sort, this.#columns, options.titleOf, options.words));
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
        this.cells.stale();
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
    if (change.kind === "splice" || change.kind === "reset" || change.kind === "patch") this.found.changed();
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
    if (!keepsPlace) this.cells.collapse();
    this.marks.forget((id) => this.#source.indexOf(id) < 0, !keepsPlace);
    this.marks.joined(this.#source.rows);
    this.cells.changed();
    if (keepsPlace && inView) this.#view?.shift(this.#place.row - before);
    else if (!keepsPlace && found < 0) this.#view?.scrollToTop();
    this.#view?.rowsChanged();
    if (!keepsPlace && found >= 0) this.#view?.show();
    this.marks.tellPart();
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
      this.marks.forget((id) => left.has(id));
    }
    if (inserted > 0 && this.marks.everything() !== null) this.marks.joined(this.#source.rows.slice(index, index + inserted));
    this.cells.stale();
    this.#view?.shift(shift);
    this.#view?.rowsChanged();
    this.marks.tellPart();
  }

  #look(index: number, row: Row): RowLook {
    const dead = this.#source.isTombstone(row.uuid);
    const rule = this.#options.rule?.(row, this.#source.at(index + 1)) ?? false;
    const closed = this.#options.dim?.(row) ?? false;
    const classes = [rule && "rule", closed && "closed", dead && "tombstone"].filter(Boolean).join(" ");
    return { classes, marked: this.marks.ids.has(row.uuid) };
  }

  #sweepLater(): void {
    clearTimeout(this.#sweep);
    const due = this.#source.sweep(Date.now());
    if (due !== null) this.#sweep = window.setTimeout(() => this.#sweepLater(), Math.max(0, due - Date.now()));
  }

  #speak(text: string): void {
    if (this.#elements) this.#elements.spoken.textContent = text;
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

  move(motion: Motion, options: { extend?: boolean; range?: boolean } = {}): void {
    const from = this.#place;
    const page = this.#view?.page ?? 1;
    const extent = { rows: this.#source.length, columns: this.#columns.length, page: Math.max(1, page - 1) };
    const to = next(motion, from, extent);
    // a range is of rows: it neither begins in the header nor reaches it
    const ranges = options.range === true && from.row >= 0;
    if (ranges) this.cells.begin(from);
    else if (!options.range) this.cells.collapse();
    if (to === from || (ranges && to.row < 0)) return this.#view?.show();
    if (options.extend && to.row !== from.row && to.row >= 0 && from.row >= 0) this.marks.extendTo(to.row, this.cursorRow()?.uuid);
    this.#go(to, isPaging(motion) ? to.row - from.row : 0);
    if (ranges) this.cells.changed();
  }

  #go(to: Place, carry = 0): void {
    this.#place = to;
    this.#setRow(to.row);
    this.#columnId = this.#options.columns[to.column]?.column.id ?? null;
    this.#view?.show(carry);
    this.#tellCursor();
    this.found.moved();
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
    this.cells.collapse();
    this.#go({ row, column: column >= 0 ? column : this.#place.column });
    return true;
  }

  targets(): readonly Row[] {
    const rows = this.marks.ids.size > 0 ? this.markedRows() : [this.cursorRow()];
    return rows.filter((row): row is Row => row !== null && !this.#source.isTombstone(row.uuid));
  }

  // ── marks ──

  markedRows(): readonly Row[] {
    return this.marks.ids.size === 0 ? [] : this.marks.rows();
  }
  toggleMark(id?: string): void {
    const range = id === undefined ? this.cells.range() : null;
    if (range !== null) return this.marks.toggleRows(this.#source.rows.slice(range.top, range.bottom + 1));
    const one = id ?? this.cursorRow()?.uuid;
    if (one !== undefined) this.marks.toggle(one);
  }
  markAll(): void {
    if (!this.marks.all() && this.#options.allowsEverything && this.#source.more) this.marks.markEverything();
  }
  clearMarks(): void {
    this.marks.clear();
  }
  marksEverything(): Everything | null {
    return this.marks.everything();
  }

  // ── range, copying, finding ──

  collapseRange(): boolean {
    const was = this.cells.collapse();
    if (was) this.#view?.drawCursor();
    return was;
  }
  selection(): GridSelection | null {
    return this.cells.told();
  }
  onSelection(listener: () => void): () => void {
    return this.cells.onTold(listener);
  }

  copySelection({ titles = false, row = false }: { titles?: boolean; row?: boolean } = {}): Promise<Copied> {
    const range = row ? null : this.cells.range();
    const marked = row || range !== null ? [] : this.markedRows();
    const here = this.cursorRow();
    const { column } = this.#place;
    const [first, last] =
      range !== null ? [range.first, range.last + 1] : row || marked.length > 0 ? [0, this.#columns.length] : [column, column + 1];
    const rows = range !== null ? this.#source.rows.slice(range.top, range.bottom + 1) : marked.length > 0 ? marked : here ? [here] : [];
    return copyCells(rows, this.#columns.slice(first, last), titles ? this.#options.titleOf : null);
  }

  openFind(): void {
    this.found.open();
  }
  findNext(by: 1 | -1): void {
    if (this.found.state().text === "") this.found.open();
    else this.found.step(by);
  }

  #print(): void {
    const { label, titleOf, words } = this.#options;
    const { rows, more, total } = this.#source;
    if (this.#elements) this.#paper.print(this.#elements.scroller, { columns: this.#columns, rows, more, total, label, titleOf, words });
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
  hiddenColumns(): readonly GridColumn<Row>[] {
    return this.#options.acts.hidden();
  }
  showColumn(columnId: string): void {
    this.#options.acts.show(columnId);
  }
  setDensity(density: Density): void {
    this.#options.setDensity(density);
  }

  #columnIndex(id: string): number {
    return this.#options.columns.findIndex(({ column }) => column.id === id);
  }

  // ── pointer ──

  #pointerTarget(): PointerTarget<Row> {
    return {
      columns: () => this.#options.columns,
      marks: () => this.#options.marks,
      rowAt: (index) => this.rowAt(index),
      goTo: ({ row, column }, range) => {
        const to = { row, column: column ?? this.#place.column };
        if (!range) this.cells.collapse();
        else if (this.#place.row >= 0) this.cells.begin(this.#place);
        if (range && to.row === this.#place.row && to.column === this.#place.column) return;
        this.#go(to);
        if (range) this.cells.changed();
      },
      cellAt: (across, down) => this.#view?.cellAt(across, down) ?? null,
      markTo: (row) => this.marks.extendTo(row, this.cursorRow()?.uuid),
      toggleMark: (id) => this.marks.toggle(id),
      toggleAll: () => (this.marks.part() === "all" ? this.clearMarks() : this.markAll()),
      activate: () => this.activate(),
      sort: (columnId, add) => this.#options.acts.sort(columnId, add),
      startResize: (columnId, event) => this.#options.acts.startResize(columnId, this.drawnWidth(columnId), event),
      fitColumn: (columnId) => this.fitColumn(columnId),
      moveColumn: (columnId, by) => this.moveColumn(by, columnId),
      columnMenu: (column) => {
        this.cells.collapse();
        this.#go({ row: headerRow, column });
        this.focus();
        this.#options.onColumnMenu?.();
      },
    };
  }
}
