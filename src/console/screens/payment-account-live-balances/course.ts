import type { LiveDay, LiveMeta } from "../../../contract/live-balances.ts";
import { pointMinutes } from "../../../contract/live-balances.ts";
import { money } from "../../../values/money.ts";
import type { LiveLine } from "./live-lines.ts";
import { isAccount } from "./live-lines.ts";

/** Points of a day: its whole length. */
export const dayPoints = (24 * 60) / pointMinutes;

export interface Curve {
  /** Where each balance of the day stands: share of the day, and of the height from the bottom. */
  readonly points: readonly (readonly [x: number, y: number])[];
  /** Height of the threshold; null: it lies outside of what is drawn. */
  readonly threshold: number | null;
  readonly lowest: number;
  readonly highest: number;
}

/**
 * The course of a balance from the day's beginning until now, between its lowest and highest; the threshold is drawn in where the balance
 * is below it or has come near.
 */
export function curveOf(
  { opening, points }: Pick<LiveDay, "opening" | "points">,
  { threshold, state }: Pick<LiveLine & { line: "account" }, "threshold" | "state">,
  elapsed: number,
): Curve {
  const toNumber = (text: string) => Number(money(text)) / 10_000;
  const values = [opening, ...points].map(toNumber);
  const limit = toNumber(threshold);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const isNear = limit > 0 && (state === "critical" || (limit >= low - (high - low || high) * 0.5 && limit <= high));
  const lowest = isNear ? Math.min(low, limit) : low;
  const highest = isNear ? Math.max(high, limit) : high;
  const y = (value: number) => (highest === lowest ? 0.5 : (value - lowest) / (highest - lowest));
  // a point is the balance at the end of its quarter, the last one now
  const course = values.map((value, at) => [Math.min(at / dayPoints, elapsed), y(value)] as const);
  return { points: [...course, [elapsed, y(values.at(-1) ?? 0)]], threshold: isNear ? y(limit) : null, lowest, highest };
}

/** The share of the currency's day that has passed. */
export const elapsedOf = (now: number, { day_starts_at, day_ends_at }: LiveMeta): number =>
  Math.min(1, Math.max(0, (now - Date.parse(day_starts_at)) / (Date.parse(day_ends_at) - Date.parse(day_starts_at))));

const svg = "http://www.w3.org/2000/svg";
const [width, height] = [68, 20] as const;

/** An account's day in its cell; the figures beside it say the same, so screen readers are told nothing. */
export function drawSpark(
  cell: HTMLElement,
  times: () => { readonly now: number; readonly meta: LiveMeta | null },
): (line: LiveLine) => void {
  const part = (name: string, className: string, parent: SVGElement) => {
    const made = document.createElementNS(svg, name);
    made.setAttribute("class", className);
    parent.append(made);
    return made;
  };
  const picture = document.createElementNS(svg, "svg");
  picture.setAttribute("class", "live-spark");
  picture.setAttribute("viewBox", `0 0 ${width} ${height}`);
  picture.setAttribute("aria-hidden", "true");
  const [area, limit, course, dot] = [
    part("path", "area", picture),
    part("path", "limit", picture),
    part("path", "course", picture),
    part("circle", "spark-end", picture),
  ];
  dot.setAttribute("r", "2");
  cell.append(picture);
  let drawn = "";
  return (line) => {
    const { now, meta } = times();
    const day = isAccount(line) ? line.day : null;
    picture.style.display = day === null || meta === null ? "none" : "";
    if (!isAccount(line) || day === null || meta === null) return;
    const { points, threshold } = curveOf(day, line, elapsedOf(now, meta));
    const at = points.map(([x, y]) => [2 + x * (width - 4), height - 3 - y * (height - 6)] as const);
    const path = at.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L");
    const mood = line.state === "critical" ? "live-spark is-critical" : "live-spark";
    if (`${path} ${mood} ${threshold}` === drawn) return;
    drawn = `${path} ${mood} ${threshold}`;
    picture.setAttribute("class", mood);
    const [last, first] = [at.at(-1) ?? [0, 0], at[0] ?? [0, 0]];
    course.setAttribute("d", `M${path}`);
    area.setAttribute("d", `M${path}L${last[0].toFixed(1)} ${height}L${first[0].toFixed(1)} ${height}Z`);
    const level = threshold === null ? "" : (height - 3 - threshold * (height - 6)).toFixed(1);
    limit.setAttribute("d", level === "" ? "" : `M2 ${level}H${width - 2}`);
    dot.setAttribute("cx", last[0].toFixed(1));
    dot.setAttribute("cy", last[1].toFixed(1));
  };
}
