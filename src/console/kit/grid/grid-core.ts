import type { GridHandle, Motion } from "../commands/grid-handle.ts";
import { eachSecond } from "../loading/seconds.ts";
import { isStill } from "../loading/stillness.ts";
import { changedRows } from "./changed-rows.ts";
import { CursorPlace } from "./cursor-place.ts";
import { FoundCells } from "./found-cells.ts";
import { chosenWork, type ChosenWork } from "./chosen-work.ts";
import { columnWork } from "./column-work.ts";
import { handleOf } from "./core-handle.ts";
import type { GridColumn, GridRow } from "./grid-column.ts";
import type { CoreOptions } from "./grid-options.ts";
import { listenToPointer } from "./grid-pointer.ts";
import { GridView } from "./grid-view.ts";
import type { GridElements } from "./view-host.ts";
import { titleOnHover } from "./hover-title.ts";
import { MarkedRows } from "./marked-rows.ts";
import { headerRow, isPaging, jumpOf, next, nextTile, type Place } from "./motions.ts";
import { NearEnds } from "./near-ends.ts";
import { pointerTarget, type PointedDeps } from "./pointer-work.ts";
import { Paper } from "./printed-rows.ts";
import type { RowLook } from "./row-slot.ts";
import type { RowFeed } from "./row-feed.ts";
import { SelectedCells } from "./selected-cells.ts";
import { TileWork } from "./tile-work.ts";
import { selectionWords, sortKey, sortWords } from "./spoken.ts";
import { hiddenText } from "./hidden-text.ts";
import type { RowChange, RowSource } from "./row-source.ts";

export type { ColumnActs, CoreOptions } from "./grid-options.ts";

/** Cursor, marks and live rows of one grid. */
export class GridCore<Row extends GridRow> {
  #options: CoreOptions<Row>;
  #view: GridView<Row> | null = null;
  #elements: GridElements | null = null;
  readonly #cursor = new CursorPlace<Row>(() => this.#source);
  #reportedRow: Row | null = null;
  #reportedColumn: string | null = null;
  #reportedInHeader = false;
  readonly tiles = new TileWork();
  readonly marks = new MarkedRows<Row>(
    () => this.#source,
    (ids) => {
      this.#view?.refreshLooks();
      this.tiles.changed();
      this.#options.onMarks?.(ids);
      this.cells.changed();
    },
  );
  readonly cells: SelectedCells<Row> = new SelectedCells<Row>({
    source: () => this.#source,
    columns: () => this.#columns,
    place: () => this.#cursor.place,
    marked: () => this.chosen.markedRows(),
    rested: (selection) => this.#speak(selectionWords(selection, this.marks.everything(), this.#options.words)),
  });
  readonly found = new FoundCells<Row>({
    source: () => this.#source,
    columns: () => this.#columns,
    place: () => this.#cursor.place,
    goTo: (place) => {
      this.cells.collapse();
      this.#go(place);
    },
  });
  readonly columnActs = columnWork<Row>({
    options: () => this.#options,
    view: () => this.#view,
    current: () => this.columnUnderCursor(),
  });
  readonly chosen: ChosenWork<Row> = chosenWork<Row>({
    marks: this.marks,
    cells: this.cells,
    found: this.found,
    options: () => this.#options,
    view: () => this.#view,
    place: () => this.#cursor.place,
    columns: () => this.#columns,
    cursorRow: () => this.cursorRow(),
  });
  /** The handle for commands. */
  readonly handle: GridHandle<Row> = handleOf(this);
  #columns: readonly GridColumn<Row>[];
  readonly #paper = new Paper<Row>();
  readonly #ends = new NearEnds<Row>({
    source: () => this.#source,
    page: () => this.#page,
    holds: () => this.cells.range() !== null,
    askAfter: () => (this.#options.onNeedMore ?? (() => void this.#source.feed?.after()))(),
  });
  readonly #changes = changedRows<Row>({
    cursor: this.#cursor,
    marks: this.marks,
    cells: this.cells,
    ends: this.#ends,
    source: () => this.#source,
    view: () => this.#view,
  });
  #unsubscribe: () => void = () => {};
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
        isWhole: () => !this.#source.more && !this.#source.moreBefore,
        rowAt: (index) => this.#source.at(index),
        look: (index, row) => this.#look(index, row),
        place: () => this.#cursor.place,
        range: () => this.cells.range(),
        hiddenText: (cell) => {
          const column = this.columnUnderCursor();
          return column === null ? "" : hiddenText(cell, column, this.cursorRow() ?? undefined);
        },
        seen: (last) => this.tiles.layout === null && this.seen(this.#view?.firstInView() ?? 0, last),
      },
      this.#id,
    );
    const pointed = pointerTarget(this, this.#pointed());
    listenToPointer(elements.scroller, pointed, stop.signal);
    titleOnHover(elements.scroller, pointed, stop.signal);
    window.addEventListener("beforeprint", () => this.#print(), { signal: stop.signal });
    window.addEventListener("afterprint", () => this.#paper.clear(), { signal: stop.signal });
    this.#listen();
    this.#view.configure(this.#options);
    const leaveClock = eachSecond(() => this.#tick());
    return () => {
      stop.abort();
      this.#unsubscribe();
      leaveClock();
      clearTimeout(this.#sweep);
      this.cells.close();
      this.found.stop();
      this.#ends.begin();
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
      this.#cursor.keepColumn(this.#columns);
    }
    if (
      columns !== before.columns ||
      options.marks !== before.marks ||
      options.rowHeight !== before.rowHeight ||
      options.rtl !== before.rtl ||
      options.totals !== before.totals
    )
      this.#view.configure(options);
    if (options.source !== before.source) this.#listen();
    else if (options.dim !== before.dim) this.#view.refreshLooks();
    if (sortKey(options.sort) !== sortKey(before.sort)) this.#speak(sortWords(options.sort, this.#columns, options.titleOf, options.words));
  }

  get #source(): RowSource<Row> {
    return this.#options.source;
  }

  /** Takes the rows in view; `last` is excluded. */
  seen(first: number, last: number): void {
    this.#ends.seen(first, last);
  }

  /** Whole rows in view. */
  get #page(): number {
    const { layout } = this.tiles;
    return layout === null ? (this.#view?.page ?? 0) : layout.lines * layout.perLine;
  }

  #listen(): void {
    this.#unsubscribe();
    this.#source.away.needs = this.marks.needs;
    this.#source.cursor = () => this.#cursor.rowId;
    this.#unsubscribe = this.#source.subscribe((change) => this.#changed(change));
    this.#changed({ kind: "reset", keepsPlace: false });
    this.#announceBusy();
  }

  // ── rows ──

  #changed(change: RowChange<Row>): void {
    if (!this.#source.showsPreviousRows) this.#view?.release();
    switch (change.kind) {
      case "reset":
        this.#changes.reset(change.keepsPlace, change.to);
        break;
      case "splice":
        this.#changes.splice(change);
        break;
      case "gone":
        this.marks.forget((id) => id === change.row.uuid);
        break;
      case "patch":
        this.cells.stale();
        if (change.index < 0) break;
        this.#view?.patch(change.index, change.row);
        // the line between two rows is drawn by the upper one
        if (this.#options.dim) this.#view?.refreshLook(change.index - 1);
        break;
      case "tombstone":
        this.#view?.refreshLooks();
        this.#reportedRow = null;
        this.#sweepLater();
        break;
      case "status":
        this.#announceBusy();
        this.#ends.settle();
        this.#view?.render();
        break;
    }
    if (change.kind === "splice" || change.kind === "reset" || change.kind === "patch") this.found.changed();
    this.#announceRowCount();
    this.#reportCursor();
    this.tiles.changed();
  }

  /** −1 tells a screen reader that the rows are not counted. */
  #announceRowCount(): void {
    const { total, before } = this.#source;
    this.#view?.numberFrom(before ?? 0);
    const count = total === null ? "-1" : String(total + 1);
    if (this.#elements && this.#elements.scroller.ariaRowCount !== count) this.#elements.scroller.ariaRowCount = count;
  }

  #announceBusy(): void {
    if (this.#elements) this.#elements.scroller.ariaBusy = String(this.#source.loading === "loading");
  }

  #look(index: number, row: Row): RowLook {
    const dead = this.#source.isTombstone(row.uuid);
    const dim = (one: Row | undefined): boolean => one !== undefined && (this.#options.dim?.(one) ?? false);
    const closed = dim(row);
    const rule = !closed && dim(this.#source.at(index + 1));
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
    // rows that scroll are painted afresh anyway
    if (document.visibilityState !== "visible" || !isStill()) return;
    if (this.#options.columns.some(({ column }) => column.tick)) this.#view?.tick();
  }

  // ── cursor ──

  focus(): void {
    this.#elements?.scroller.focus({ preventScroll: true });
  }

  move(motion: Motion, options: { extend?: boolean; range?: boolean } = {}): void {
    const from = this.#cursor.place;
    // without rows there is nowhere to go, and the cursor must not end up in the header
    if (from.row !== headerRow && this.#source.length === 0 && this.#source.loading === "loading") return;
    const jump = options.extend || options.range ? null : jumpOf(motion, this.#source);
    if (jump !== null) {
      this.cells.collapse();
      return this.#source.feed?.jump(jump);
    }
    const { length: rows, moreBefore } = this.#source;
    const { layout } = this.tiles;
    const to =
      layout === null
        ? next(motion, from, { rows, columns: this.#columns.length, page: Math.max(1, this.#page - 1), moreBefore })
        : nextTile(motion, from, { ...layout, rows, before: this.#source.before ?? 0 });
    // a range consists of rows, so it neither begins in the header nor reaches it
    const ranges = options.range === true && from.row >= 0 && layout === null;
    if (ranges) this.cells.begin(from);
    else if (!options.range) this.cells.collapse();
    if (to === from || (ranges && to.row < 0)) return this.#view?.show();
    const marks = options.extend === true || (options.range === true && layout !== null);
    if (marks && to.row !== from.row && to.row >= 0 && from.row >= 0) this.marks.extendTo(to.row, this.cursorRow()?.uuid);
    this.#go(to, isPaging(motion) ? to.row - from.row : 0);
    if (ranges) this.cells.changed();
  }

  #go(to: Place, carry = 0): void {
    this.#cursor.set(to, this.#columns);
    this.#view?.show(carry);
    if (to.row >= 0) this.tiles.layout?.show(to.row);
    this.tiles.changed();
    this.#reportCursor();
    this.found.moved();
  }

  #reportCursor(): void {
    const row = this.cursorRow();
    const inHeader = this.inHeader();
    if (inHeader !== this.#reportedInHeader) this.#options.onHeader?.((this.#reportedInHeader = inHeader));
    const column = this.columnUnderCursor()?.id;
    if (column !== undefined && column !== this.#reportedColumn) this.#options.onColumn?.((this.#reportedColumn = column));
    if (row !== this.#reportedRow) this.#options.onCursor?.((this.#reportedRow = row));
  }

  cursorRow(): Row | null {
    return this.#cursor.row();
  }
  /** Index among the loaded rows; −1 in the header. */
  cursorRowIndex(): number {
    return this.#cursor.place.row;
  }
  cursorIndex(): number {
    const { before } = this.#source;
    return this.#cursor.place.row < 0 || before === null ? -1 : before + this.#cursor.place.row;
  }
  cursorText(): string {
    const column = this.columnUnderCursor();
    if (!column) return "";
    const row = this.cursorRow();
    return row ? column.text(row) : this.#options.titleOf(column);
  }
  columnUnderCursor(): GridColumn<Row> | null {
    return this.#options.columns[this.#cursor.place.column]?.column ?? null;
  }
  rowAt(index: number): Row | undefined {
    return this.#source.at(index);
  }
  rowCount(): number {
    return this.#source.length;
  }
  firstRows(): Promise<void> | null {
    return this.#source.firstRows();
  }

  inHeader(): boolean {
    return this.#cursor.place.row === headerRow;
  }

  scrollToId(id: string, columnId?: string): boolean {
    const row = this.#source.indexOf(id, this.#cursor.place.row);
    // a grid that was unmounted has no cursor
    if (row < 0 || this.#elements === null) return false;
    const column = columnId === undefined ? -1 : this.columnActs.indexOf(columnId);
    this.cells.collapse();
    this.#go({ row, column: column >= 0 ? column : this.#cursor.place.column });
    return true;
  }

  timeOrder(): ReturnType<RowFeed["timeOrder"]> {
    return this.#source.feed?.timeOrder() ?? null;
  }

  jumpToTime(at: string): void {
    const order = this.timeOrder();
    if (order === null) return;
    this.cells.collapse();
    this.#source.feed?.jump({ at });
    if (order !== "ready") this.#options.acts.sort(order.sortBy, false);
  }

  #print(): void {
    const { label, rtl, paper, titled, words, totals, totalsProof: proof } = this.#options;
    const { rows, total } = this.#source;
    const more = this.#source.more || this.#source.moreBefore;
    this.#paper.print({ columns: this.#columns, rows, more, total, totals, proof, label, rtl, paper, titled, words });
  }

  activate(): void {
    if (this.inHeader()) return this.columnActs.sortByCursorColumn();
    const row = this.cursorRow();
    if (row && !this.#source.isTombstone(row.uuid)) this.#options.onOpen?.(row);
  }

  #pointed(): PointedDeps<Row> {
    return {
      columns: () => this.#options.columns,
      marks: () => this.#options.marks,
      rowsBefore: () => this.#source.before ?? 0,
      rowHeld: () => (this.#view?.isInView(this.#cursor.place.row) ? this.#cursor.place.row : headerRow),
      cellAt: (across, down) => this.#view?.cellAt(across, down) ?? null,
      goTo: ({ row, column }, range) => {
        const to = { row, column: column ?? this.#cursor.place.column };
        if (!range) this.cells.collapse();
        else if (this.#cursor.place.row >= 0) this.cells.begin(this.#cursor.place);
        if (range && to.row === this.#cursor.place.row && to.column === this.#cursor.place.column) return;
        this.#go(to);
        if (range) this.cells.changed();
      },
    };
  }
}
