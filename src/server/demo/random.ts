/** A small seeded generator (sfc32): the same seed gives the same demo, on every machine. Not for secrets. */
export interface Random {
  /** In [0, 1). */
  next(): number;
  /** A whole number, both ends included. */
  whole(from: number, to: number): number;
  chance(probability: number): boolean;
  pick<T>(from: readonly T[]): T;
  /** Picks by weight; `weights` is as long as `from`. */
  weighted<T>(from: readonly T[], weights: readonly number[]): T;
  /** Log-normally distributed around `median`; `spread` is the sigma of the logarithm. */
  around(median: number, spread: number): number;
  digits(length: number): string;
  /** A time-ordered uuid (version 7) of the given instant. */
  uuid(milliseconds: number): string;
}

export function seededRandom(seed: number): Random {
  let [a, b, c, counter] = [seed | 0, 0x9e3779b9 | 0, 0x243f6a88 | 0, 1];
  const bits = (): number => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    return sum >>> 0;
  };
  for (let warm = 0; warm < 16; warm++) bits();
  const next = () => bits() / 4294967296;
  const pick = <T>(from: readonly T[]): T => from[Math.floor(next() * from.length)] as T; // in range unless the list is empty
  return {
    next,
    pick,
    whole: (from, to) => from + Math.floor(next() * (to - from + 1)),
    chance: (probability) => next() < probability,
    weighted(from, weights) {
      let rest = next() * weights.reduce((sum, weight) => sum + weight, 0);
      const index = weights.findIndex((weight) => (rest -= weight) < 0);
      return from[index < 0 ? from.length - 1 : index] as (typeof from)[number]; // in range unless the list is empty
    },
    around(median, spread) {
      const normal = Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
      return median * Math.exp(spread * normal);
    },
    digits: (length) => Array.from({ length }, () => Math.floor(next() * 10)).join(""),
    uuid(milliseconds) {
      const [x, y, z] = [bits(), bits(), bits()];
      const high = Math.floor(milliseconds / 65_536);
      const low = milliseconds & 0xffff;
      return `${four(high >>> 16)}${four(high & 0xffff)}-${four(low)}-7${four(x & 0xffff).slice(1)}-${four(0x8000 | ((x >>> 16) & 0x3fff))}-${four(y & 0xffff)}${four(y >>> 16)}${four(z & 0xffff)}`;
    },
  };
}

const pairs = Array.from({ length: 256 }, (_, n) => n.toString(16).padStart(2, "0"));
/** Sixteen bits as four hexadecimal digits. */
const four = (bits: number): string => `${pairs[bits >>> 8]}${pairs[bits & 0xff]}`;
