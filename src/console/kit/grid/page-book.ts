/** A page of the loaded rows: how many are left of it, and the cursors of its neighbours. */
export interface PageMark {
  readonly size: number;
  readonly next: string | null;
  readonly previous: string | null;
}

/** The pages of the loaded rows, in order. Live rows belong to the page they are in. */
export class PageBook {
  #pages: PageMark[];

  constructor(...pages: PageMark[]) {
    this.#pages = pages;
  }

  get first(): PageMark | undefined {
    return this.#pages[0];
  }
  get last(): PageMark | undefined {
    return this.#pages.at(-1);
  }
  get largest(): number {
    return this.#pages.reduce((most, { size }) => Math.max(most, size), 0);
  }

  push(page: PageMark): void {
    this.#pages.push(page);
  }

  unshift(page: PageMark): void {
    this.#pages.unshift(page);
  }

  /**
   * Rows were added at this index, or one was removed. Rows between two pages belong to the later one, so that they are loaded
   * again with it.
   */
  resize(index: number, by: number): void {
    let end = 0;
    for (const [n, page] of this.#pages.entries()) {
      end += page.size;
      if (n < this.#pages.length - 1 && index >= end && (by < 0 || index > 0)) continue;
      this.#pages[n] = { ...page, size: page.size + by };
      return;
    }
    if (by > 0) this.#pages.push({ size: by, next: null, previous: null });
  }

  at(index: number): { readonly first: number; readonly page: PageMark } | null {
    let first = 0;
    for (const page of this.#pages) {
      if (index < first + page.size) return { first, page };
      first += page.size;
    }
    return null;
  }

  /** A page may be dropped only while its neighbour can ask for it again. */
  canDrop(which: "first" | "last"): boolean {
    const neighbour = which === "first" ? this.#pages[1]?.previous : this.#pages.at(-2)?.next;
    return neighbour !== undefined && neighbour !== null;
  }

  /** Returns how many rows leave with it. */
  drop(which: "first" | "last"): number {
    const page = which === "first" ? this.#pages.shift() : this.#pages.pop();
    return page?.size ?? 0;
  }
}
