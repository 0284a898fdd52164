/** ms without scrolling after which the page is still. */
const stillAfter = 250;
/** Most ms to wait for scrolling to end. */
const longest = 10_000;

let scrolledAt = Number.NEGATIVE_INFINITY;

/** Called by a scroller in each frame in which it scrolls. */
export function noteScroll(): void {
  scrolledAt = performance.now();
}

export function isStill(): boolean {
  return performance.now() - scrolledAt >= stillAfter;
}

/** Waits until nothing scrolls, because a background request would cost frames; resolves at once while all is still. */
export async function stillness(): Promise<void> {
  const latest = performance.now() + longest;
  for (;;) {
    const left = Math.min(scrolledAt + stillAfter, latest) - performance.now();
    if (left <= 0) return;
    // oxlint-disable-next-line no-await-in-loop -- scrolling may go on meanwhile
    await new Promise((over) => setTimeout(over, left));
  }
}
