import type { GridRow } from "./grid-column.ts";

/** Rows still needed although their page is no longer held, mostly marked ones; the grid decides which. */
export class AwayRows<Row extends GridRow> {
  #rows = new Map<string, { readonly row: Row; readonly above: boolean }>();
  /** Whether a row must be kept. */
  needs: (id: string) => boolean = () => false;

  get size(): number {
    return this.#rows.size;
  }

  get(id: string): Row | undefined {
    return this.#rows.get(id)?.row;
  }

  isAbove(id: string): boolean {
    return this.#rows.get(id)?.above === true;
  }

  /** Keeps the needed ones of the rows that leave. `above`: they were before the rows that stay. */
  keep(rows: readonly Row[], above: boolean): void {
    this.prune();
    for (const row of rows) if (this.needs(row.uuid)) this.#rows.set(row.uuid, { row, above });
  }

  prune(): void {
    for (const id of this.#rows.keys()) if (!this.needs(id)) this.#rows.delete(id);
  }

  patch(id: string, row: Row): void {
    const known = this.#rows.get(id);
    if (known) this.#rows.set(id, { ...known, row });
  }

  delete(id: string): void {
    this.#rows.delete(id);
  }

  clear(): void {
    this.#rows.clear();
  }

  /** Rows of one side, in the order they left. */
  rows(above: boolean): Row[] {
    return [...this.#rows.values()].filter((one) => one.above === above && this.needs(one.row.uuid)).map(({ row }) => row);
  }

  ids(): string[] {
    return [...this.#rows.keys()].filter((id) => this.needs(id));
  }
}
