import uPlot from "uplot";
import { inksOf, keepDrawn, plotFont, strokeAcross } from "../../kit/look/plot-upkeep.ts";

/** A balance over time, oldest first. */
export interface Course {
  /** Seconds. */
  readonly at: readonly number[];
  readonly balances: readonly number[];
  readonly threshold: number;
}

interface Axes {
  /** A time at the foot of the chart. */
  day(seconds: number): string;
  amount(value: number): string;
}

/** px between two days at least, and of the amounts' axis. */
const [dayRoom, axisRoom] = [76, 64];
const day = 86_400;

/** Draws a balance as steps, because it stays what it is until it is read again, over the threshold it turns critical at. */
export function mountCourse(host: HTMLElement, { at, balances, threshold }: Course, axes: Axes, rightToLeft: boolean): () => void {
  const inks = inksOf(host);
  const axis = { font: plotFont(host), stroke: () => inks.ink("--t-3"), ticks: { show: false } } satisfies uPlot.Axis;
  const steps = uPlot.paths.stepped?.({ align: 1 });
  const plot = new uPlot(
    {
      width: Math.max(1, host.clientWidth),
      height: Math.max(1, host.clientHeight),
      legend: { show: false },
      cursor: { show: false },
      scales: {
        x: { time: true, dir: rightToLeft ? -1 : 1 },
        y: { range: (_, least, most) => uPlot.rangeNum(Math.min(0, least), Math.max(most, threshold), 0.1, true) },
      },
      axes: [
        {
          ...axis,
          size: 24,
          gap: 4,
          space: dayRoom,
          incrs: [3_600, 3 * 3_600, 6 * 3_600, day, 2 * day, 7 * day, 14 * day],
          grid: { show: false },
          values: (_, splits) => splits.map(axes.day),
        },
        {
          ...axis,
          side: rightToLeft ? 1 : 3,
          size: axisRoom,
          gap: 8,
          space: 36,
          grid: { stroke: () => inks.ink("--l-row"), width: 1 },
          values: (_, splits) => splits.map(axes.amount),
        },
      ],
      series: [{}, { ...(steps && { paths: steps }), points: { show: at.length === 1 }, stroke: () => inks.ink("--accent"), width: 2 }],
      hooks: { drawAxes: [(self) => threshold > 0 && strokeAcross(self, threshold, inks.ink("--c-rejected"), [3, 3])] },
    },
    [[...at], [...balances]],
    host,
  );
  return keepDrawn(plot, host, inks);
}
