import { afterPaint } from "./after-paint.ts";

/** ms after a key for which another one is expected. */
const typing = 300;

const listeners = new Set<() => void>();
let beat = performance.now();
let keyAt = Number.NEGATIVE_INFINITY;
let timer: ReturnType<typeof setInterval> | null = null;
/** A second that gives way to keys. */
let held: ReturnType<typeof setTimeout> | null = null;

function tell(): void {
  held = null;
  beat = performance.now();
  for (const each of listeners) each();
}

function onSecond(): void {
  const left = keyAt + typing - performance.now();
  if (left <= 0) tell();
  else held ??= setTimeout(tell, left);
}

/** Called by the key engine for each key, before anything acts on it. */
export function noteKey(): void {
  keyAt = performance.now();
  if (held === null) return;
  clearTimeout(held);
  held = null;
  afterPaint(tell);
}

/** performance.now() of the last second that was told. */
export const lastSecond = (): number => beat;

/**
 * Calls `each` once a second, together with all others, so that clocks and ages are drawn in one frame. While keys are pressed, a second is
 * told after the frame of the next key, at most 300 ms late, because a page that is drawn when a key comes answers that key late. Returns the
 * function that ends it.
 */
export function eachSecond(each: () => void): () => void {
  listeners.add(each);
  timer ??= setInterval(onSecond, 1_000);
  return () => {
    listeners.delete(each);
    if (listeners.size > 0 || timer === null) return;
    clearInterval(timer);
    clearTimeout(held ?? undefined);
    [timer, held] = [null, null];
  };
}
