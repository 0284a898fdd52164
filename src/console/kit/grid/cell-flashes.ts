/** Most cells that flash at a time; more flashes would say nothing. */
const most = 24;
/**
 * ms of a flash, a plain tint that ends together with others that are nearly due. A fade would paint the changed cells in every
 * frame: with 100 changes a second twice as many frames were late.
 */
const flashFor = 900;
const together = 150;

/** Tints cells whose text a live change has replaced, for a moment. */
export class CellFlashes {
  /** Cell → when its flash ends, in that order. */
  readonly #until = new Map<HTMLElement, number>();
  #cooling = 0;

  close(): void {
    clearTimeout(this.#cooling);
  }

  /** The cells are gone. */
  forget(): void {
    this.#until.clear();
  }

  begin(cell: HTMLElement): void {
    if (this.#until.has(cell) || this.#until.size >= most) return;
    this.#until.set(cell, performance.now() + flashFor);
    cell.classList.add("flash");
    this.#cooling ||= window.setTimeout(() => this.#cool(), flashFor);
  }

  /** Before its time, because the cell shows another row now. */
  end(cell: HTMLElement): void {
    if (this.#until.delete(cell)) cell.classList.remove("flash");
  }

  #cool(): void {
    const now = performance.now();
    this.#cooling = 0;
    for (const [cell, until] of this.#until) {
      if (until > now) {
        this.#cooling = window.setTimeout(() => this.#cool(), Math.max(together, until - now));
        return;
      }
      this.end(cell);
    }
  }
}
