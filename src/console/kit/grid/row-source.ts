import { AwayRows } from "./away-rows.ts";
import type { GridRow } from "./grid-column.ts";
import type { RowFeed } from "./row-feed.ts";
import { PageBook, type PageMark } from "./page-book.ts";

/** A row that is gone: shown struck through and disabled until the time (Date.now() ms), then removed. */
export interface Tombstone {
  readonly until: number;
}

export type Loading = "idle" | "loading" | "failed";

/** What is known of the rows not loaded: whether there are more on either side, and how many (null: not counted). */
export interface PageEnd {
  readonly more: boolean;
  /** Number of rows in all. */
  readonly total?: number | null;
  readonly moreBefore?: boolean;
  /** Number of rows before this page. */
  readonly before?: number | null;
  /** Cursors of the neighbouring pages. */
  readonly next?: string | null;
  readonly previous?: string | null;
}

/** Where the cursor goes after a jump: first, last or the row with this id. */
export type JumpTarget = "first" | "last" | { readonly id: string };

export type RowChange<Row> =
  /** `keepsPlace`: the same query was refetched, so a cursor whose row is gone stays in its place. `to`: another part of the same query. */
  | { readonly kind: "reset"; readonly keepsPlace: boolean; readonly to?: JumpTarget }
  /** Index −1: a row that is kept although its page is no longer held. */
  | { readonly kind: "patch"; readonly index: number; readonly before: Row; readonly row: Row }
  /** `paged`: the rows are no longer held, but still in the list. */
  | { readonly kind: "splice"; readonly index: number; readonly removed: readonly Row[]; readonly inserted: number; readonly paged?: true }
  | { readonly kind: "tombstone"; readonly index: number }
  /** A row whose page is no longer held has left the list. */
  | { readonly kind: "gone"; readonly row: Row }
  | { readonly kind: "status" };

/**
 * The rows of one grid, in order, each at most once: keyset pages are added at either end, live changes patched in. Of a long
 * list it holds at most `most` rows and drops whole pages at the far end. Holds no React and no DOM; the grid subscribes.
 */
export class RowSource<Row extends GridRow> {
  /** Loads further rows; null where all rows are given. */
  feed: RowFeed | null = null;
  /** Id of the row under the cursor, set by the grid. */
  cursor: () => string | null = () => null;
  readonly most: number;
  readonly away = new AwayRows<Row>();
  #rows: Row[] = [];
  /** Ids to indexes below `#indexed`; the rest is indexed on demand, so that a million static rows cost nothing. */
  #index = new Map<string, number>();
  #indexed = 0;
  #pages = new PageBook();
  #tombstones = new Map<string, Tombstone>();
  #listeners = new Set<(change: RowChange<Row>) => void>();
  #more = false;
  #moreBefore = false;
  #before: number | null = 0;
  #total: number | null = null;
  #loading: Loading = "loading";
  #showsPreviousRows = false;

  constructor(most = Infinity) {
    this.most = most;
  }

  /** "loading" before the first page. */
  get loading(): Loading {
    return this.#loading;
  }
  /** The rows of the previous query are shown until the new ones arrive. */
  get showsPreviousRows(): boolean {
    return this.#showsPreviousRows;
  }
  get more(): boolean {
    return this.#more;
  }
  get moreBefore(): boolean {
    return this.#moreBefore;
  }
  /** Cursor of the page after the last row, or before the first; null: there is none. */
  get next(): string | null {
    return this.#more ? (this.#pages.last?.next ?? null) : null;
  }
  get previous(): string | null {
    return this.#moreBefore ? (this.#pages.first?.previous ?? null) : null;
  }
  /** Number of rows before the first loaded one; null when not counted. */
  get before(): number | null {
    if (!this.#moreBefore) return 0;
    if (this.#before !== null) return this.#before;
    return this.#more || this.#total === null ? null : Math.max(0, this.#total - this.#rows.length);
  }
  /** Number of rows in all, loaded or not; null when not counted. */
  get total(): number | null {
    const { before } = this;
    const known = before === null ? null : before + this.#rows.length;
    if (!this.#more) return known;
    return this.#total === null ? null : Math.max(this.#total, known ?? 0);
  }
  get length(): number {
    return this.#rows.length;
  }
  get rows(): readonly Row[] {
    return this.#rows;
  }
  /** A further page may drop one at the far end. */
  get isFull(): boolean {
    return this.#rows.length + 2 * this.#pages.largest > this.most;
  }

  at(index: number): Row | undefined {
    return this.#rows[index];
  }

  /** A loaded row, or one kept although its page is no longer held. */
  get(id: string): Row | undefined {
    const index = this.indexOf(id);
    return index < 0 ? this.away.get(id) : this.#rows[index];
  }

  /** −1 when not loaded. `hint`: its last index, which is tried first. */
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

  /** The page that contains a row, and the index of that page's first row. */
  pageAt(index: number): { readonly first: number; readonly page: PageMark } | null {
    return this.#pages.at(index);
  }

  /** Another query begins, without rows yet. */
  begin(): void {
    const showsPreviousRows = this.#rows.length > 0 || this.#showsPreviousRows;
    this.away.clear();
    this.#replace([], { more: false }, { keepsPlace: false }, { loading: "loading", showsPreviousRows });
  }

  /** Sets the first page of a new query. */
  setPage(rows: readonly Row[], end: PageEnd = { more: false }): void {
    this.away.clear();
    this.#replace(rows, end, { keepsPlace: false });
  }

  /** Sets refetched rows of the same query; needed rows beyond them are kept, because they may still exist. */
  refresh(rows: readonly Row[], end: PageEnd = { more: false }): void {
    if (end.more || end.moreBefore === true) {
      const here = new Set(rows.map(({ uuid }) => uuid));
      const isHere = ({ uuid }: Row) => here.has(uuid);
      if (end.moreBefore === true) this.away.keep(this.#rows.slice(0, Math.max(0, this.#rows.findIndex(isHere))), true);
      if (end.more) this.away.keep(this.#rows.slice(this.#rows.findLastIndex(isHere) + 1 || this.#rows.length), false);
    }
    this.#replace(rows, end, { keepsPlace: true });
  }

  /** Sets another part of the same query. */
  jump(rows: readonly Row[], end: PageEnd, to: JumpTarget): void {
    this.away.keep(this.#rows, to !== "first");
    this.#replace(rows, end, { keepsPlace: false, to });
  }

  /** Adds the page after the last. */
  append(rows: readonly Row[], end: PageEnd = { more: this.#more, total: this.#total }): void {
    this.#more = end.more;
    if (end.total !== undefined) this.#total = end.total;
    this.#loading = "idle";
    this.#pages.push({ size: 0, next: end.next ?? null, previous: end.previous ?? null });
    this.#insert(this.#rows.length, rows);
    while (this.#rows.length > this.most - rows.length && this.#pages.canDrop("first")) this.#drop("first");
    this.#publish({ kind: "status" });
  }

  /** Adds the page before the first. */
  precede(rows: readonly Row[], end: PageEnd): void {
    const { before, length } = this;
    this.#loading = "idle";
    this.#pages.unshift({ size: 0, next: end.next ?? null, previous: end.previous ?? null });
    this.#insert(0, rows);
    this.#moreBefore = end.moreBefore ?? false;
    this.#before = before === null ? null : Math.max(0, before - (this.#rows.length - length));
    while (this.#rows.length > this.most - rows.length && this.#pages.canDrop("last")) this.#drop("last");
    this.#publish({ kind: "status" });
  }

  prepend(rows: readonly Row[]): void {
    this.insert(0, rows);
  }

  /** Inserts rows, except those already loaded: a keyset page may overlap with live rows. */
  insert(index: number, rows: readonly Row[]): void {
    const before = this.#rows.length;
    this.#insert(index, rows);
    if (this.#total !== null) this.#total += this.#rows.length - before;
  }

  /** Replaces a row in its place; false when it is not known. A change of its sort key does not move it. */
  patch(id: string, row: Row): boolean {
    const index = this.indexOf(id);
    return index < 0 ? this.#patchAway(id, row) : this.patchAt(index, row);
  }

  patchAt(index: number, row: Row): boolean {
    const before = this.#rows[index];
    if (!before) return false;
    if (before.uuid !== row.uuid) throw new Error("a patch must keep the row's id");
    this.#rows[index] = row;
    this.#publish({ kind: "patch", index, before, row });
    return true;
  }

  #patchAway(id: string, row: Row): boolean {
    const before = this.away.get(id);
    if (before === undefined) return false;
    this.away.patch(id, row);
    this.#publish({ kind: "patch", index: -1, before, row });
    return true;
  }

  remove(id: string): boolean {
    const index = this.indexOf(id);
    if (index < 0) return this.#removeAway(id);
    this.#tombstones.delete(id);
    this.#index.delete(id);
    const removed = this.#rows.splice(index, 1);
    this.#pages.resize(index, -1);
    this.#indexed = Math.min(this.#indexed, index);
    if (this.#total !== null) this.#total = Math.max(0, this.#total - 1);
    this.#publish({ kind: "splice", index, removed, inserted: 0 });
    return true;
  }

  #removeAway(id: string): boolean {
    const row = this.away.get(id);
    if (row === undefined) return false;
    if (this.away.isAbove(id) && this.#before !== null) this.#before = Math.max(0, this.#before - 1);
    if (this.#total !== null) this.#total = Math.max(0, this.#total - 1);
    this.away.delete(id);
    this.#publish({ kind: "gone", row });
    return true;
  }

  /** Shows the row as gone until the time (Date.now() ms), when `sweep` removes it. */
  entomb(id: string, until: number): boolean {
    const index = this.indexOf(id);
    if (index < 0) return false;
    this.#tombstones.set(id, { until });
    this.#publish({ kind: "tombstone", index });
    return true;
  }

  isTombstone(id: string): boolean {
    return this.#tombstones.has(id);
  }

  /** Removes expired tombstones; returns when the next one expires, or null. */
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
    this.#showsPreviousRows &&= loading === "loading";
    this.#publish({ kind: "status" });
  }

  /** Resolves once the first rows of what is asked for have come, or are known not to; null where none are on their way. */
  firstRows(): Promise<void> | null {
    const areOnTheirWay = (): boolean => this.length === 0 && this.#loading === "loading";
    if (!areOnTheirWay()) return null;
    const { promise, resolve } = Promise.withResolvers<void>();
    const stop = this.subscribe(() => {
      if (areOnTheirWay()) return;
      stop();
      resolve();
    });
    return promise;
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
    for (const { uuid } of fresh) this.away.delete(uuid);
    this.#showsPreviousRows = false; // the first row to arrive, even by an event, belongs to this query
    this.#pages.resize(at, fresh.length);
    this.#indexed = Math.min(this.#indexed, at);
    this.#publish({ kind: "splice", index: at, removed: [], inserted: fresh.length });
  }

  /** Drops a whole page from memory. */
  #drop(which: "first" | "last"): void {
    const { before, total } = this;
    const size = this.#pages.drop(which);
    const index = which === "first" ? 0 : this.#rows.length - size;
    const removed = this.#rows.splice(index, size);
    if (which === "first") {
      this.#moreBefore = true;
      this.#before = before === null ? null : before + size;
    } else {
      this.#more = true;
      this.#total = total;
    }
    for (const { uuid } of removed) {
      this.#index.delete(uuid);
      this.#tombstones.delete(uuid);
    }
    this.#indexed = Math.min(this.#indexed, index);
    this.away.keep(removed, which === "first");
    this.#publish({ kind: "splice", index, removed, inserted: 0, paged: true });
  }

  #replace(
    rows: readonly Row[],
    end: PageEnd,
    how: { readonly keepsPlace: boolean; readonly to?: JumpTarget },
    state: { readonly loading: Loading; readonly showsPreviousRows: boolean } = { loading: "idle", showsPreviousRows: false },
  ): void {
    this.#rows = [...rows];
    this.#index = new Map();
    this.#indexed = 0;
    for (const { uuid } of this.away.size > 0 ? rows : []) this.away.delete(uuid);
    const kept = [...this.#tombstones].filter(([id]) => how.keepsPlace && this.indexOf(id) >= 0);
    this.#tombstones = new Map(kept);
    this.#pages = new PageBook({ size: rows.length, next: end.next ?? null, previous: end.previous ?? null });
    this.#more = end.more;
    this.#moreBefore = end.moreBefore ?? false;
    this.#before = end.before ?? null;
    this.#total = end.total ?? null;
    this.#loading = state.loading;
    this.#showsPreviousRows = state.showsPreviousRows;
    this.#publish({ kind: "reset", ...how });
    this.#publish({ kind: "status" });
  }

  #publish(change: RowChange<Row>): void {
    for (const listener of this.#listeners) listener(change);
  }
}
