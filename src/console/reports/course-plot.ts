import uPlot from "uplot";
import type { ReportSummary } from "../../contract/reports.ts";
import type { PlotKind, Sheet } from "../kit/charts/plot.ts";
import { scaleOf } from "../kit/charts/scale.ts";
import { compact } from "../kit/look/changes.ts";
import { strokeAcross } from "../kit/look/plot-upkeep.ts";

type Day = ReportSummary["days"][number];

export interface CourseInput {
  readonly days: readonly Day[];
  /** The period in view begins here; before it stands the one it is compared with. */
  readonly since: string;
}

/** px of the widest bar. */
const widest = 48;
const line = uPlot.paths.linear?.();
/** Charts are pictures of amounts, and take them as numbers: no figure that is read comes from them. */
const value = (amount: string): number => Number(amount);

/** The share of the height in which the closing balance is drawn, above the bars and on a scale of its own. */
const band = 0.3;

/** Closing balances, put into the band above the bars whose highest is `top`. */
function closings({ days }: CourseInput, top: number, bottom: number): number[] {
  const all = days.map(({ closing }) => value(closing));
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const room = (top - bottom) * band;
  return all.map((one) => top + room * (high === low ? 0.5 : 0.2 + (0.7 * (one - low)) / (high - low)));
}

function boundsOf({ days }: CourseInput): { top: number; bottom: number } {
  return {
    top: Math.max(0, ...days.map(({ money_in }) => value(money_in))),
    bottom: Math.min(0, ...days.map(({ money_out }) => -value(money_out))),
  };
}

const bar = ({ ink, grain }: Sheet<CourseInput>, alpha: number): uPlot.Series => ({
  ...(uPlot.paths.bars && { paths: uPlot.paths.bars({ size: [0.82, widest * grain] }) }),
  points: { show: false },
  width: 0,
  fill: () => ink("--bar"),
  alpha,
});

const isNow = ({ since }: CourseInput, { day }: Day): boolean => day >= since;
const split = (input: CourseInput, read: (day: Day) => number): [(number | null)[], (number | null)[]] => [
  input.days.map((day) => (isNow(input, day) ? read(day) : null)),
  input.days.map((day) => (isNow(input, day) ? null : read(day))),
];

/** "11-20" */
const nameOf = ({ days }: CourseInput, column: number): string => days[column]?.day.slice(5) ?? "";

/** What came in stands up, what went out hangs down, the period before is paler; the closing balance runs above in a band of its own. */
export const coursePlot: PlotKind<CourseInput> = {
  columns: ({ days }) => days.length,
  name: nameOf,
  nameRoom: 44,
  scale(input) {
    const { top, bottom } = boundsOf(input);
    const { min, max, ticks } = scaleOf(bottom, top, 4);
    return { min, max: max + (max - min) * band, ticks };
  },
  data(input) {
    const { top, bottom } = boundsOf(input);
    const above = closings(input, top === 0 && bottom === 0 ? 1 : top, bottom);
    const [up, upBefore] = split(input, ({ money_in }) => value(money_in));
    const [down, downBefore] = split(input, ({ money_out }) => -value(money_out));
    return [up, upBefore, down, downBefore, above];
  },
  series: (sheet) => [
    bar(sheet, 1),
    bar(sheet, 0.42),
    bar(sheet, 0.5),
    bar(sheet, 0.24),
    { ...(line && { paths: line }), points: { show: false }, stroke: () => sheet.ink("--accent"), width: 2 * sheet.grain },
  ],
  tick: (at) => compact(Math.abs(at)),
  labels(input) {
    const last = input.days.length - 1;
    const { top, bottom } = boundsOf(input);
    const closing = input.days[last]?.closing;
    if (closing === undefined) return [];
    const at = closings(input, top === 0 && bottom === 0 ? 1 : top, bottom)[last] ?? 0;
    return [{ text: compact(value(closing)), className: "closing-word", at: last, value: at }];
  },
  under(plot, { input, ink }) {
    strokeAcross(plot, 0, ink("--l-control"));
    // where the period in view begins
    const first = input.days.findIndex((day) => isNow(input, day));
    if (first <= 0) return;
    const { ctx, bbox } = plot;
    const x = Math.round((plot.valToPos(first - 1, "x", true) + plot.valToPos(first, "x", true)) / 2) + 0.5;
    ctx.save();
    ctx.strokeStyle = ink("--l-control");
    ctx.lineWidth = Math.max(1, Math.round(devicePixelRatio));
    ctx.setLineDash([2 * devicePixelRatio, 3 * devicePixelRatio]);
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    ctx.restore();
  },
  endRoom: 48,
};

/** What was earned, or what banks took, day by day. */
export const feesPlot: PlotKind<CourseInput> = {
  columns: ({ days }) => days.length,
  name: nameOf,
  nameRoom: 44,
  scale: ({ days }) => scaleOf(Math.min(0, ...days.map(({ fees }) => value(fees))), Math.max(0, ...days.map(({ fees }) => value(fees))), 4),
  data: (input) => split(input, ({ fees }) => value(fees)),
  series: (sheet) => [bar(sheet, 1), bar(sheet, 0.42)],
  tick: (at) => compact(at),
  labels: () => [],
  under: (plot, { ink }) => strokeAcross(plot, 0, ink("--l-control")),
  endRoom: 16,
};
