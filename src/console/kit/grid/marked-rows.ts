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

  /** In grid order, with those whose page has left. */
  rows(): Row[] {
    const source = this.#source();
    const found = [...this.#marks.ids].map((id) => source.indexOf(id)).filter((index) => index >= 0);
    const held = found.sort((a, b) => a - b).flatMap((index) => source.at(index) ?? []);
    return source.away.size === 0 ? held : [...source.away.rows(true), ...held, ...source.away.rows(false)];
  }

  /** Whether a row must stay known when its page leaves. Where all that match are marked, none needs to: they match still. */
  needs = (id: string): boolean => !this.#everything && this.#marks.ids.has(id);

  /** A tombstone takes no mark, but gives one back. */
  toggle(id: string): void {
    if (!this.#source().isTombstone(id) || this.#marks.ids.has(id)) this.#set(toggle(this.#marks, id));
  }

  /** Marks these rows, tombstones left out; gives them back when they all were marked. */
  toggleRows(rows: readonly Row[]): void {
    const ids = rows.map(({ uuid }) => uuid).filter((id) => !this.#source().isTombstone(id));
    if (ids.length > 0) this.#set(toggleAll(this.#marks, ids));
  }

  /** All loaded rows; false when they all were marked already. */
  all(): boolean {
    const ids = this.#live(this.#source().rows);
    if (ids.every((id) => this.#marks.ids.has(id))) return false;
    this.#set(markAll([...this.#source().away.ids(), ...ids]));
    return true;
  }

  /** All that match, beyond the loaded ones too; any other change of the marks takes it back. */
  markEverything(): void {
    this.#set(markAll(this.#live(this.#source().rows)), true);
  }

  everything(): Everything | null {
    return this.#everything ? { count: this.#source().total } : null;
  }

  /** Rows came in: they match, so they are marked where everything is. */
  joined(rows: readonly Row[]): void {
    if (this.#everything && rows.length > 0) this.#set(markAll([...this.#marks.ids, ...this.#live(rows)]), true);
  }

  clear(): void {
    if (this.#marks.ids.size > 0 || this.#marks.anchor !== null) this.#set(noMarks);
  }

  /** From the anchor, or else the cursor's row, to this one. */
  extendTo(row: number, cursor: string | undefined): void {
    const source = this.#source();
    const anchor = this.#marks.anchor ?? cursor;
    const start = anchor === undefined ? -1 : source.indexOf(anchor);
    if (anchor === undefined || start < 0) return;
    const between = source.rows.slice(Math.min(start, row), Math.max(start, row) + 1);
    this.#set(extend(this.#marks, anchor, this.#live(between)));
  }

  /** `answered`: another question was asked, so that "all that match" no longer says which. */
  forget(left: (id: string) => boolean, answered = false): void {
    this.#set(forget(this.#marks, left), this.#everything && !answered);
  }

  /** How much of the loaded rows is marked, for the box in the header. */
  part = (): MarkedPart => {
    const { size } = this.#marks.ids;
    const source = this.#source();
    return size === 0 ? "none" : size - source.away.size >= source.length ? "all" : "some";
  };

  onPart = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** Marks or rows changed. */
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
