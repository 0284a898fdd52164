/**
 * Chromium cuts an element's height at 33,554,428 / devicePixelRatio px, 11 million at a ratio of 3. Taller grids get this
 * height, and the browser's offsets are mapped.
 */
export const tallest = 8_000_000;

/** Views from an edge within which the thumb is corrected at every rest, and views by which it may be off elsewhere. */
const nearEdge = 3;
const drift = 4;

/** Maps between the browser's scroll offset and the offset in rows of their true height. All in px. */
export class ScrollMap {
  #total = 0;
  #view = 0;
  #real = 0;
  #base = 0;

  /** Offset in the true height. */
  get top(): number {
    return this.#real + this.#base;
  }
  /** The browser's scrollTop. */
  get real(): number {
    return this.#real;
  }
  /** True offset − browser's offset; a row is drawn at its true offset − base. */
  get base(): number {
    return this.#base;
  }
  /** Height of the element in the browser. */
  get height(): number {
    return Math.min(this.#total, tallest);
  }
  get farthest(): number {
    return Math.max(0, this.#total - this.#view);
  }

  resize(total: number, view: number): void {
    const top = this.top;
    this.#total = total;
    this.#view = view;
    this.moveTo(Math.min(top, this.farthest));
  }

  /** The browser scrolled. Small moves are one to one; beyond three views it was the thumb, which maps in proportion. */
  scrolled(scrollTop: number): void {
    const reach = this.height - this.#view;
    if (this.#total <= tallest) {
      this.#real = scrollTop;
      this.#base = 0;
      return;
    }
    const thumb = Math.abs(scrollTop - this.#real) > 3 * this.#view;
    const wanted = thumb ? (scrollTop / reach) * this.farthest : scrollTop + this.#base;
    this.#real = scrollTop;
    this.#base = Math.round(clamp(wanted, 0, this.farthest) - scrollTop);
  }

  /** Sets a true offset; the caller then writes `real` to the browser. */
  moveTo(top: number): void {
    const to = clamp(Math.round(top), 0, this.farthest);
    if (this.#total <= tallest) {
      this.#real = to;
      this.#base = 0;
      return;
    }
    const near = to - this.#base;
    const reach = this.height - this.#view;
    const small = Math.abs(near - this.#real) <= 3 * this.#view && near >= 0 && near <= reach;
    this.#real = small ? near : this.#proportional(to);
    this.#base = to - this.#real;
  }

  /**
   * Scrolling stopped: the thumb is moved to match the true offset, so that there is room in both directions. Not for a
   * difference too small to see, because every row would be painted again while the user pages on.
   */
  settle(): void {
    if (this.#total <= tallest) return;
    const top = this.top;
    const to = this.#proportional(top);
    const room = Math.min(this.#real, this.height - this.#view - this.#real);
    if (room > nearEdge * this.#view && Math.abs(to - this.#real) < drift * this.#view) return;
    this.#real = to;
    this.#base = top - to;
  }

  #proportional(top: number): number {
    return this.farthest === 0 ? 0 : Math.round((top / this.farthest) * (this.height - this.#view));
  }
}

function clamp(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(value, high));
}
