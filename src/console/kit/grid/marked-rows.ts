import type { Everything } from "../commands/grid-handle.ts";
import type { GridRow } from "./grid-column.ts";
import { extend, forget, markAll, noMarks, toggle, toggleAll, type Marks } from "./marks.ts";
import type { RowSource } from "./row-source.ts";

export type MarkedPart = "none" | "some" | "all";

/** The marks of one grid over the rows of its source. */
export class MarkedRows<Row extends GridRow> {
  #marks: Marks = noMarks;
  #everything = false;
  readonly #source: () => RowSource<Row>;
  readonly #changed: (ids: ReadonlySet<string>) => void;
  readonly #listeners = new Set<() => void>();

  constructor(source: () => RowSource<Row>, changed: (ids: ReadonlySet<string>) => void) {
    this.#source = source;
    this.#changed = changed;
  }

  get ids(): ReadonlySet<string> {
    return this.#marks.ids;
  }

  /** Marked rows in grid order, with those whose page is no longer held. */
  rows(): Row[] {
    const source = this.#source();
    const found = [...this.#marks.ids].map((id) => source.indexOf(id)).filter((index) => index >= 0);
    const held = found.sort((a, b) => a - b).flatMap((index) => source.at(index) ?? []);
    return source.away.size === 0 ? held : [...source.away.rows(true), ...held, ...source.away.rows(false)];
  }

  /** Whether a row must be kept when its page leaves. While all matching rows are marked none must, because they match anyway. */
  needs = (id: string): boolean => !this.#everything && this.#marks.ids.has(id);

  /** A tombstone cannot be marked, but unmarked. */
  toggle(id: string): void {
    if (!this.#source().isTombstone(id) || this.#marks.ids.has(id)) this.#set(toggle(this.#marks, id));
  }

  /** Marks these rows except tombstones, or unmarks them when all were marked. */
  toggleRows(rows: readonly Row[]): void {
    const ids = rows.map(({ uuid }) => uuid).filter((id) => !this.#source().isTombstone(id));
    if (ids.length > 0) this.#set(toggleAll(this.#marks, ids));
  }

  /** Marks all loaded rows; false when all were marked already. */
  all(): boolean {
    const ids = this.#live(this.#source().rows);
    if (ids.every((id) => this.#marks.ids.has(id))) return false;
    this.#set(markAll([...this.#source().away.ids(), ...ids]));
    return true;
  }

  /** Marks all matching rows, loaded or not, until the marks change otherwise. */
  markEverything(): void {
    this.#set(markAll(this.#live(this.#source().rows)), true);
  }

  everything(): Everything | null {
    return this.#everything ? { count: this.#source().total } : null;
  }

  /** Marks added rows too where all matching rows are marked. */
  joined(rows: readonly Row[]): void {
    if (this.#everything && rows.length > 0) this.#set(markAll([...this.#marks.ids, ...this.#live(rows)]), true);
  }

  clear(): void {
    if (this.#marks.ids.size > 0 || this.#marks.anchor !== null) this.#set(noMarks);
  }

  /** Marks from the anchor, or else from the cursor's row, to this row. */
  extendTo(row: number, cursor: string | undefined): void {
    const source = this.#source();
    const anchor = this.#marks.anchor ?? cursor;
    const start = anchor === undefined ? -1 : source.indexOf(anchor);
    if (anchor === undefined || start < 0) return;
    const between = source.rows.slice(Math.min(start, row), Math.max(start, row) + 1);
    this.#set(extend(this.#marks, anchor, this.#live(between)));
  }

  /** `queryChanged` ends the mark on all matching rows, because other rows match now. */
  forget(left: (id: string) => boolean, queryChanged = false): void {
    this.#set(forget(this.#marks, left), this.#everything && !queryChanged);
  }

  /** How many of the loaded rows are marked, for the box in the header. */
  part = (): MarkedPart => {
    const { size } = this.#marks.ids;
    const source = this.#source();
    return size === 0 ? "none" : size - source.away.size >= source.length ? "all" : "some";
  };

  onPart = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  publishPart(): void {
    for (const listener of this.#listeners) listener();
  }

  #live(rows: readonly Row[]): string[] {
    const source = this.#source();
    return rows.map(({ uuid }) => uuid).filter((id) => !source.isTombstone(id));
  }

  #set(marks: Marks, everything = false): void {
    const changed = marks.ids !== this.#marks.ids || everything !== this.#everything;
    this.#marks = marks;
    this.#everything = everything;
    this.#source().away.prune();
    if (!changed) return;
    this.#changed(marks.ids);
    this.publishPart();
  }
}
