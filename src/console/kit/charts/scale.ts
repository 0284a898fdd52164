/** The range of an axis and its ticks. */
export interface Scale {
  readonly min: number;
  readonly max: number;
  readonly ticks: readonly number[];
}

const steps = [1, 2, 2.5, 5, 10] as const;

/** The smallest step of 1, 2, 2.5 or 5 times a power of ten that divides `span` into at most `most` steps. */
export function niceStep(span: number, most: number): number {
  const rough = span / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  // a float may miss ten times itself by a hair
  return (steps.find((step) => step * power >= rough * (1 - 1e-9)) ?? 10) * power;
}

/** From `low` (0 or less) to `high` (0 or more) with a little space, and ticks at round figures; zero is always one. */
export function scaleOf(low: number, high: number, most: number): Scale {
  const span = high - low;
  if (span <= 0) return { min: 0, max: 1, ticks: [0] };
  const step = niceStep(span, most);
  const [first, last] = [Math.ceil(low / step), Math.floor(high / step)];
  const ticks = Array.from({ length: last - first + 1 }, (_, n) => (first + n) * step);
  return { min: low === 0 ? 0 : low - span * 0.04, max: high + span * 0.06, ticks };
}
