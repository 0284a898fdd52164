/** ms without scrolling after which what is looked at stands still. */
const stillAfter = 250;
/** ms for which scrolling is waited for at most. */
const longest = 10_000;

let scrolledAt = Number.NEGATIVE_INFINITY;

/** Told by whatever is scrolled, in each frame that it is. */
export function noteScroll(): void {
  scrolledAt = performance.now();
}

export function isStill(): boolean {
  return performance.now() - scrolledAt >= stillAfter;
}

/** Once nothing is scrolled: reading what the user did not ask for takes frames from what he moves. At once where all stands still. */
export async function stillness(): Promise<void> {
  const latest = performance.now() + longest;
  for (;;) {
    const left = Math.min(scrolledAt + stillAfter, latest) - performance.now();
    if (left <= 0) return;
    // oxlint-disable-next-line no-await-in-loop -- scrolled on meanwhile
    await new Promise((over) => setTimeout(over, left));
  }
}
