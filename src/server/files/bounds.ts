import { Refusal } from "../../contract/problems.ts";

/** Most pixels of a picture: a browser needs four bytes for each. */
const mostPixels = 40_000_000;
/** Most pixels along one side, beyond which browsers draw nothing. */
const longestSide = 16_384;

/** Refuses a picture that would take too much to draw. */
export function requirePixels(width: number, height: number): void {
  if (width === 0 || height === 0) throw new Refusal("receipt.damaged");
  if (width > longestSide || height > longestSide || width * height > mostPixels) throw new Refusal("receipt.oversized");
}

export const damaged = (): Refusal => new Refusal("receipt.damaged");
