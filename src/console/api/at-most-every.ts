export interface Limiter {
  /** Runs now, or once `interval` has passed since the last run. */
  soon(): void;
  stop(): void;
}

/** Throttles `act` to one run per `interval` ms; the last call is always followed by a run. */
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

/** ms between two patches of rows that others changed: at most four a second. */
export const patchPause = 250;
