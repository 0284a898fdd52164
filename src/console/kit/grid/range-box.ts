import type { CellRange } from "./cell-range.ts";
import type { LaidColumn, Layout } from "./column-layout.ts";

export interface RangeDrawing {
  readonly range: CellRange | null;
  readonly layout: Layout;
  readonly rowHeight: number;
  /** px: true offset − drawn offset of rows. */
  readonly base: number;
  /** px scrolled, as drawn; and the size of the view. */
  readonly top: number;
  readonly offset: number;
  readonly width: number;
  readonly height: number;
  readonly bodyHeight: number;
  readonly rtl: boolean;
}

/** Views beyond the visible one that the box covers before it is drawn again, because it must not be as tall as a million rows. */
const reach = 8;

/**
 * Draws the range as one box over the view, whatever columns are pinned, because it is in the track that does not scroll
 * sideways. Without a range it writes nothing.
 */
export class RangeBox {
  readonly #element = document.createElement("div");
  /** As last written; "": hidden. */
  #at = "";
  #wide = "";
  #high = "";

  constructor(track: HTMLElement) {
    this.#element.className = "range";
    this.#element.hidden = true;
    track.append(this.#element);
  }

  close(): void {
    this.#element.remove();
  }

  forget(): void {
    if (this.#at !== "") this.#at = "?";
    this.#wide = this.#high = "?";
  }

  draw(at: RangeDrawing): void {
    const { range } = at;
    if (range === null) {
      if (this.#at === "") return;
      this.#at = "";
      this.#element.hidden = true;
      return;
    }
    const first = at.layout.columns[range.first];
    const last = at.layout.columns[range.last];
    if (!first || !last) return;
    const start = edge(at, first, first.offset);
    const width = edge(at, last, last.offset + last.width) - start;
    const step = reach * Math.max(1, at.height);
    const near = Math.floor(at.top / step) * step;
    const y = Math.max(range.top * at.rowHeight - at.base, near - step);
    const end = Math.min((range.bottom + 1) * at.rowHeight - at.base, near + 2 * step, at.bodyHeight);
    const { style } = this.#element;
    if (this.#at === "") this.#element.hidden = false;
    const drawn = `translate(${at.rtl ? -start : start}px,${y}px)`;
    if (drawn !== this.#at) style.transform = this.#at = drawn;
    const wide = `${Math.max(0, width)}px`;
    if (wide !== this.#wide) style.inlineSize = this.#wide = wide;
    const high = `${Math.max(0, end - y - 1)}px`;
    if (high !== this.#high) style.blockSize = this.#high = high;
  }
}

/** A column's edge in the view, px from its start; scrolled columns never cover pinned ones. */
function edge({ layout, offset, width }: RangeDrawing, column: LaidColumn, at: number): number {
  if (column.pinned === "start") return at;
  const last = layout.columns.at(-1);
  if (column.pinned === "end") return at - ((last?.offset ?? 0) + (last?.width ?? 0)) + width;
  return Math.max(layout.start, Math.min(at - offset, width - layout.end));
}
