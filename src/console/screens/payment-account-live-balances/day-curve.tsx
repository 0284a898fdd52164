import type { LiveDay, LiveMeta } from "../../../contract/live-balances.ts";
import { useApi, useFormats } from "../../api/use-api.ts";
import { useSecond } from "../../api/use-second.ts";
import { shownAmount } from "../../kit/look/amounts.ts";
import { useText } from "../../kit/texts/texts.ts";
import { curveOf, elapsedOf } from "./course.ts";
import type { AccountLine } from "./live-lines.ts";

const [width, height] = [368, 60] as const;

/** A label stands above its line, or under it where there is no room. */
const labelAt = (y: number): string => `${y < 16 ? y + 2 : y - 15}px`;

interface DayCurveProps {
  readonly line: AccountLine;
  readonly day: LiveDay;
  readonly meta: LiveMeta;
}

/** The balance over the currency's day, with the threshold it turns critical at; in words for who cannot see it. */
export function DayCurve({ line, day, meta }: DayCurveProps) {
  const t = useText();
  const formats = useFormats();
  const { time } = useApi();
  useSecond();
  const { points, threshold, lowest, highest } = curveOf(day, line, elapsedOf(time.now(), meta));
  const at = points.map(([x, y]) => [x * width, height - 4 - y * (height - 8)] as const);
  const path = at.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L");
  const [[, startY], [endX, endY]] = [at[0] ?? [0, 0], at.at(-1) ?? [0, 0]];
  const level = threshold === null ? null : height - 4 - threshold * (height - 8);
  const middle = (Date.parse(meta.day_starts_at) + Date.parse(meta.day_ends_at)) / 2;
  const figure = (value: number) => shownAmount(value.toFixed(4));
  return (
    <div className={line.state === "critical" ? "live-curve is-critical" : "live-curve"} dir="ltr">
      <p className="sr">
        {t("live-balance.curve-told", { opening: shownAmount(day.opening), lowest: figure(lowest), highest: figure(highest) })}
      </p>
      <div className="plot" aria-hidden="true">
        <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none">
          <path className="area" d={`M${path}L${endX.toFixed(1)} ${height}L0 ${height}Z`} />
          <path className="ground" d={`M0 ${height - 0.5}H${width}`} />
          {level !== null && <path className="limit" d={`M0 ${level.toFixed(1)}H${width}`} />}
          <path className="course" d={`M${path}`} />
        </svg>
        <i className="curve-end" style={{ insetInlineStart: `${(endX / width) * 100}%`, insetBlockStart: `${(endY / height) * 100}%` }} />
        {level !== null && (
          <bdi className="threshold" style={{ insetBlockStart: labelAt(level) }}>
            {t("live-balance.threshold", { amount: shownAmount(line.threshold) })}
          </bdi>
        )}
        <bdi className="opening" style={{ insetBlockStart: labelAt(startY) }}>
          {t("live-balance.opening", { amount: shownAmount(day.opening) })}
        </bdi>
      </div>
      <div className="hours" aria-hidden="true">
        <bdi>{formats.clock(meta.day_starts_at)}</bdi>
        <bdi>{formats.clock(middle)}</bdi>
        <bdi>{formats.clock(meta.day_ends_at)}</bdi>
      </div>
    </div>
  );
}
