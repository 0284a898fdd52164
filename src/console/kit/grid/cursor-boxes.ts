import type { LaidColumn } from "./column-layout.ts";

export interface CursorDrawing {
  /** −1: the header. */
  readonly row: number;
  readonly column: number;
  /** px in the body. */
  readonly y: number;
  readonly laid: LaidColumn | undefined;
  /** The mounted cell under the cursor; null in the header and in an empty grid. */
  readonly cell: HTMLElement | null;
  readonly height: number;
  readonly rtl: boolean;
}

interface Elements {
  readonly scroller: HTMLElement;
  readonly here: HTMLElement;
  readonly ring: HTMLElement;
}

/** Id of a header cell, for aria-activedescendant. */
export function headerCellId(grid: string, column: number): string {
  return `${grid}-h${column}`;
}

/** The cursor: a tint over the row, a ring round the cell (both moved by transform), and the active descendant. */
export class CursorBoxes {
  readonly #elements: Elements;
  readonly #grid: string;
  #active: HTMLElement | null = null;
  #activeId = "";
  #ringed: HTMLElement | null = null;
  #hereAt = "";
  #ringAt = "";
  #ringSize = "";
  #hereShown = true;
  #ringShown = true;

  constructor(elements: Elements, grid: string) {
    this.#elements = elements;
    this.#grid = grid;
  }

  /** Sizes or the pool have changed, so everything is drawn again. */
  forget(): void {
    this.#hereAt = this.#ringAt = this.#ringSize = "";
  }

  /** Returns the cursor's cell, in a row or in the header. */
  draw(at: CursorDrawing): HTMLElement | null {
    const { here, ring } = this.#elements;
    const onRow = at.cell !== null && at.laid !== undefined;
    if (onRow !== this.#hereShown) here.hidden = !(this.#hereShown = onRow);
    const boxed = onRow && at.laid?.pinned === null;
    if (boxed !== this.#ringShown) ring.hidden = !(this.#ringShown = boxed);
    if (onRow) {
      const hereAt = `translateY(${at.y}px)`;
      if (hereAt !== this.#hereAt) here.style.transform = this.#hereAt = hereAt;
    }
    if (boxed && at.laid) {
      const ringAt = `translate(${at.rtl ? -at.laid.offset : at.laid.offset}px,${at.y}px)`;
      if (ringAt !== this.#ringAt) ring.style.transform = this.#ringAt = ringAt;
      const size = `${at.laid.width}px`;
      if (size !== this.#ringSize) ring.style.inlineSize = this.#ringSize = size;
    }
    // a pinned cell does not scroll with the rows, so it has the ring itself; so does a header cell
    const header = at.row < 0 ? document.getElementById(headerCellId(this.#grid, at.column)) : null;
    this.#wear(header ?? (onRow && !boxed ? at.cell : null));
    if (header) this.#activate(null, header.id);
    else this.#activate(at.cell, at.cell ? `${this.#grid}-${at.row}-${at.column}` : "");
    return header ?? at.cell;
  }

  #wear(element: HTMLElement | null): void {
    if (element === this.#ringed) return;
    this.#ringed?.classList.remove("cursor");
    element?.classList.add("cursor");
    this.#ringed = element;
  }

  #activate(cell: HTMLElement | null, id: string): void {
    if (cell === this.#active && id === this.#activeId) return;
    if (this.#active && this.#active !== cell) this.#active.removeAttribute("id");
    if (cell) cell.id = id;
    if (id !== this.#activeId) {
      if (id) this.#elements.scroller.setAttribute("aria-activedescendant", id);
      else this.#elements.scroller.removeAttribute("aria-activedescendant");
    }
    this.#active = cell;
    this.#activeId = id;
  }
}
