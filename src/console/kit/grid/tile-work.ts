/** How the tiles lie, as the one that draws them has it. */
export interface TileLayout {
  readonly perLine: number;
  /** Whole lines in view, at least one. */
  readonly lines: number;
  /** Brings a loaded row into view. */
  show(row: number): void;
}

/** Rows drawn as tiles, several in a line: how they lie for the cursor, and when they must be drawn anew. */
export class TileWork {
  #layout: TileLayout | null = null;
  #version = 0;
  readonly #listeners = new Set<() => void>();

  /** null: the rows are drawn as lines. */
  get layout(): TileLayout | null {
    return this.#layout;
  }

  /** Returns what ends it. */
  lay(layout: TileLayout): () => void {
    this.#layout = layout;
    return () => {
      if (this.#layout === layout) this.#layout = null;
    };
  }

  /** Rows, marks or cursor are others. */
  changed(): void {
    this.#version++;
    for (const listener of this.#listeners) listener();
  }

  readonly version = (): number => this.#version;
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };
}
