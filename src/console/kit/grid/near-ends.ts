import { afterPaint } from "../loading/after-paint.ts";
import { stillness, noteScroll } from "../loading/stillness.ts";
import type { GridRow } from "./grid-column.ts";
import type { RowSource } from "./row-source.ts";

export interface NearEndsDeps<Row extends GridRow> {
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
/** Rows held beyond those in view once a list that was moved in stands still: what is scrolled next then waits for no answer. */
const ahead = 600;

/** Asks for the next page of a long list when the rows in view come near an end of those held. */
export class NearEnds<Row extends GridRow> {
  readonly #deps: NearEndsDeps<Row>;
  /** Rows there were when it was asked last: once for each length. */
  #after = -1;
  #before = -1;
  #first = 0;
  /** The first row in view; null before any was. */
  #head: string | null = null;
  #last = 0;
  /** Counts the questions whose rows were shown. */
  #turn = 0;
  #state: "new" | "moves" | "rests" = "new";

  constructor(deps: NearEndsDeps<Row>) {
    this.#deps = deps;
  }

  /** Other rows, in which nobody has moved yet. */
  begin(): void {
    this.#head = null;
    this.#turn += 1;
    this.#state = "new";
  }

  /** An answer came, or none will. */
  settle(): void {
    this.#after = this.#before = -1;
    this.#readAhead();
  }

  /** The rows in view; `last` excluded. */
  seen(first: number, last: number): void {
    const source = this.#deps.source();
    const head = source.at(first)?.uuid ?? null;
    const hasMoved = this.#head !== null && head !== this.#head;
    this.#head = head;
    this.#first = first;
    this.#last = last;
    if (hasMoved) {
      noteScroll();
      if (this.#state !== "moves") void this.#move();
    }
    if (!source.isFull || !this.#deps.holds()) this.#askWithin(views * this.#deps.page());
  }

  async #move(): Promise<void> {
    this.#state = "moves";
    const turn = this.#turn;
    await stillness();
    if (turn !== this.#turn) return;
    this.#state = "rests";
    this.#readAhead();
  }

  /** Not where it would cost rows at the far end. */
  #readAhead(): void {
    if (this.#state === "rests" && !this.#deps.source().isFull) this.#askWithin(ahead);
  }

  #askWithin(near: number): void {
    const source = this.#deps.source();
    if (source.loading !== "idle") return;
    const { length } = source;
    if (source.more && this.#after !== length && this.#last + near >= length) {
      this.#after = length;
      this.#ask(length, () => this.#deps.askAfter());
    } else if (source.moreBefore && this.#before !== length && this.#first < near) {
      this.#before = length;
      this.#ask(length, () => source.feed?.before());
    }
  }

  /** The frame that scrolls there first: a question takes several ms to send. Not once something else is asked for, or has come. */
  #ask(length: number, act: () => void): void {
    const source = this.#deps.source();
    afterPaint(() => {
      if (this.#deps.source() === source && source.loading === "idle" && source.length === length) act();
      else this.settle();
    });
  }
}
