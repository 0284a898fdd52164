import type { GridColumn, GridRow } from "./grid-column.ts";
import type { Place } from "./motions.ts";
import type { RowSource } from "./row-source.ts";

export interface FindState {
  readonly open: boolean;
  /** How often it was opened; each time the field takes the focus. */
  readonly opened: number;
  readonly text: string;
  /** Number of cells with the text; null while they are being searched. */
  readonly count: number | null;
  /** Number of the match under the cursor, from 1; 0: none. */
  readonly at: number;
}

export interface FindDeps<Row extends GridRow> {
  source(): RowSource<Row>;
  columns(): readonly GridColumn<Row>[];
  place(): Place;
  /** Moves the cursor there and scrolls it into view. */
  goTo(place: Place): void;
}

/** ms of searching before the page gets a turn. */
const slice = 8;

const folded = (text: string): string => text.normalize("NFKC").toLowerCase();

/** Whether a shown text contains the searched one; case is ignored, and so are an amount's commas when digits are searched. */
export function holds(shown: string, sought: string): boolean {
  const text = folded(shown);
  if (text.includes(sought)) return true;
  return /^[\d.]+$/.test(sought) && text.replace(/(?<=\d),(?=\d{3})/g, "").includes(sought);
}

/** Finds text in the loaded rows, cell by cell in reading order; in slices, so that no key has to wait. */
export class FoundCells<Row extends GridRow> {
  readonly #deps: FindDeps<Row>;
  #state: FindState = { open: false, opened: 0, text: "", count: 0, at: 0 };
  /** Row × columns + column of each match, ascending; null: not searched, or outdated. */
  #found: readonly number[] | null = null;
  #origin: { readonly id: string | undefined; readonly place: Place } | null = null;
  #looking: ReturnType<typeof setTimeout> | undefined;
  #again: ReturnType<typeof setTimeout> | undefined;
  #whenFound: (() => void) | null = null;
  readonly #listeners = new Set<() => void>();

  constructor(deps: FindDeps<Row>) {
    this.#deps = deps;
  }

  state = (): FindState => this.#state;

  onState = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  open(): void {
    const place = this.#deps.place();
    this.#origin = { id: this.#deps.source().at(place.row)?.uuid, place };
    this.#publish({ open: true, opened: this.#state.opened + 1 });
    if (this.#state.text !== "") this.#look(null);
  }

  /** Searches for another text; the cursor moves to the first match from where finding began. */
  seek(text: string): void {
    this.#publish({ text, at: 0 });
    this.#look(() => this.#goFrom(this.#ordinal(this.#begin()), true));
  }

  /** Moves to the next or previous match, wrapping at the ends. */
  step(by: 1 | -1): void {
    if (this.#state.text === "") return;
    const from = this.#ordinal(this.#deps.place());
    const go = () => (by > 0 ? this.#goFrom(from + 1, false) : this.#goBack(from - 1));
    if (this.#found === null) this.#look(go);
    else go();
  }

  /** Ends finding; the cursor stays, or returns to where finding began. */
  close(back: boolean): void {
    if (!this.#state.open) return;
    // a search still running must not move the cursor after the field is closed
    if (back) this.#whenFound = null;
    if (back && this.#origin !== null) this.#deps.goTo(this.#begin());
    this.#origin = null;
    this.#publish({ open: false });
  }

  /** Rows or columns have changed, so the matches are outdated. */
  changed(): void {
    this.#found = null;
    clearTimeout(this.#again);
    if (this.#state.open && this.#state.text !== "") this.#again = setTimeout(() => this.#look(null), 250);
  }

  /** The cursor moved. */
  moved(): void {
    if (this.#state.open) this.#publish({ at: this.#at() });
  }

  stop(): void {
    clearTimeout(this.#looking);
    clearTimeout(this.#again);
  }

  #begin(): Place {
    const place = this.#origin?.place ?? this.#deps.place();
    const id = this.#origin?.id;
    const row = id === undefined ? -1 : this.#deps.source().indexOf(id, place.row);
    return { row: row >= 0 ? row : Math.min(place.row, this.#deps.source().length - 1), column: place.column };
  }

  #ordinal({ row, column }: Place): number {
    return Math.max(0, row) * this.#deps.columns().length + column;
  }

  #look(then: (() => void) | null): void {
    clearTimeout(this.#looking);
    clearTimeout(this.#again);
    if (then !== null) this.#whenFound = then;
    this.#found = null;
    const sought = folded(this.#state.text);
    if (sought === "") {
      this.#whenFound = null;
      return this.#publish({ count: 0, at: 0 });
    }
    const source = this.#deps.source();
    const columns = this.#deps.columns();
    const found: number[] = [];
    let row = 0;
    const piece = (): void => {
      const until = performance.now() + slice;
      while (row < source.length && performance.now() < until) {
        const data = source.at(row);
        if (data !== undefined)
          columns.forEach((column, index) => {
            if (holds(column.text(data), sought)) found.push(row * columns.length + index);
          });
        row += 1;
      }
      if (row < source.length) {
        if (this.#state.count !== null) this.#publish({ count: null });
        this.#looking = setTimeout(piece);
        return;
      }
      this.#found = found;
      const act = this.#whenFound;
      this.#whenFound = null;
      act?.();
      this.#publish({ count: found.length, at: this.#at() });
    };
    piece();
  }

  #goFrom(from: number, stays: boolean): void {
    const found = this.#found ?? [];
    const next = found[firstFrom(found, from)] ?? found[0];
    if (next !== undefined) this.#go(next);
    else if (stays) this.#deps.goTo(this.#begin());
  }

  #goBack(from: number): void {
    const found = this.#found ?? [];
    const next = found[firstFrom(found, from + 1) - 1] ?? found.at(-1);
    if (next !== undefined) this.#go(next);
  }

  #go(ordinal: number): void {
    const { length } = this.#deps.columns();
    this.#deps.goTo({ row: Math.floor(ordinal / length), column: ordinal % length });
    this.moved();
  }

  #at(): number {
    const found = this.#found ?? [];
    const { row } = this.#deps.place();
    const here = this.#ordinal(this.#deps.place());
    const index = firstFrom(found, here);
    return row >= 0 && found[index] === here ? index + 1 : 0;
  }

  #publish(change: Partial<FindState>): void {
    const next = { ...this.#state, ...change };
    if (Object.entries(change).every(([name, value]) => this.#state[name as keyof FindState] === value)) return; // the names come from this state
    this.#state = next;
    for (const listener of this.#listeners) listener();
  }
}

/** Index of the first of ascending numbers that is at least `least`; their count when none is. */
function firstFrom(ascending: readonly number[], least: number): number {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] ?? 0) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}
