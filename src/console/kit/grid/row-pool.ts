import { markAmount } from "../look/amount.tsx";
import { CellFlashes } from "./cell-flashes.ts";
import type { GridColumn, GridRow } from "./grid-column.ts";
import { aside, emptySlot, makeCells, type Cell, type PoolColumn, type RowLook, type Slot } from "./row-slot.ts";
import type { CellWidth } from "./text-width.ts";

/**
 * A fixed number of row elements, reused for other rows and written directly. Spares hold rows painted in advance out of sight,
 * for jumps. The keeper holds the cursor's row while it is scrolled away, so that it stays mounted. TanStack's virtualizer is
 * used for columns (column-window.ts) but not for rows, because React renders each row again: measured with the same design on
 * memoised React rows, a wheel took 395 ms of processor time a second instead of 203, and Ctrl+End 63 ms instead of 35.
 */
export class RowPool<Row extends GridRow> {
  readonly #body: HTMLElement;
  readonly #measure: CellWidth;
  #slots: Slot<Row>[] = [];
  #spares: Slot<Row>[] = [];
  #keeper: Slot<Row> | null = null;
  #columns: readonly PoolColumn<Row>[] = [];
  #marks = false;
  #bidi = false;
  readonly #flashes = new CellFlashes();
  #before = 0;
  /** px of the widest text written so far, by column; only for amounts and ids. */
  #needs: number[] = [];
  #wider = false;

  constructor(body: HTMLElement, measure: CellWidth) {
    this.#body = body;
    this.#measure = measure;
  }

  close(): void {
    this.#flashes.close();
    for (const slot of this.all()) slot.element.remove();
  }

  get size(): number {
    return this.#slots.length;
  }

  get spares(): readonly Slot<Row>[] {
    return this.#spares;
  }

  /** Rebuilds the pool for other columns, another size or another direction. */
  build(columns: readonly PoolColumn<Row>[], size: number, spares: number, marks: boolean, rtl: boolean): void {
    this.#columns = columns;
    this.#marks = marks;
    this.#bidi = rtl;
    this.#needs = [];
    for (const slot of this.all()) slot.element.remove();
    this.#flashes.forget();
    const before = this.#body.firstChild;
    const make = () => {
      const slot = emptySlot<Row>();
      this.#body.insertBefore(slot.element, before);
      return slot;
    };
    this.#slots = Array.from({ length: size }, make);
    this.#spares = Array.from({ length: spares }, make);
    this.#keeper = make();
  }

  /** Sets new widths of the same columns; only the clipping of cells can change. */
  setRooms(columns: readonly PoolColumn<Row>[]): void {
    this.#columns = columns;
    for (const slot of this.all()) slot.cells.forEach((cell, index) => this.#clip(cell, index));
  }

  all(): readonly Slot<Row>[] {
    return [...this.shown(), ...this.#spares];
  }

  /** The slots at their rows' places. */
  shown(): readonly Slot<Row>[] {
    return this.#keeper ? [...this.#slots, this.#keeper] : this.#slots;
  }

  /** Sets the number of rows before the first loaded one, because row numbers count all. */
  numberFrom(before: number): void {
    if (before === this.#before) return;
    this.#before = before;
    for (const slot of this.all()) if (slot.index >= 0) this.#number(slot);
  }

  /** The header is row 1. */
  #number(slot: Slot<Row>): void {
    slot.element.ariaRowIndex = String(this.#before + slot.index + 2);
  }

  /** The slot that holds a row of the window, or would hold it. */
  slotFor(index: number): Slot<Row> | undefined {
    return this.#slots[index % this.#slots.length];
  }

  spareOf(index: number): Slot<Row> | undefined {
    return this.#spares.find((slot) => slot.index === index);
  }

  /**
   * The slot to write a row of the window into. A spare that already holds the row changes places with the window's slot; so does
   * a free spare when the window's slot holds a row that `keeps` protects.
   */
  claim(index: number, keeps: (index: number) => boolean): Slot<Row> | undefined {
    const own = this.slotFor(index);
    if (!own || own.index === index) return own;
    const ready = this.spareOf(index) ?? (keeps(own.index) ? this.#spares.find((slot) => !keeps(slot.index)) : undefined);
    if (!ready) return own;
    this.#slots[index % this.#slots.length] = ready;
    this.#spares[this.#spares.indexOf(ready)] = own;
    this.setAside(own);
    return ready;
  }

  /** Moves a slot out of sight with its content. */
  setAside(slot: Slot<Row>): void {
    if (Number.isNaN(slot.y)) return;
    slot.y = Number.NaN;
    slot.element.style.transform = aside;
  }

  /** The slot in which a row is mounted. */
  holding(index: number): Slot<Row> | undefined {
    const slot = this.slotFor(index);
    if (slot?.index === index) return slot;
    return this.#keeper?.index === index ? this.#keeper : undefined;
  }

  get keeper(): Slot<Row> | null {
    return this.#keeper;
  }

  /**
   * Puts a row into a slot, at its place or out of sight (NaN). Only the cells of `columns` are written now; `complete` writes
   * the others.
   */
  place(slot: Slot<Row>, index: number, row: Row, y: number, look: RowLook, columns: readonly number[]): void {
    if (slot.cells.length === 0) slot.cells = makeCells(slot.element, this.#columns, { marks: this.#marks, bidi: this.#bidi });
    if (slot.index !== index) {
      if (slot.index < 0) slot.element.style.visibility = "";
      slot.index = index;
      this.#number(slot);
    }
    if (Number.isNaN(y)) this.setAside(slot);
    else if (slot.y !== y) {
      slot.y = y;
      slot.element.style.transform = `translateY(${y}px)`;
    }
    if (slot.row !== row) {
      const same = slot.row?.uuid === row.uuid;
      slot.row = row;
      for (const cell of slot.cells) {
        cell.stale = true;
        if (!same) this.#flashes.end(cell.element);
      }
    }
    this.look(slot, look);
    this.write(slot, columns);
  }

  look(slot: Slot<Row>, look: RowLook): void {
    if (slot.classes !== look.classes) {
      slot.classes = look.classes;
      slot.element.className = look.classes ? `row ${look.classes}` : "row";
    }
    if (slot.marked !== look.marked) {
      slot.marked = look.marked;
      slot.element.ariaSelected = String(look.marked);
    }
  }

  write(slot: Slot<Row>, columns: readonly number[]): void {
    for (const index of columns) {
      const cell = slot.cells[index];
      if (cell?.stale) this.#write(slot, cell, index);
    }
  }

  complete(slot: Slot<Row>): void {
    slot.cells.forEach((cell, index) => cell.stale && this.#write(slot, cell, index));
  }

  /** Writes a live change; cells whose text changed flash once. */
  patch(slot: Slot<Row>, row: Row, look: RowLook): void {
    slot.row = row;
    this.look(slot, look);
    slot.cells.forEach((cell, index) => {
      const before = cell.shown;
      const wasStale = cell.stale;
      this.#write(slot, cell, index);
      if (!wasStale && cell.shown !== before && !this.#columns[index]?.column.quiet) this.#flashes.begin(cell.element);
    });
  }

  tick(slot: Slot<Row>): void {
    slot.cells.forEach((cell, index) => this.#columns[index]?.column.tick && !cell.stale && this.#write(slot, cell, index));
  }

  /** Empties a slot: there are fewer rows than slots, or nothing to keep. */
  park(slot: Slot<Row>): void {
    if (slot.index < 0) return;
    slot.index = -1;
    slot.row = undefined;
    this.setAside(slot);
    // hidden from screen readers too; CSS cannot select by the index, which changes with every row
    slot.element.style.visibility = "hidden";
    slot.element.removeAttribute("aria-rowindex");
    for (const cell of slot.cells) cell.stale = true;
  }

  /** px of the widest amount or id written so far; 0 for columns of other texts. */
  need(column: number): number {
    return this.#needs[column] ?? 0;
  }

  /** Whether a wider text was written since the last call. */
  tookWider(): boolean {
    const wider = this.#wider;
    this.#wider = false;
    return wider;
  }

  /** px of the widest text in a column, without padding. */
  widest(column: number): number {
    let widest = 0;
    for (const slot of this.#slots) {
      const cell = slot.cells[column];
      if (cell && slot.index >= 0 && !cell.stale) widest = Math.max(widest, this.#width(cell, column));
    }
    return widest;
  }

  #write(slot: Slot<Row>, cell: Cell<Row>, index: number): void {
    const column = this.#columns[index]?.column;
    const row = slot.row;
    if (!column || row === undefined) return;
    cell.stale = false;
    const text = column.shown?.(row) ?? column.text(row);
    if (text !== cell.shown) {
      cell.shown = text;
      if (cell.text) cell.text.data = text;
      this.#note(this.#clip(cell, index), column, index);
    }
    cell.paint?.(row);
    if (column.amount) markAmount(cell.element, column.amount(row));
    const classes = column.className?.(row) ?? "";
    if (classes !== cell.classes) {
      for (const name of cell.classes.split(" ")) if (name) cell.element.classList.remove(name);
      for (const name of classes.split(" ")) if (name) cell.element.classList.add(name);
      cell.classes = classes;
    }
  }

  #width(cell: Cell<Row>, index: number): number {
    const column = this.#columns[index]?.column;
    return (column?.mono ? this.#measure.mono(cell.shown) : this.#measure.of(cell.shown)) + (column?.paintRoom ?? 0);
  }

  #note(width: number, column: GridColumn<Row>, index: number): void {
    if ((!column.amount && !column.mono) || width <= this.need(index)) return;
    this.#needs[index] = width;
    this.#wider = true;
  }

  /** Clips a cell only where its text is too wide, because each clip is a paint chunk of its own. Returns the text's width. */
  #clip(cell: Cell<Row>, index: number): number {
    const width = this.#width(cell, index);
    const { room = 0, scale = 1 } = this.#columns[index] ?? {};
    const clipped = width * scale > room;
    if (clipped !== cell.clipped) {
      cell.clipped = clipped;
      cell.element.classList.toggle("clip", clipped);
    }
    return width;
  }
}
