import { afterPaint } from "../loading/after-paint.ts";
import type { GridRow } from "./grid-column.ts";
import type { RowPool } from "./row-pool.ts";
import type { RowLook, Slot } from "./row-slot.ts";
import { closeWindow, margin, slideWindow, type RowRange } from "./row-window.ts";

/** What the painter needs from the owner of the rows. */
export interface PaintedRows<Row> {
  count(): number;
  /** All rows of the list are loaded. */
  isWhole(): boolean;
  rowAt(index: number): Row | undefined;
  look(index: number, row: Row): RowLook;
}

export interface Painting {
  /** Rows at least partly in view. */
  readonly seen: RowRange;
  /** Columns in view. */
  readonly columns: readonly number[];
  readonly rowHeight: number;
  /** px: true offset − drawn offset of rows. */
  readonly base: number;
}

/** Rows in the pool for `inView` rows: these, a page ahead in the direction of scrolling, and some behind. */
export const poolSize = (inView: number): number => Math.max(inView + 32, 2 * inView + 8);
/** Spare rows: a page at each end of the list, because one key leads there. */
export const spareSize = (inView: number): number => 2 * (inView + margin);
/**
 * Fewest rows kept painted ahead. The compositor scrolls on while the main thread is busy, and unpainted rows are blank; 16 rows
 * last 150 ms at 3,000 px/s.
 */
const least = 16;
/**
 * Spare rows painted at a time, because most frames only scroll. At 3,000 px/s on the withdrawals screen as few frames were late
 * with four as with six, and twice as many with twelve (measured alternately).
 */
const batch = 4;
const ahead = least + batch;
/** Rows out of view are painted after so many ms without scrolling, so many at a time. */
const lateDelay = 150;
/** Sooner after a jump, so that the next page is painted before the user pages on. */
const soonDelay = 20;
const latePiece = 6;

/** Puts rows into the pool's slots: those in view at once, the others a few at a time, those ahead first. */
export class RowPainter<Row extends GridRow> {
  readonly #pool: RowPool<Row>;
  readonly #rows: PaintedRows<Row>;
  readonly #wroteLater: () => void;
  #window: RowRange = { first: 0, last: 0 };
  #at: Painting = { seen: { first: 0, last: 0 }, columns: [], rowHeight: 28, base: Number.NaN };
  #upwards = false;
  #columnCount = 0;
  #late = 0;
  /** Rows to paint after the frame; 0: none. */
  #most = 0;
  #unwrite: () => void = () => {};

  /** `later` is called when rows out of view were painted, one of which may have taken the cursor's slot. */
  constructor(pool: RowPool<Row>, rows: PaintedRows<Row>, later: () => void) {
    this.#pool = pool;
    this.#rows = rows;
    this.#wroteLater = later;
  }

  close(): void {
    this.#stop();
  }

  /** Rows were added, removed or moved, or the pool was rebuilt, so that everything is painted again. */
  forget(columnCount: number): void {
    this.#stop();
    this.#columnCount = columnCount;
    this.#window = { first: 0, last: 0 };
    this.#at = { ...this.#at, base: Number.NaN };
  }

  /** True when most of the rows in view had to be painted. */
  paint(at: Painting): boolean {
    const { seen, columns, base } = at;
    const before = this.#at;
    this.#at = at;
    const count = this.#rows.count();
    const travelled = seen.first - before.seen.first;
    const page = seen.last - seen.first;
    const leapt = Math.abs(travelled) > page / 2;
    if (travelled !== 0) this.#upwards = travelled < 0;
    const on = leapt ? page : ahead;
    const wanted = this.#upwards
      ? { first: Math.max(0, seen.first - on), last: seen.last }
      : { first: seen.first, last: Math.min(count, seen.last + on) };
    this.#window = slideWindow(this.#window, wanted, count, this.#pool.size);
    const near = leapt ? seen : closeWindow(seen, count);
    let written = 0;
    for (let index = near.first; index < near.last; index++) if (this.#place(index)) written += 1;
    if (columns !== before.columns) for (const slot of this.#pool.shown()) if (slot.index >= 0) this.#pool.write(slot, columns);
    if (base !== before.base) this.#clear(near, Number.isNaN(before.base));
    for (let index = count; index < this.#pool.size; index++) this.#park(index);
    if (!leapt && !this.#isWrittenAhead(near)) this.#writeAhead(Math.max(batch, 2 * Math.abs(travelled)));
    this.#finishLater(leapt ? soonDelay : lateDelay);
    return written > page / 2;
  }

  /** Keeps the cursor's row mounted: in its slot, or in the keeper while it is scrolled away. */
  keep(row: number): Slot<Row> | null {
    const slot = this.#pool.slotFor(row);
    const keeper = this.#pool.keeper;
    const data = slot?.index === row ? undefined : this.#rows.rowAt(row);
    if (!keeper || data === undefined) {
      if (keeper) this.#pool.park(keeper);
      return slot?.index === row ? slot : null;
    }
    const spare = this.#pool.spareOf(row);
    if (spare) this.#pool.park(spare);
    this.#pool.place(keeper, row, data, row * this.#at.rowHeight - this.#at.base, this.#rows.look(row, data), []);
    this.#pool.complete(keeper);
    return keeper;
  }

  /** True when it had to be painted. */
  #place(index: number): boolean {
    const slot = this.#pool.claim(index, this.#isEnd);
    const row = this.#rows.rowAt(index);
    if (!slot || row === undefined) return false;
    const y = index * this.#at.rowHeight - this.#at.base;
    if (slot.index === index && slot.row === row && slot.y === y) return false;
    this.#pool.place(slot, index, row, y, this.#rows.look(index, row), this.#at.columns);
    return true;
  }

  #isWrittenAhead({ first, last }: RowRange): boolean {
    const from = this.#upwards ? Math.max(this.#window.first, first - least) : last;
    const to = this.#upwards ? first : Math.min(this.#window.last, last + least);
    for (let index = from; index < to; index++) if (!this.#isAtPlace(index)) return false;
    return true;
  }

  #isAtPlace(index: number): boolean {
    const slot = this.#pool.slotFor(index);
    return slot?.index === index && !Number.isNaN(slot.y);
  }

  /** Paints rows ahead after the frame that scrolls; laid out at once, so that the next frame only has to paint. */
  #writeAhead(most: number): void {
    const waits = this.#most > 0;
    this.#most = Math.max(this.#most, most);
    if (waits) return;
    this.#unwrite = afterPaint(() => {
      this.#placeSpare(closeWindow(this.#at.seen, this.#rows.count()), this.#most);
      this.#most = 0;
      this.#wroteLater();
    });
  }

  #stop(): void {
    clearTimeout(this.#late);
    this.#unwrite();
    this.#most = 0;
  }

  /** Paints up to `most` rows around those in view; true when it painted as many. */
  #placeSpare(there: RowRange, most: number): boolean {
    let left = most;
    const after = () => {
      for (let index = there.last; index < this.#window.last && left > 0; index++) if (this.#place(index)) left--;
    };
    const above = () => {
      for (let index = there.first - 1; index >= this.#window.first && left > 0; index--) if (this.#place(index)) left--;
    };
    for (const side of this.#upwards ? [above, after] : [after, above]) side();
    return left === 0;
  }

  /** Removes slots out of view from their places, because with another base or with other rows they are in the wrong one. */
  #clear({ first, last }: RowRange, others: boolean): void {
    for (const slot of this.#pool.all()) {
      if (slot.index >= first && slot.index < last) continue;
      if (others) this.#pool.park(slot);
      else this.#pool.setAside(slot);
    }
  }

  #park(index: number): void {
    const slot = this.#pool.slotFor(index);
    if (slot) this.#pool.park(slot);
  }

  /** Rows at each end that one key leads to; 0 where the ends are not loaded, or the pool holds all rows. */
  #endSize(): number {
    const page = this.#pool.spares.length / 2;
    return this.#rows.isWhole() && this.#rows.count() > this.#pool.size + 2 * page ? page : 0;
  }

  #isEnd = (index: number): boolean => {
    const page = this.#endSize();
    return page > 0 && index >= 0 && (index < page || index >= this.#rows.count() - page);
  };

  /** Paints up to `most` rows at both ends out of sight; true when it painted as many. */
  #placeEnds(most: number): boolean {
    const count = this.#rows.count();
    const page = this.#endSize();
    const free = this.#pool.spares.filter(({ index }) => !this.#isEnd(index));
    let left = most;
    for (let end = 0; end < 2 * page && left > 0; end++) {
      const index = end < page ? count - 1 - end : end - page;
      if (this.#pool.holding(index) ?? this.#pool.spareOf(index)) continue;
      const slot = free.pop();
      const row = this.#rows.rowAt(index);
      if (!slot || row === undefined) break;
      this.#pool.place(slot, index, row, Number.NaN, this.#rows.look(index, row), this.#at.columns);
      left--;
    }
    return left === 0;
  }

  /** Paints spare rows, then columns out of view, then the ends, once the view is complete. */
  #finishLater(delay: number): void {
    clearTimeout(this.#late);
    const slots = this.#pool.shown();
    let next = 0;
    const step = () => {
      let busy = this.#placeSpare(this.#at.seen, latePiece);
      this.#wroteLater();
      const until = busy ? next : Math.min(slots.length, next + latePiece);
      if (this.#at.columns.length < this.#columnCount) {
        for (; next < until; next++) {
          const slot = slots[next];
          if (slot && slot.index >= 0) this.#pool.complete(slot);
        }
        busy ||= next < slots.length;
      }
      busy ||= this.#placeEnds(latePiece);
      if (busy) this.#late = window.setTimeout(step);
    };
    this.#late = window.setTimeout(step, delay);
  }
}
