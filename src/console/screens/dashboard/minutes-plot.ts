import uPlot from "uplot";
import type { DashboardHour } from "../../../contract/dashboard.ts";
import type { Label, PlotKind } from "../../kit/charts/plot.ts";
import { strokeAcross } from "../../kit/look/plot-upkeep.ts";
import { minuteColumns } from "./panels.ts";
import { scaleOf } from "../../kit/charts/scale.ts";

export interface MinutesInput {
  readonly hours: readonly DashboardHour[];
  readonly hour: number;
  /** Minutes after which a waiting row is red. */
  readonly limit: number;
  readonly limitWord: string;
}

const line = uPlot.paths.linear?.();
const minutes = (seconds: number | null): number | null => (seconds === null ? null : seconds / 60);
const shown = ({ hours, hour }: MinutesInput) => hours.slice(0, minuteColumns(hour));
const median = (input: MinutesInput) => shown(input).map(({ median_seconds }) => minutes(median_seconds));
const p95 = (input: MinutesInput) => shown(input).map(({ p95_seconds }) => minutes(p95_seconds));

/** Height of a label as a share of the axis, because two labels at the ends of lines must not overlap. */
const wordHeight = 0.09;

export const minutesPlot: PlotKind<MinutesInput> = {
  columns: (input) => shown(input).length,
  scale(input) {
    const most = Math.max(0, ...[...median(input), ...p95(input)].map((value) => value ?? 0));
    return scaleOf(0, Math.max(input.limit * 1.15, most), 4);
  },
  data: (input) => [median(input), p95(input)],
  series: ({ ink }) => [
    // an hour without approvals is a gap, and a single hour between gaps a point
    { ...(line && { paths: line }), stroke: () => ink("--t-1"), width: 2, points: { show: true, size: 4, fill: () => ink("--t-1") } },
    { ...(line && { paths: line }), stroke: () => ink("--t-3"), width: 1.5, points: { show: true, size: 4, fill: () => ink("--t-3") } },
  ],
  name: (_, hour) => String(hour).padStart(2, "0"),
  nameRoom: 34,
  least: 2,
  tick: (value) => String(Math.round(value * 10) / 10),
  labels(input) {
    const end = (values: readonly (number | null)[]) => values.findLastIndex((value) => value !== null);
    const [m, p] = [median(input), p95(input)];
    const [mAt, pAt] = [end(m), end(p)];
    const words: Label[] = [{ text: input.limitWord, className: "limit-word", at: shown(input).length - 0.5, value: input.limit }];
    if (mAt === -1) return words;
    const [mValue, pValue] = [m[mAt] ?? 0, p[pAt] ?? 0];
    const apart = this.scale(input).max * wordHeight;
    // the median's label is moved down, the other one up
    const push = Math.max(0, apart - (pValue - mValue)) / 2;
    const aside = Math.abs(pValue + push - input.limit) < apart && pAt >= shown(input).length - 2 ? apart : 0;
    words.push({ text: "p50", className: "p50-word", at: mAt, value: Math.max(apart / 2, mValue - push) });
    words.push({ text: "p95", className: "p95-word", at: pAt, value: pValue + push + (pValue >= input.limit ? aside : -aside) });
    return words;
  },
  under: (plot, { ink }) => strokeAcross(plot, 0, ink("--l-control")),
  over(plot, { input, ink }) {
    const { ctx, bbox } = plot;
    const limit = plot.valToPos(input.limit, "y", true);
    // the part of the 95th percentile above the limit
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, Math.max(0, limit - bbox.top));
    ctx.clip();
    ctx.globalAlpha = 0.3;
    ctx.fillStyle = ink("--c-rejected");
    ctx.beginPath();
    const values = p95(input);
    values.forEach((value, at) => {
      const next = values[at + 1];
      if (value === null || next == null) return;
      ctx.moveTo(plot.valToPos(at, "x", true), limit);
      ctx.lineTo(plot.valToPos(at, "x", true), plot.valToPos(value, "y", true));
      ctx.lineTo(plot.valToPos(at + 1, "x", true), plot.valToPos(next, "y", true));
      ctx.lineTo(plot.valToPos(at + 1, "x", true), limit);
      ctx.closePath();
    });
    ctx.fill();
    ctx.restore();
    strokeAcross(plot, input.limit, ink("--c-rejected"), [3, 3]);
  },
  endRoom: 52,
};
