import { markAmount } from "../look/amount.tsx";
import type { GridColumn, GridRow } from "./grid-column.ts";
import type { CellWidth } from "./text-width.ts";

interface Cell<Row> {
  readonly element: HTMLElement;
  /** A plain cell's text node, or what writes a rich cell. */
  readonly text: Text | null;
  readonly paint: ((row: Row) => void) | null;
  shown: string;
  classes: string;
  clipped: boolean;
  /** True while it still shows another row's content. */
  stale: boolean;
}

export interface Slot<Row> {
  readonly element: HTMLElement;
  /** None until it holds its first row: a short list needs few of the pool's cells. */
  cells: readonly Cell<Row>[];
  index: number;
  row: Row | undefined;
  y: number;
  classes: string;
  marked: boolean | null;
}

/** How a row looks beyond its cells. */
export interface RowLook {
  readonly classes: string;
  readonly marked: boolean;
}

export interface PoolColumn<Row> {
  readonly column: GridColumn<Row>;
  /** Inner width, px: the cell without its padding. */
  readonly room: number;
  /** Size of its type as a share of the grid's own. */
  readonly scale: number;
  readonly pinned: "start" | "end" | null;
}

/** At most so many cells flash at a time: past that a flash says nothing. */
const flashes = 24;
/**
 * A flash is a tint that stands for so many ms and goes, together with others that are about due. A fade would have the
 * changed cells painted in every frame: with 100 changes a second twice as many frames came late.
 */
const flashFor = 900;
const flashTogether = 150;

/** Above everything: laid out like any row, and out of sight. */
const aside = "translateY(-9999px)";

/**
 * A fixed number of row elements, handed from row to row and written directly.
 * Some more, the spares, hold rows written before they are asked for, out of sight: whoever leaps there finds them ready.
 * One more, the keeper, holds the cursor's row while it is scrolled out of the window, so that it stays mounted.
 * Not react-virtual's rows, as its columns are (column-window.ts): what costs is React drawing each row anew. Measured with the same
 * design on memoised React rows, a wheel took 395 ms of processor a second instead of 203, and Ctrl+End 63 ms instead of 35.
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
  /** Cell → when its flash ends, in the order of that. */
  #flashing = new Map<HTMLElement, number>();
  #cooling = 0;
  #before = 0;
  /** px the widest text written so far needs, by column; amounts and ids only. */
  #needs: number[] = [];
  #wider = false;

  constructor(body: HTMLElement, measure: CellWidth) {
    this.#body = body;
    this.#measure = measure;
  }

  close(): void {
    clearTimeout(this.#cooling);
    for (const slot of this.all()) slot.element.remove();
  }

  get size(): number {
    return this.#slots.length;
  }

  get spares(): readonly Slot<Row>[] {
    return this.#spares;
  }

  /** Builds the pool anew: other columns, another size, another direction. */
  build(columns: readonly PoolColumn<Row>[], size: number, spares: number, marks: boolean, rtl: boolean): void {
    this.#columns = columns;
    this.#marks = marks;
    this.#bidi = rtl;
    this.#needs = [];
    for (const slot of this.all()) slot.element.remove();
    this.#flashing.clear();
    const before = this.#body.firstChild;
    const make = () => {
      const slot = this.#slot();
      this.#body.insertBefore(slot.element, before);
      return slot;
    };
    this.#slots = Array.from({ length: size }, make);
    this.#spares = Array.from({ length: spares }, make);
    this.#keeper = make();
  }

  /** New widths, same columns: only which cells must be clipped can change. */
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

  /** Rows there are before the first one held: a row's number counts all. */
  numberFrom(before: number): void {
    if (before === this.#before) return;
    this.#before = before;
    for (const slot of this.all()) if (slot.index >= 0) this.#number(slot);
  }

  /** The header is the first row. */
  #number(slot: Slot<Row>): void {
    slot.element.ariaRowIndex = String(this.#before + slot.index + 2);
  }

  /** The slot that holds, or would hold, a row of the window. */
  slotFor(index: number): Slot<Row> | undefined {
    return this.#slots[index % this.#slots.length];
  }

  spareOf(index: number): Slot<Row> | undefined {
    return this.#spares.find((slot) => slot.index === index);
  }

  /**
   * The slot to write a row of the window into. The spare that holds it already changes places with the window's own; so
   * does a free one when the window's own holds a row that `keeps` wants kept.
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

  /** Out of sight with all it shows. */
  setAside(slot: Slot<Row>): void {
    if (Number.isNaN(slot.y)) return;
    slot.y = Number.NaN;
    slot.element.style.transform = aside;
  }

  /** The slot in which a row is mounted now. */
  holding(index: number): Slot<Row> | undefined {
    const slot = this.slotFor(index);
    if (slot?.index === index) return slot;
    return this.#keeper?.index === index ? this.#keeper : undefined;
  }

  get keeper(): Slot<Row> | null {
    return this.#keeper;
  }

  /** Puts a row into a slot, at its place or aside (NaN). Only the cells of `columns` are written now; `complete` writes the others. */
  place(slot: Slot<Row>, index: number, row: Row, y: number, look: RowLook, columns: readonly number[]): void {
    if (slot.cells.length === 0) this.#furnish(slot);
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
        if (!same && this.#flashing.delete(cell.element)) cell.element.classList.remove("flash");
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

  /** A live change: cells whose text changed flash once. */
  patch(slot: Slot<Row>, row: Row, look: RowLook): void {
    slot.row = row;
    this.look(slot, look);
    slot.cells.forEach((cell, index) => {
      const before = cell.shown;
      const wasStale = cell.stale;
      this.#write(slot, cell, index);
      if (!wasStale && cell.shown !== before && !this.#columns[index]?.column.quiet) this.#flash(cell.element);
    });
  }

  /** Rewrites the ticking cells of one slot. */
  tick(slot: Slot<Row>): void {
    slot.cells.forEach((cell, index) => this.#columns[index]?.column.tick && !cell.stale && this.#write(slot, cell, index));
  }

  /** Takes a slot out of sight: fewer rows than slots, or nothing to keep. */
  park(slot: Slot<Row>): void {
    if (slot.index < 0) return;
    slot.index = -1;
    slot.row = undefined;
    this.setAside(slot);
    // nobody's, not even a screen reader's; no selector asks the index, which changes with every row
    slot.element.style.visibility = "hidden";
    slot.element.removeAttribute("aria-rowindex");
    for (const cell of slot.cells) cell.stale = true;
  }

  /** px the widest amount or id written so far needs; 0 for columns of other texts. */
  need(column: number): number {
    return this.#needs[column] ?? 0;
  }

  /** Whether a wider one was written since this was asked last. */
  tookWider(): boolean {
    const wider = this.#wider;
    this.#wider = false;
    return wider;
  }

  /** Width the widest shown text of a column needs, px, padding not included. */
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

  /** Only a cell whose text is too wide clips: each clip is a paint chunk of its own. Answers the text's width. */
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

  #flash(element: HTMLElement): void {
    if (this.#flashing.has(element) || this.#flashing.size >= flashes) return;
    this.#flashing.set(element, performance.now() + flashFor);
    element.classList.add("flash");
    this.#cooling ||= window.setTimeout(() => this.#cool(), flashFor);
  }

  #cool(): void {
    const now = performance.now();
    this.#cooling = 0;
    for (const [element, until] of this.#flashing) {
      if (until > now) {
        this.#cooling = window.setTimeout(() => this.#cool(), Math.max(flashTogether, until - now));
        return;
      }
      this.#flashing.delete(element);
      element.classList.remove("flash");
    }
  }

  #slot(): Slot<Row> {
    const element = document.createElement("div");
    element.className = "row";
    element.role = "row";
    element.style.transform = aside;
    element.style.visibility = "hidden";
    return { element, cells: [], index: -1, row: undefined, y: Number.NaN, classes: "", marked: null };
  }

  #furnish(slot: Slot<Row>): void {
    const { element } = slot;
    if (this.#marks) {
      const mark = document.createElement("div");
      mark.className = "mk";
      mark.role = "gridcell";
      mark.ariaColIndex = "1";
      const box = document.createElement("span");
      box.className = "box";
      mark.append(box);
      element.append(mark);
    }
    const first = this.#marks ? 2 : 1;
    slot.cells = this.#columns.map(({ column, pinned }, index): Cell<Row> => {
      const cell = document.createElement("div");
      cell.role = "gridcell";
      cell.ariaColIndex = String(index + first);
      cell.className = `cell c${index}${column.align === "end" ? " num" : ""}${pinned ? ` pin-${pinned}` : ""}${column.paint ? " rich" : ""}${column.mono ? " mono" : ""}`;
      element.append(cell);
      const common = { element: cell, shown: "", classes: "", clipped: false, stale: true };
      if (column.paint) return { ...common, text: null, paint: column.paint(cell) };
      const text = document.createTextNode("");
      if (this.#bidi || column.mono) {
        // in a right-to-left page a minus sign or a Latin name must not be reordered by its surroundings, nor by what keeps an id's end
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
}
