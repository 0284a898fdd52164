/** ms the cursor rests before the hidden text of its cell is shown. */
const rest = 600;
/** px between the cell and its hidden text. */
const gap = 3;

/** Shows keyboard users what a tooltip shows: once the cursor rests, the hidden text of its cell appears above it. */
export class CellPeek {
  readonly #scroller: HTMLElement;
  readonly #hiddenText: (cell: HTMLElement) => string;
  #cell: HTMLElement | null = null;
  #timer = 0;
  #box: HTMLElement | null = null;

  constructor(scroller: HTMLElement, hiddenText: (cell: HTMLElement) => string, signal: AbortSignal) {
    this.#scroller = scroller;
    this.#hiddenText = hiddenText;
    const listen = { passive: true, signal };
    scroller.addEventListener("scroll", () => this.again(), listen);
    scroller.addEventListener("focus", () => this.again(), listen);
    scroller.addEventListener("blur", () => this.dismiss(), listen);
    signal.addEventListener("abort", () => this.dismiss());
  }

  /** The cell under the cursor. */
  over(cell: HTMLElement | null): void {
    if (cell === this.#cell) return;
    this.#cell = cell;
    this.again();
  }

  /** Shows the text again, because the cell may have moved or changed. */
  again(): void {
    this.dismiss();
    if (this.#cell !== null) this.#timer = window.setTimeout(() => this.#show(), rest);
  }

  /** True when a text was shown; it is shown again after the next move. */
  dismiss(): boolean {
    clearTimeout(this.#timer);
    const was = this.#box;
    this.#box = null;
    was?.remove();
    return was !== null;
  }

  #show(): void {
    const root = this.#scroller.parentElement;
    const cell = this.#cell;
    if (root === null || cell === null || document.activeElement !== this.#scroller) return;
    const [around, at] = [root.getBoundingClientRect(), cell.getBoundingClientRect()];
    const isSeen = at.top < around.bottom && at.bottom > around.top && at.left < around.right && at.right > around.left;
    const text = isSeen ? this.#hiddenText(cell) : "";
    if (text === "") return;
    const box = document.createElement("div");
    box.className = "peek";
    box.ariaHidden = "true"; // screen readers read the cell's whole text anyway
    const bdi = document.createElement("bdi");
    bdi.textContent = text;
    box.append(bdi);
    root.append(box);
    const size = box.getBoundingClientRect();
    const start = getComputedStyle(root).direction === "rtl" ? around.right - at.right : at.left - around.left;
    // who goes down the rows has read what it covers
    const above = at.top - around.top - gap - size.height;
    box.style.insetInlineStart = `${Math.max(0, Math.min(start, around.width - size.width))}px`;
    box.style.insetBlockStart = `${above >= 0 ? above : at.bottom - around.top + gap}px`;
    this.#box = box;
  }
}
