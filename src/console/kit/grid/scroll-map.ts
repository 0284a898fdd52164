/**
 * Chromium cuts an element's height at 33,554,428 / devicePixelRatio px, 11 million at a ratio of 3.
 * From this height on the browser is given this much, and its offsets are mapped.
 */
export const tallest = 8_000_000;

/** Views from an edge within which the thumb is put right at every rest, and how many it may be off elsewhere. */
const nearEdge = 3;
const drift = 4;

/** Translates between the browser's scroll offset and the offset in rows as tall as they really are. All in px. */
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
  /** Height the browser is given. */
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

  /** The browser scrolled. Small moves are one to one; past three views it was the thumb, which maps in proportion. */
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

  /** Goes to a true offset; the caller then writes `real` to the browser. */
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
   * Scrolling came to rest: the thumb is put where the true offset says, so that there is room again both ways. Not for a thumb
   * that is off by less than can be seen: every row would be written anew, and who pages on wait for it.
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
