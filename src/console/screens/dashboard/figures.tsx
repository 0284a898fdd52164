import type { ReactNode } from "react";
import type { Dashboard } from "../../../contract/dashboard.ts";
import { Amount } from "../../kit/look/amount.tsx";
import { useText } from "../../kit/texts/texts.ts";
import { amountChange, arrows, percentChange, signed } from "../../kit/look/changes.ts";
import { amountOf, netOf, pointChange, secondChange } from "./day.ts";
import type { Change } from "../../kit/look/changes.ts";
import { figureNames, panelTitle, secondsText } from "./panels.ts";
import type { FigureName } from "./panels.ts";

interface Shown {
  readonly value: ReactNode;
  readonly unit: string;
  readonly change: Change | null;
  /** Adds the unit of a change: "%", "pt", none for a time. */
  readonly sign: (size: string) => string;
  readonly note: string;
}

/** The six figures of the day, each compared with yesterday up to the same time. */
export function Figures({ board, currency, at }: { board: Dashboard; currency: string; at: number }) {
  const t = useText();
  const shown = useFigures(board, currency);
  return (
    <div className="figures" data-panel="figures" role="listbox" aria-orientation="horizontal" aria-label={t(panelTitle("figures"))}>
      {figureNames.map((name, n) => {
        const { value, unit, change, sign, note } = shown[name];
        return (
          <div key={name} className="figure" role="option" aria-selected={n === at} tabIndex={n === at ? 0 : -1} data-item={name}>
            <span className="label">{t(`dashboard.figure.${name}`)}</span>
            <span className="value">
              <b>
                <bdi>{value}</bdi>
              </b>
              {unit !== "" && (
                <small>
                  <bdi>{unit}</bdi>
                </small>
              )}
            </span>
            <span className="delta">
              {change === null ? (
                <span className="t3">{t("dashboard.change.none")}</span>
              ) : (
                <bdi>
                  <span aria-hidden="true">{arrows[change.way]} </span>
                  <span className="sr">{t(`dashboard.change.${change.way}`)} </span>
                  {sign(change.size)}
                </bdi>
              )}
              <span className="t3 cut">
                <bdi>{note}</bdi>
              </span>
            </span>
          </div>
        );
      })}
    </div>
  );
}

function useFigures({ today, yesterday }: Dashboard, currency: string): Record<FigureName, Shown> {
  const t = useText();
  const plain = (size: string) => size;
  const percent = (size: string) => `${size} %`;
  const points = (size: string) => t("dashboard.points", { points: size });
  const flow = (name: "deposits" | "withdrawals"): Shown => ({
    value: <Amount text={today[name].amount} />,
    unit: currency,
    change: percentChange(amountOf(today[name].amount), amountOf(yesterday[name].amount)),
    sign: percent,
    note: t("dashboard.items", { count: today[name].count }),
  });
  const volume = amountOf(today.deposits.amount) + amountOf(today.withdrawals.amount);
  // ten-thousandths of a percent, reduced to two decimals
  const share = volume === 0n ? null : Number((amountOf(today.fees) * 1_000_000n) / volume) / 10_000;
  return {
    deposits: flow("deposits"),
    withdrawals: flow("withdrawals"),
    net: {
      value: signed(netOf(today)),
      unit: currency,
      ...(netOf(yesterday) > 0n
        ? { change: percentChange(netOf(today), netOf(yesterday)), sign: percent }
        : { change: amountChange(netOf(today), netOf(yesterday)), sign: plain }),
      note: t("dashboard.of-yesterday", { amount: signed(netOf(yesterday)) }),
    },
    fees: {
      value: <Amount text={today.fees} />,
      unit: currency,
      change: percentChange(amountOf(today.fees), amountOf(yesterday.fees)),
      sign: percent,
      note: share === null ? "" : t("dashboard.of-volume", { percent: share.toFixed(2) }),
    },
    rate: {
      value: today.approval_rate === null ? "–" : today.approval_rate.toFixed(1),
      unit: today.approval_rate === null ? "" : "%",
      change: pointChange(today.approval_rate, yesterday.approval_rate),
      sign: points,
      note: t("dashboard.rejected", { count: today.rejected }),
    },
    median: {
      value: secondsText(today.median_seconds),
      unit: today.median_seconds === null ? "" : t("dashboard.span-unit"),
      change: secondChange(today.median_seconds, yesterday.median_seconds),
      sign: plain,
      note: `p95 ${secondsText(today.p95_seconds)}`,
    },
  };
}
