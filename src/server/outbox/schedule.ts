const [second, minute, hour] = [1_000, 60_000, 3_600_000];

/** Ms before each attempt; over 75 hours in all. */
export const attemptDelays = [
  0,
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
] as const;

/** Milliseconds until the attempt after `made` failed ones, ±20 %; null when it was the last. `chance` is in [0, 1). */
export function nextDelay(made: number, chance: number): number | null {
  const delay = attemptDelays[made];
  return delay === undefined ? null : Math.round(delay * (0.8 + 0.4 * chance));
}
