import uPlot from "uplot";
import type { DashboardHour } from "../../../contract/dashboard.ts";
import { moneyText } from "../../../values/money.ts";
import { compact } from "../../kit/look/changes.ts";
import { netOf } from "./day.ts";
import { reach } from "./panels.ts";
import type { PlotKind } from "../../kit/charts/plot.ts";
import { strokeAcross } from "../../kit/look/plot-upkeep.ts";
import { scaleOf } from "../../kit/charts/scale.ts";

export interface FlowInput {
  readonly hours: readonly DashboardHour[];
  /** The current hour: its bars are pale, and the net line ends there. */
  readonly hour: number;
  /** "net +138.9k" */
  readonly netWord: (net: string) => string;
}

const bars = uPlot.paths.bars?.({ size: [0.92, 64] });
const line = uPlot.paths.linear?.();

const net = (hour: DashboardHour): number => reach(moneyText(netOf(hour)));
const income = ({ hours }: FlowInput) => hours.map(({ deposits }) => reach(deposits.amount));
const outgo = ({ hours }: FlowInput) => hours.map(({ withdrawals }) => -reach(withdrawals.amount));
const before = ({ hours }: FlowInput) => hours.map(({ deposits_yesterday }) => reach(deposits_yesterday));
const nets = ({ hours, hour }: FlowInput) => hours.map((each) => (each.hour <= hour ? net(each) : null));

export const flowPlot: PlotKind<FlowInput> = {
  columns: ({ hours }) => hours.length,
  scale: (input) => scaleOf(Math.min(0, ...outgo(input)), Math.max(0, ...income(input), ...before(input)), 5),
  data(input) {
    const over = (values: number[]) => values.map((value, at) => (at !== input.hour && value !== 0 ? value : null));
    const running = (values: number[]) => values.map((value, at) => (at === input.hour && value !== 0 ? value : null));
    const [up, down] = [income(input), outgo(input)];
    return [over(up), running(up), over(down), running(down), before(input).map((value) => (value === 0 ? null : value)), nets(input)];
  },
  series({ ink }) {
    const bar = (alpha: number): uPlot.Series => ({
      ...(bars && { paths: bars }),
      points: { show: false },
      width: 0,
      fill: () => ink("--bar"),
      alpha,
    });
    return [
      bar(1),
      bar(0.5),
      bar(0.48),
      bar(0.26),
      // yesterday's deposits: a tick across each hour
      {
        points: { show: false },
        stroke: () => ink("--t-2"),
        width: 1,
        paths(plot, at, from, to) {
          const stroke = new Path2D();
          const half = (plot.bbox.width / (to - from + 1)) * 0.46;
          for (let hour = from; hour <= to; hour++) {
            const value = plot.data[at]?.[hour];
            if (value == null) continue;
            const [x, y] = [plot.valToPos(hour, "x", true), Math.round(plot.valToPos(value, "y", true)) + 0.5];
            stroke.moveTo(x - half, y);
            stroke.lineTo(x + half, y);
          }
          return { stroke, fill: null };
        },
      },
      { ...(line && { paths: line }), points: { show: false }, stroke: () => ink("--accent"), width: 2 },
    ];
  },
  name: (_, hour) => String(hour).padStart(2, "0"),
  nameRoom: 34,
  least: 2,
  tick: (value) => compact(Math.abs(value)),
  labels(input) {
    const present = input.hours[input.hour];
    if (present === undefined) return [];
    const value = net(present);
    const text = input.netWord(`${value > 0 ? "+" : ""}${compact(value)}`);
    return [{ text, className: "net-word", at: input.hour, value }];
  },
  under: (plot, { ink }) => strokeAcross(plot, 0, ink("--l-control")),
  over(plot, { input, ink }) {
    const present = input.hours[input.hour];
    if (present === undefined) return;
    const { ctx } = plot;
    ctx.save();
    ctx.beginPath();
    ctx.arc(plot.valToPos(input.hour, "x", true), plot.valToPos(net(present), "y", true), 3.5 * devicePixelRatio, 0, 2 * Math.PI);
    ctx.fillStyle = ink("--accent");
    ctx.strokeStyle = ink("--s-pane");
    ctx.lineWidth = 2 * devicePixelRatio;
    ctx.fill();
    ctx.stroke();
    ctx.restore();
  },
  endRoom: 8,
};
