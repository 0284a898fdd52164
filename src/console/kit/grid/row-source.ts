import type { GridRow } from "./grid-column.ts";

/** A row taken by another: shown struck with its keys dead until the time (Date.now() ms), then it leaves. */
export interface Tombstone {
  readonly until: number;
}

export type Loading = "idle" | "loading" | "failed";

/** What is known of the rows not loaded: whether more follow, and how many there are in all (null: not counted). */
export interface PageEnd {
  readonly more: boolean;
  readonly total?: number | null;
}

export type RowChange<Row> =
  /** `keepsPlace`: the same question asked again, so a cursor whose row has gone stays where it stands. */
  | { readonly kind: "reset"; readonly keepsPlace: boolean }
  | { readonly kind: "patch"; readonly index: number; readonly before: Row; readonly row: Row }
  | { readonly kind: "splice"; readonly index: number; readonly removed: readonly Row[]; readonly inserted: number }
  | { readonly kind: "tombstone"; readonly index: number }
  | { readonly kind: "status" };

/**
 * The rows of one grid, in order, each at most once: keyset pages appended as they come, live changes patched in.
 * Holds no React and no DOM; whoever shows the rows subscribes.
 */
export class RowSource<Row extends GridRow> {
  #rows: Row[] = [];
  /** Ids to indexes, right below `#indexed`; the rest is read on demand, so that a million static rows cost nothing. */
  #index = new Map<string, number>();
  #indexed = 0;
  #tombstones = new Map<string, Tombstone>();
  #listeners = new Set<(change: RowChange<Row>) => void>();
  #more = false;
  #total: number | null = null;
  #loading: Loading = "loading";

  /** Before the first page a source is "loading". */
  get loading(): Loading {
    return this.#loading;
  }
  get more(): boolean {
    return this.#more;
  }
  /** Rows there are in all, loaded or not; null when not counted. */
  get total(): number | null {
    return this.#more ? this.#total : this.#rows.length;
  }
  get length(): number {
    return this.#rows.length;
  }
  get rows(): readonly Row[] {
    return this.#rows;
  }

  at(index: number): Row | undefined {
    return this.#rows[index];
  }

  get(id: string): Row | undefined {
    const index = this.indexOf(id);
    return index < 0 ? undefined : this.#rows[index];
  }

  /** −1 when not loaded. `hint`: where it stood last; looked at first. */
  indexOf(id: string, hint = -1): number {
    if (this.#rows[hint]?.uuid === id) return hint;
    const known = this.#index.get(id);
    if (known !== undefined && known < this.#indexed && this.#rows[known]?.uuid === id) return known;
    while (this.#indexed < this.#rows.length) {
      const row = this.#rows[this.#indexed];
      if (row) this.#index.set(row.uuid, this.#indexed);
      this.#indexed += 1;
      if (row?.uuid === id) return this.#indexed - 1;
    }
    return -1;
  }

  /** A new question's first page. */
  setPage(rows: readonly Row[], end: PageEnd = { more: false }): void {
    this.#replace(rows, end, false);
  }

  /** The same question asked again. */
  refresh(rows: readonly Row[], end: PageEnd = { more: false }): void {
    this.#replace(rows, end, true);
  }

  append(rows: readonly Row[], end: PageEnd = { more: this.#more, total: this.#total }): void {
    this.#end(end);
    this.#insert(this.#rows.length, rows);
    this.#tell({ kind: "status" });
  }

  prepend(rows: readonly Row[]): void {
    this.insert(0, rows);
  }

  /** Rows already loaded are left out: a keyset page may overlap with what came live. */
  insert(index: number, rows: readonly Row[]): void {
    const before = this.#rows.length;
    this.#insert(index, rows);
    if (this.#total !== null) this.#total += this.#rows.length - before;
  }

  /** Replaces a row where it stands; false when it is not loaded. A change of the sort key does not move it. */
  patch(id: string, row: Row): boolean {
    return this.patchAt(this.indexOf(id), row);
  }

  patchAt(index: number, row: Row): boolean {
    const before = this.#rows[index];
    if (!before) return false;
    if (before.uuid !== row.uuid) throw new Error("a patch must keep the row's id");
    this.#rows[index] = row;
    this.#tell({ kind: "patch", index, before, row });
    return true;
  }

  remove(id: string): boolean {
    const index = this.indexOf(id);
    if (index < 0) return false;
    this.#tombstones.delete(id);
    this.#index.delete(id);
    const removed = this.#rows.splice(index, 1);
    this.#indexed = Math.min(this.#indexed, index);
    if (this.#total !== null) this.#total = Math.max(0, this.#total - 1);
    this.#tell({ kind: "splice", index, removed, inserted: 0 });
    return true;
  }

  /** Shows the row as taken until the time (Date.now() ms), then `sweep` removes it. */
  entomb(id: string, until: number): boolean {
    const index = this.indexOf(id);
    if (index < 0) return false;
    this.#tombstones.set(id, { until });
    this.#tell({ kind: "tombstone", index });
    return true;
  }

  isTombstone(id: string): boolean {
    return this.#tombstones.has(id);
  }

  /** Removes tombstones whose time has come; answers when the next is due, or null. */
  sweep(now: number): number | null {
    const lapsed = [...this.#tombstones].filter(([, stone]) => stone.until <= now);
    for (const [id] of lapsed) this.remove(id);
    let due: number | null = null;
    for (const stone of this.#tombstones.values()) due = due === null ? stone.until : Math.min(due, stone.until);
    return due;
  }

  setLoading(loading: Loading): void {
    if (loading === this.#loading) return;
    this.#loading = loading;
    this.#tell({ kind: "status" });
  }

  subscribe(listener: (change: RowChange<Row>) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #insert(index: number, rows: readonly Row[]): void {
    const seen = new Set<string>();
    const fresh = rows.filter((row) => this.indexOf(row.uuid) < 0 && !seen.has(row.uuid) && seen.add(row.uuid));
    if (fresh.length === 0) return;
    const at = Math.max(0, Math.min(index, this.#rows.length));
    if (at === this.#rows.length) for (const row of fresh) this.#rows.push(row);
    else this.#rows = [...this.#rows.slice(0, at), ...fresh, ...this.#rows.slice(at)];
    this.#indexed = Math.min(this.#indexed, at);
    this.#tell({ kind: "splice", index: at, removed: [], inserted: fresh.length });
  }

  #replace(rows: readonly Row[], end: PageEnd, keepsPlace: boolean): void {
    this.#rows = [...rows];
    this.#index = new Map();
    this.#indexed = 0;
    const kept = [...this.#tombstones].filter(([id]) => keepsPlace && this.indexOf(id) >= 0);
    this.#tombstones = new Map(kept);
    this.#end(end);
    this.#tell({ kind: "reset", keepsPlace });
    this.#tell({ kind: "status" });
  }

  #end(end: PageEnd): void {
    this.#more = end.more;
    this.#total = end.total ?? null;
    this.#loading = "idle";
  }

  #tell(change: RowChange<Row>): void {
    for (const listener of this.#listeners) listener(change);
  }
}
