import { afterPaint } from "../loading/after-paint.ts";
import { stillness, noteScroll } from "../loading/stillness.ts";
import type { GridRow } from "./grid-column.ts";
import type { RowSource } from "./row-source.ts";

export interface NearEndsDeps<Row extends GridRow> {
  source(): RowSource<Row>;
  /** Whole rows in view. */
  page(): number;
  /** A range begins at the far end, so its rows must not be dropped. */
  holds(): boolean;
  /** Asks for the page after the last loaded row. */
  askAfter(): void;
}

/** Distance from an end, in views, at which the next page is asked for. */
const views = 2;
/** Rows loaded ahead once scrolling stops, so that the next scroll does not wait for an answer. */
const ahead = 600;

/** Asks for the next page of a long list when the view comes near an end of the loaded rows. */
export class NearEnds<Row extends GridRow> {
  readonly #deps: NearEndsDeps<Row>;
  /** Number of rows at the last request, because each length is asked for once. */
  #after = -1;
  #before = -1;
  #first = 0;
  /** The first row in view; null before any was. */
  #head: string | null = null;
  #last = 0;
  /** Counts the queries whose rows were shown. */
  #turn = 0;
  #state: "new" | "moves" | "rests" = "new";

  constructor(deps: NearEndsDeps<Row>) {
    this.#deps = deps;
  }

  /** Other rows are shown, and the user has not scrolled in them yet. */
  begin(): void {
    this.#head = null;
    this.#turn += 1;
    this.#state = "new";
  }

  /** A request has ended, with or without rows. */
  settle(): void {
    this.#after = this.#before = -1;
    this.#readAhead();
  }

  /** Takes the rows in view; `last` is excluded. */
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

  /** Loads ahead, unless that would drop rows at the far end. */
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

  /** Sends after the frame that scrolls there, because a request takes several ms; not when another one was sent or answered meanwhile. */
  #ask(length: number, act: () => void): void {
    const source = this.#deps.source();
    afterPaint(() => {
      if (this.#deps.source() === source && source.loading === "idle" && source.length === length) act();
      else this.settle();
    });
  }
}
