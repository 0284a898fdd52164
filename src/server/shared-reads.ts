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
  /** ms the last one took. */
  took: number;
  /** ms from the begin of one that was slow to the next; 0: it was quick. */
  rest: number;
  last: Read<T> | null;
  /** The reading that has not begun yet: whoever asks meanwhile gets it, too. */
  next: Promise<Read<T>> | null;
}

/** ms from one moment at which quick readings begin to the next. */
const usualBeat = 250;
/** ms a reading may take to be counted among the quick ones. */
const usuallyQuick = 100;
/**
 * A reading that is slow again and again rests this many times as long as it took, so that one key never keeps more than a twentieth of a
 * connection busy.
 */
const restFactor = 20;
/** Keys remembered before those that rest are dropped. */
const mostKept = 2_000;

/** The next moment at which the readings of a group begin. */
interface Beat {
  begun: number;
  next: Promise<void> | null;
}

/**
 * Readings that many ask for at short intervals, one for each key. Whoever asks gets one that began after they asked, and waits for it at
 * most 400 ms more than it takes; where the last one was slow they get that one while the next must wait. The quick ones of a group
 * begin at common moments, in one turn of the event loop, so that what they have in common is read once (db/together.ts).
 */
export class SharedReads<T> {
  readonly #known = new Map<string, Known<T>>();
  readonly #beats = new Map<string, Beat>();
  readonly #every: number;
  readonly #quick: number;

  /** ms from one moment to the next, and ms a reading may take to be counted among the quick ones. */
  constructor(beat = usualBeat, quick = usuallyQuick) {
    this.#every = beat;
    this.#quick = quick;
  }

  /**
   * `work` answers what it read and the ms that reading took, without those it waited for its turn. It is told whether it was quick the last
   * time, so that quick ones need not wait for slow ones.
   */
  async read(group: string, key: string, work: Work<T>): Promise<Read<T>> {
    const known = this.#of(key);
    if (known.next !== null) return known.next;
    const rest = known.begun + known.rest - performance.now();
    if (rest > this.#every && known.last !== null) return known.last;
    const next = this.#begin(known, known.rest > 0 ? pause(Math.max(0, rest)) : this.#beat(group), work);
    known.next = next;
    return next;
  }

  #of(key: string): Known<T> {
    const known = this.#known.get(key) ?? {
      begun: Number.NEGATIVE_INFINITY,
      took: Number.POSITIVE_INFINITY,
      rest: 0,
      last: null,
      next: null,
    };
    if (this.#known.size >= mostKept) this.#forget();
    this.#known.set(key, known);
    return known;
  }

  #forget(): void {
    const now = performance.now();
    for (const [key, { begun, rest, next }] of this.#known)
      if (next === null && begun + Math.max(rest, this.#every) < now) this.#known.delete(key);
    for (const [group, { begun, next }] of this.#beats) if (next === null && begun + this.#every < now) this.#beats.delete(group);
  }

  #beat(group: string): Promise<void> {
    const known = this.#beats.get(group) ?? { begun: Number.NEGATIVE_INFINITY, next: null };
    this.#beats.set(group, known);
    return (known.next ??= pause(Math.max(0, known.begun + this.#every - performance.now())).then(() => {
      known.begun = performance.now();
      known.next = null;
    }));
  }

  async #begin(known: Known<T>, isDue: Promise<void>, work: Work<T>): Promise<Read<T>> {
    await isDue;
    known.next = null;
    known.begun = performance.now();
    const begunAt = Date.now();
    const { value, took } = await work(known.rest === 0);
    // one slow reading after a quick one may be the machine's
    const lasting = Math.min(took, known.took);
    known.took = took;
    known.rest = lasting > this.#quick ? lasting * restFactor : 0;
    known.last = { value, begunAt };
    return known.last;
  }
}
