import { afterPaint } from "../after-paint.ts";
import type { GridRow } from "./grid-column.ts";
import type { RowSource } from "./row-source.ts";

export interface NearEndsDoors<Row extends GridRow> {
  source(): RowSource<Row>;
  /** Whole rows in view. */
  page(): number;
  /** Rows at the far end must not leave: a range begins there. */
  holds(): boolean;
  /** Asks for what follows the last row held. */
  askAfter(): void;
}

/** Views of rows from an end at which the next page is asked for. */
const views = 2;

/** Asks for the next page of a long list when the rows in view come near an end of those held. */
export class NearEnds<Row extends GridRow> {
  readonly #doors: NearEndsDoors<Row>;
  /** Rows there were when it was asked last: once for each length. */
  #after = -1;
  #before = -1;

  constructor(doors: NearEndsDoors<Row>) {
    this.#doors = doors;
  }

  /** An answer came, or none will. */
  settle(): void {
    this.#after = this.#before = -1;
  }

  /** The rows in view; `last` excluded. */
  seen(first: number, last: number): void {
    const source = this.#doors.source();
    if (source.loading !== "idle" || (source.isFull && this.#doors.holds())) return;
    const { length } = source;
    const near = views * this.#doors.page();
    if (source.more && this.#after !== length && last + near >= length) {
      this.#after = length;
      this.#ask(length, () => this.#doors.askAfter());
    } else if (source.moreBefore && this.#before !== length && first < near) {
      this.#before = length;
      this.#ask(length, () => source.feed?.before());
    }
  }

  /** The frame that scrolls there first: a question takes several ms to send. Not once something else is asked for, or has come. */
  #ask(length: number, act: () => void): void {
    const source = this.#doors.source();
    afterPaint(() => {
      if (this.#doors.source() === source && source.loading === "idle" && source.length === length) act();
      else this.settle();
    });
  }
}
