import { setTimeout as pause } from "node:timers/promises";

/** What was read, and when that reading began (ms since 1970): what happened later is not in it. */
export interface Read<T> {
  readonly value: T;
  readonly begunAt: number;
}

type Work<T> = (wasQuick: boolean) => Promise<{ readonly value: T; readonly took: number }>;

interface Known<T> {
  /** performance.now() at which the last reading began. */
  begun: number;
  /** ms from one reading's begin to the next. */
  rest: number;
  last: Read<T> | null;
  /** The reading that has not begun yet: whoever asks meanwhile gets it, too. */
  next: Promise<Read<T>> | null;
}

/** ms between two readings of one key, so that many who ask at once cost one reading. */
const shortest = 400;
/** ms a reading may take to be counted among the quick ones. */
const quick = 100;
/** A slow reading rests this many times as long as it took, so that one key never keeps more than a twentieth of a connection busy. */
const restFactor = 20;
/** Keys remembered before those that rest are dropped. */
const mostKept = 2_000;

/**
 * Readings that many ask for at short intervals, one for each key. Whoever asks gets one that began after they asked, and waits for it at
 * most `shortest` ms more than it takes; where the last one was slow they get that one while the next must wait.
 */
export class SharedReads<T> {
  readonly #known = new Map<string, Known<T>>();

  /**
   * `work` answers what it read and the ms that reading took, without those it waited for its turn. It is told whether it was quick the last
   * time, so that quick ones need not wait for slow ones.
   */
  async read(key: string, work: Work<T>): Promise<Read<T>> {
    const known = this.#of(key);
    if (known.next !== null) return known.next;
    const rest = known.begun + known.rest - performance.now();
    if (rest > shortest && known.last !== null) return known.last;
    const next = this.#begin(known, Math.max(0, rest), work);
    known.next = next;
    return next;
  }

  #of(key: string): Known<T> {
    const known = this.#known.get(key) ?? { begun: Number.NEGATIVE_INFINITY, rest: shortest, last: null, next: null };
    if (this.#known.size >= mostKept) this.#forget();
    this.#known.set(key, known);
    return known;
  }

  #forget(): void {
    const now = performance.now();
    for (const [key, { begun, rest, next }] of this.#known) if (next === null && begun + rest < now) this.#known.delete(key);
  }

  async #begin(known: Known<T>, pauseFor: number, work: Work<T>): Promise<Read<T>> {
    if (pauseFor > 0) await pause(pauseFor);
    else await Promise.resolve(); // so that `next` is set before it is taken away
    known.next = null;
    known.begun = performance.now();
    const begunAt = Date.now();
    const { value, took } = await work(known.rest === shortest);
    known.rest = took > quick ? took * restFactor : shortest;
    known.last = { value, begunAt };
    return known.last;
  }
}
