import type { GridRow } from "./grid-column.ts";
import { CellPeek } from "./cell-peek.ts";
import { columnAt, offsetShowing, padding, type Layout } from "./column-layout.ts";
import { ColumnWindow } from "./column-window.ts";
import { CursorBoxes } from "./cursor-boxes.ts";
import { FittedColumns } from "./fitted-columns.ts";
import type { Place } from "./motions.ts";
import { PoolFit } from "./pool-fit.ts";
import { RangeBox } from "./range-box.ts";
import { RowPainter } from "./row-painter.ts";
import { RowPool } from "./row-pool.ts";
import type { Slot } from "./row-slot.ts";
import { ScrollMap } from "./scroll-map.ts";
import { headHeight } from "./storeys.ts";
import { CellWidth } from "./text-width.ts";
import type { GridElements, ViewHost, ViewOptions } from "./view-host.ts";

/**
 * Draws the grid: scroll offsets, columns in view, the cursor's boxes. Offsets and sizes are kept in fields, so that layout is
 * never read back.
 */
export class GridView<Row extends GridRow> {
  readonly #elements: GridElements;
  readonly #host: ViewHost<Row>;
  readonly #scroll = new ScrollMap();
  readonly #pool: RowPool<Row>;
  readonly #painter: RowPainter<Row>;
  readonly #across: ColumnWindow;
  readonly #boxes: CursorBoxes;
  readonly #box: RangeBox;
  readonly #peek: CellPeek;
  readonly #fitted: FittedColumns<Row>;
  readonly #fitting: PoolFit<Row>;
  #options: ViewOptions<Row> = { columns: [], marks: true, rowHeight: 28, rtl: false };
  /** px of the header. */
  #head = headHeight([]);
  #width = 0;
  #height = 0;
  #offset = 0;
  #laidOut = false;
  /** The painted rows belong to an earlier query. */
  #held = false;
  readonly #stop = new AbortController();
  readonly #resizes: ResizeObserver;
  readonly #languages: MutationObserver;

  constructor(elements: GridElements, host: ViewHost<Row>, id: string) {
    this.#elements = elements;
    this.#host = host;
    this.#fitted = new FittedColumns(`.${id}`);
    const measure = new CellWidth();
    this.#pool = new RowPool(elements.body, measure);
    this.#painter = new RowPainter(this.#pool, host, () => {
      if (!this.#widen()) this.drawCursor();
      this.#layOut();
    });
    this.#across = new ColumnWindow(elements.scroller);
    this.#fitting = new PoolFit({ body: elements.body, measure, pool: this.#pool, fitted: this.#fitted, across: this.#across });
    this.#boxes = new CursorBoxes(elements, id);
    this.#box = new RangeBox(elements.track);
    this.#peek = new CellPeek(elements.scroller, (cell) => host.hiddenText(cell), this.#stop.signal);
    const listen = { passive: true, signal: this.#stop.signal };
    elements.scroller.addEventListener("scroll", () => this.#scrolled(), listen);
    elements.scroller.addEventListener("scrollend", () => this.#settled(), listen);
    this.#resizes = new ResizeObserver(([entry]) => entry && this.#resized(entry.contentRect.width, entry.contentRect.height));
    this.#resizes.observe(elements.scroller);
    // another language has other font sizes, so measured widths no longer hold
    this.#languages = new MutationObserver(() => {
      this.#fit();
      this.render();
    });
    this.#languages.observe(document.documentElement, { attributeFilter: ["lang"] });
  }

  close(): void {
    this.#stop.abort();
    this.#resizes.disconnect();
    this.#languages.disconnect();
    this.#across.close();
    this.#box.close();
    this.#painter.close();
    this.#pool.close();
    this.#fitted.close();
  }

  get layout(): Layout {
    return this.#fitted.layout;
  }
  get rowHeight(): number {
    return this.#options.rowHeight;
  }
  /** Number of whole rows in view, at least one. */
  get page(): number {
    return Math.max(1, Math.floor(this.#height / this.rowHeight));
  }

  configure(options: ViewOptions<Row>): void {
    const taller = options.rowHeight !== this.#options.rowHeight;
    const first = this.#scroll.top / this.#options.rowHeight;
    this.#options = options;
    this.#setHead(headHeight(options.columns));
    this.#fit();
    if (taller) {
      this.#sizeBody();
      this.#goTo(first * options.rowHeight);
    }
    this.#boxes.forget();
    this.#box.forget();
    this.render();
    this.#peek.again();
  }

  /** A header of other storeys leaves the rows another height. */
  #setHead(head: number): void {
    if (head === this.#head) return;
    if (this.#width > 0) this.#height = Math.max(0, this.#height + this.#head - head);
    this.#head = head;
    this.#sizeBody();
  }

  /** Sets the number of rows before the first loaded one. */
  numberFrom(before: number): void {
    this.#pool.numberFrom(before);
  }

  /** Keeps the painted rows in view although there are no rows any more. */
  hold(): void {
    this.#held = true;
    this.drawCursor();
  }

  release(): void {
    if (!this.#held) return;
    this.#held = false;
    this.#sizeBody();
    this.#goTo(0);
  }

  /** Rows were added or removed; any of them may have moved. */
  rowsChanged(): void {
    this.#sizeBody();
    this.#painter.forget(this.layout.columns.length);
    this.render();
    this.refreshLooks();
    this.#peek.again();
  }

  /** Rows were appended after the former last row `index` − 1, so none has moved. */
  rowsAppended(index: number): void {
    this.#sizeBody();
    this.render();
    this.refreshLook(index - 1);
  }

  refreshLooks(): void {
    for (const slot of this.#pool.all()) this.#look(slot);
  }

  refreshLook(index: number): void {
    const slot = this.#pool.holding(index);
    if (slot) this.#look(slot);
  }

  #look(slot: Slot<Row>): void {
    if (slot.row !== undefined && slot.index >= 0) this.#pool.look(slot, this.#host.look(slot.index, slot.row));
  }

  patch(index: number, row: Row): void {
    const slot = this.#pool.holding(index);
    if (slot) this.#pool.patch(slot, row, this.#host.look(index, row));
    this.#widen();
    if (index === this.#host.place().row) this.#peek.again();
  }

  tick(): void {
    for (const slot of this.#pool.shown()) if (slot.index >= 0) this.#pool.tick(slot);
  }

  widest(column: number): number {
    return Math.ceil(this.#pool.widest(column)) + 2 * padding;
  }

  /** Rows on screen did not move, but their indexes did, by `rows`. */
  shift(rows: number): void {
    if (rows === 0) return;
    this.#sizeBody();
    this.#goTo(this.#scroll.top + rows * this.rowHeight);
  }

  scrollToTop(): void {
    this.#goTo(0);
  }

  /** The cell at a point of the view, px from its start and top; beyond the edges the nearest one. */
  cellAt(across: number, down: number): Place | null {
    const rows = this.#host.count();
    if (rows === 0 || this.layout.columns.length === 0) return null;
    const row = Math.floor(
      (this.#scroll.top + Math.max(-this.rowHeight, Math.min(down - this.#head, this.#height + this.rowHeight))) / this.rowHeight,
    );
    return {
      row: Math.max(0, Math.min(row, rows - 1)),
      column: columnAt(this.layout, across, { view: this.#width, offset: this.#offset }),
    };
  }

  isInView(row: number): boolean {
    const y = row * this.rowHeight;
    return row >= 0 && y >= this.#scroll.top && y + this.rowHeight <= this.#scroll.top + this.#height;
  }

  firstInView(): number {
    return Math.ceil(this.#scroll.top / this.rowHeight);
  }

  /** Scrolls the cursor into view by the shortest way and draws it. `by`: rows by which a page motion moves the view. */
  show(by = 0): void {
    const { row, column } = this.#host.place();
    const from = this.#scroll.top;
    let top = Math.max(0, Math.min(from + by * this.rowHeight, this.#scroll.farthest));
    const y = row * this.rowHeight;
    if (row >= 0) {
      if (y < top) top = y;
      else if (y + this.rowHeight > top + this.#height) top = y + this.rowHeight - this.#height;
    }
    const sideways = this.#reveal(column);
    if (top !== from) this.#goTo(top);
    if (top === from && !sideways && (this.#pool.holding(row) || row < 0)) this.drawCursor();
    else if (this.render()) this.#layOut();
  }

  /** True when most of the rows in view had to be written. */
  render(): boolean {
    const count = this.#host.count();
    if (this.#held || this.#height <= 0 || this.#pool.size === 0) return false;
    const { rowHeight } = this.#options;
    const { top, base } = this.#scroll;
    const seen = {
      first: Math.min(count, Math.floor(top / rowHeight)),
      last: Math.min(count, Math.ceil((top + this.#height) / rowHeight)),
    };
    const jumped = this.#painter.paint({ seen, columns: this.#across.inView(), rowHeight, base });
    if (!this.#widen()) this.drawCursor();
    this.#host.seen(seen.last);
    return jumped;
  }

  /** Widens columns for a wider amount or id that was written; true when there was one. */
  #widen(): boolean {
    if (!this.#pool.tookWider()) return false;
    const { column } = this.#host.place();
    const wasInView = this.#revealing(column) === this.#offset;
    this.#fit();
    this.#boxes.forget();
    this.#box.forget();
    if (wasInView) this.#reveal(column);
    this.render();
    return true;
  }

  /** True when a text was shown. */
  dismissPeek(): boolean {
    return this.#peek.dismiss();
  }

  /** Draws cursor and range, and writes only what moved. */
  drawCursor(): void {
    const { row, column } = this.#host.place();
    const slot = row < 0 || this.#held ? null : this.#painter.keep(row);
    const laid = this.layout.columns[column];
    const cell = slot?.cells[column]?.element ?? null;
    const active = this.#boxes.draw({
      row,
      column,
      y: row * this.rowHeight - this.#scroll.base,
      laid,
      cell,
      height: this.rowHeight,
      rtl: this.#options.rtl,
    });
    this.#peek.over(active);
    this.#box.draw({
      range: this.#host.range(),
      layout: this.layout,
      rowHeight: this.rowHeight,
      base: this.#scroll.base,
      top: this.#scroll.real,
      offset: this.#offset,
      width: this.#width,
      height: this.#height,
      bodyHeight: Math.max(this.#scroll.height, this.#height),
      rtl: this.#options.rtl,
    });
  }

  /**
   * Lays a page of new text out at once, so that the next frame only has to paint it. At most once per frame, because of several
   * queued keys only the last page is seen.
   */
  #layOut(): void {
    if (this.#laidOut) return;
    this.#laidOut = true;
    requestAnimationFrame(() => (this.#laidOut = false));
    this.#elements.here.getBoundingClientRect();
  }

  #revealing(column: number): number {
    return offsetShowing(this.layout, column, { view: this.#width, offset: this.#offset });
  }

  /** True when it had to scroll sideways. */
  #reveal(column: number): boolean {
    const to = this.#revealing(column);
    if (to === this.#offset) return false;
    this.#setOffset(to);
    this.#elements.scroller.scrollLeft = this.#options.rtl ? -to : to;
    return true;
  }

  #setOffset(offset: number): void {
    this.#offset = offset;
    this.#across.scrollTo(offset);
    this.#fitted.show(offset);
  }

  #goTo(top: number): void {
    const before = this.#scroll.real;
    this.#scroll.moveTo(top);
    if (this.#scroll.real !== before) this.#elements.scroller.scrollTop = this.#scroll.real;
  }

  #scrolled(): void {
    const { scrollTop, scrollLeft } = this.#elements.scroller;
    const offset = Math.abs(scrollLeft);
    if (scrollTop === this.#scroll.real && offset === this.#offset) return;
    if (scrollTop !== this.#scroll.real) this.#scroll.scrolled(scrollTop);
    if (offset !== this.#offset) this.#setOffset(offset);
    this.render();
  }

  #settled(): void {
    const before = this.#scroll.real;
    this.#scroll.settle();
    if (this.#scroll.real === before) return;
    this.#elements.scroller.scrollTop = this.#scroll.real;
    this.render();
  }

  #resized(width: number, height: number): void {
    const rows = Math.max(0, height - this.#head);
    if (width === this.#width && rows === this.#height) return;
    this.#width = width;
    this.#height = rows;
    this.#elements.track.style.inlineSize = `${width}px`;
    this.#fit();
    this.#sizeBody();
    this.#boxes.forget();
    this.#box.forget();
    this.render();
    this.#peek.again();
  }

  #sizeBody(): void {
    const total = this.#host.count() * this.rowHeight;
    const before = this.#scroll.real;
    this.#scroll.resize(total, this.#height);
    this.#elements.body.style.blockSize = `${Math.max(this.#scroll.height, this.#height)}px`;
    if (this.#scroll.real !== before) this.#elements.scroller.scrollTop = this.#scroll.real;
  }

  /** Lays the columns out; what was painted of them before is forgotten where the rows are built again. */
  #fit(): void {
    if (this.#fitting.fit(this.#options, { width: this.#width, height: this.#height, offset: this.#offset }))
      this.#painter.forget(this.layout.columns.length);
  }
}
