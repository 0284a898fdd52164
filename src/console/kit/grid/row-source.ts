import { AwayRows } from "./away-rows.ts";
import type { GridRow } from "./grid-column.ts";
import type { RowFeed } from "./row-feed.ts";
import { PageBook, type PageMark } from "./page-book.ts";

/** A row taken by another: shown struck with its keys dead until the time (Date.now() ms), then it leaves. */
export interface Tombstone {
  readonly until: number;
}

export type Loading = "idle" | "loading" | "failed";

/** What is known of the rows not loaded: whether there are more on either side, and how many (null: not counted). */
export interface PageEnd {
  readonly more: boolean;
  /** Rows there are in all. */
  readonly total?: number | null;
  readonly moreBefore?: boolean;
  /** Rows before the first of this page. */
  readonly before?: number | null;
  /** How the page's neighbours are asked for. */
  readonly next?: string | null;
  readonly previous?: string | null;
}

/** Where the cursor stands after a jump; otherwise the id of a row. */
export type JumpTarget = "first" | "last" | { readonly id: string };

export type RowChange<Row> =
  /**
   * `keepsPlace`: the same question asked again, so a cursor whose row has gone stays where it stands.
   * `to`: another place of the same question.
   */
  | { readonly kind: "reset"; readonly keepsPlace: boolean; readonly to?: JumpTarget }
  /** At −1 a row that is known though its page has left. */
  | { readonly kind: "patch"; readonly index: number; readonly before: Row; readonly row: Row }
  /** `paged`: the rows left the memory, not the list. */
  | { readonly kind: "splice"; readonly index: number; readonly removed: readonly Row[]; readonly inserted: number; readonly paged?: true }
  | { readonly kind: "tombstone"; readonly index: number }
  /** A row whose page has left earlier is no more of the list. */
  | { readonly kind: "gone"; readonly row: Row }
  | { readonly kind: "status" };

/**
 * The rows of one grid, in order, each at most once: keyset pages put to either end as they come, live changes patched in. Of a long
 * list it holds a window of at most `most` rows: whole pages leave at the far end. Holds no React and no DOM; whoever shows the rows
 * subscribes.
 */
export class RowSource<Row extends GridRow> {
  /** Brings further rows; null where all there are were given. */
  feed: RowFeed | null = null;
  /** The row under the cursor, as whoever shows the rows tells. */
  cursor: () => string | null = () => null;
  readonly most: number;
  readonly away = new AwayRows<Row>();
  #rows: Row[] = [];
  /** Ids to indexes, right below `#indexed`; the rest is read on demand, so that a million static rows cost nothing. */
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
  #isSucceeding = false;

  constructor(most = Infinity) {
    this.most = most;
  }

  /** Before the first page a source is "loading". */
  get loading(): Loading {
    return this.#loading;
  }
  /** The rows of an earlier question are what is seen until this one's come. */
  get isSucceeding(): boolean {
    return this.#isSucceeding;
  }
  get more(): boolean {
    return this.#more;
  }
  get moreBefore(): boolean {
    return this.#moreBefore;
  }
  /** How the page after the last row, or before the first, is asked for; null: there is none. */
  get next(): string | null {
    return this.#more ? (this.#pages.last?.next ?? null) : null;
  }
  get previous(): string | null {
    return this.#moreBefore ? (this.#pages.first?.previous ?? null) : null;
  }
  /** Rows before the first one held; null when not counted. */
  get before(): number | null {
    if (!this.#moreBefore) return 0;
    if (this.#before !== null) return this.#before;
    return this.#more || this.#total === null ? null : Math.max(0, this.#total - this.#rows.length);
  }
  /** Rows there are in all, held or not; null when not counted. */
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
  /** A further page may cost one at the far end. */
  get isFull(): boolean {
    return this.#rows.length + 2 * this.#pages.largest > this.most;
  }

  at(index: number): Row | undefined {
    return this.#rows[index];
  }

  /** A row held, or one kept though its page has left. */
  get(id: string): Row | undefined {
    const index = this.indexOf(id);
    return index < 0 ? this.away.get(id) : this.#rows[index];
  }

  /** −1 when not held. `hint`: where it stood last; looked at first. */
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

  /** The page that holds a row, and the index of its first row. */
  pageAt(index: number): { readonly first: number; readonly page: PageMark } | null {
    return this.#pages.at(index);
  }

  /** Another question: from now on nothing is held. */
  begin(): void {
    const isSucceeding = this.#rows.length > 0 || this.#isSucceeding;
    this.away.clear();
    this.#replace([], { more: false }, { keepsPlace: false }, { loading: "loading", isSucceeding });
  }

  /** A new question's first page. */
  setPage(rows: readonly Row[], end: PageEnd = { more: false }): void {
    this.away.clear();
    this.#replace(rows, end, { keepsPlace: false });
  }

  /** The same question asked again: what lies beyond these rows is not known to have left. */
  refresh(rows: readonly Row[], end: PageEnd = { more: false }): void {
    if (end.more || end.moreBefore === true) {
      const here = new Set(rows.map(({ uuid }) => uuid));
      const isHere = ({ uuid }: Row) => here.has(uuid);
      if (end.moreBefore === true) this.away.keep(this.#rows.slice(0, Math.max(0, this.#rows.findIndex(isHere))), true);
      if (end.more) this.away.keep(this.#rows.slice(this.#rows.findLastIndex(isHere) + 1 || this.#rows.length), false);
    }
    this.#replace(rows, end, { keepsPlace: true });
  }

  /** Another place of the same question. */
  jump(rows: readonly Row[], end: PageEnd, to: JumpTarget): void {
    this.away.keep(this.#rows, to !== "first");
    this.#replace(rows, end, { keepsPlace: false, to });
  }

  /** The page after the last. */
  append(rows: readonly Row[], end: PageEnd = { more: this.#more, total: this.#total }): void {
    this.#more = end.more;
    if (end.total !== undefined) this.#total = end.total;
    this.#loading = "idle";
    this.#pages.push({ size: 0, next: end.next ?? null, previous: end.previous ?? null });
    this.#insert(this.#rows.length, rows);
    while (this.#rows.length > this.most - rows.length && this.#pages.canDrop("first")) this.#drop("first");
    this.#publish({ kind: "status" });
  }

  /** The page before the first. */
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

  /** Rows already held are left out: a keyset page may overlap with what came live. */
  insert(index: number, rows: readonly Row[]): void {
    const before = this.#rows.length;
    this.#insert(index, rows);
    if (this.#total !== null) this.#total += this.#rows.length - before;
  }

  /** Replaces a row where it stands; false when it is not known. A change of the sort key does not move it. */
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

  /** Shows the row as taken until the time (Date.now() ms), then `sweep` removes it. */
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
    this.#isSucceeding &&= loading === "loading";
    this.#publish({ kind: "status" });
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
    this.#isSucceeding = false; // the first that comes, be it by an event, is of this question
    this.#pages.resize(at, fresh.length);
    this.#indexed = Math.min(this.#indexed, at);
    this.#publish({ kind: "splice", index: at, removed: [], inserted: fresh.length });
  }

  /** A whole page leaves the memory. */
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
    state: { readonly loading: Loading; readonly isSucceeding: boolean } = { loading: "idle", isSucceeding: false },
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
    this.#isSucceeding = state.isSucceeding;
    this.#publish({ kind: "reset", ...how });
    this.#publish({ kind: "status" });
  }

  #publish(change: RowChange<Row>): void {
    for (const listener of this.#listeners) listener(change);
  }
}
