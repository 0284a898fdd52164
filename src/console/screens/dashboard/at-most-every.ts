export interface Limiter {
  /** Now, or as soon as `interval` has passed since the last time. */
  soon(): void;
  stop(): void;
}

/** Many askings become one act: never two within `interval` milliseconds, and the last asking is always followed by one. */
export function atMostEvery(interval: number, act: () => void, now: () => number = () => performance.now()): Limiter {
  let timer: ReturnType<typeof setTimeout> | null = null;
  let last = Number.NEGATIVE_INFINITY;
  return {
    soon() {
      timer ??= setTimeout(
        () => {
          timer = null;
          last = now();
          act();
        },
        Math.max(0, last + interval - now()),
      );
    },
    stop() {
      if (timer !== null) clearTimeout(timer);
      timer = null;
    },
  };
}
