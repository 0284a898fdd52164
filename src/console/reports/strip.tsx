import { useEffect, useMemo, useRef } from "react";
import { useStore } from "zustand";
import type { ReportSummary } from "../../contract/reports.ts";
import { money } from "../../values/money.ts";
import { zoneText } from "../../values/zones.ts";
import { labelKey } from "../entity/entity.ts";
import type { RecordRow } from "../kit/commands/desks.ts";
import type { PlotKind } from "../kit/charts/plot.ts";
import { usePlot } from "../kit/charts/use-plot.ts";
import { Amount } from "../kit/look/amount.tsx";
import { amountChange, percentChange, signed } from "../kit/look/changes.ts";
import { CommandButton } from "../kit/look/command-button.tsx";
import { useText } from "../kit/texts/texts.ts";
import { useContextState } from "../kit/use-kit.ts";
import type { ListPanes } from "../lists/list-panes.ts";
import { Closings } from "./closings.tsx";
import type { CourseInput } from "./course-plot.ts";
import { coursePlot, feesPlot } from "./course-plot.ts";
import type { Days } from "./period.ts";
import { printStrip } from "./printed-strip.ts";
import type { ChartName, Report, ReportRow } from "./report.ts";
import { useShownReport } from "./shown-report.ts";

interface StripProps {
  readonly report: Report;
  readonly told: ReportSummary;
  readonly chart: ChartName;
  readonly asTables: boolean;
  readonly panes: ListPanes<RecordRow>;
}

/** Above the rows: a chart of the period beside the one before, and their figures against each other. */
export function Strip({ report, told, chart, asTables, panes }: StripProps) {
  const t = useText();
  const title = t(chart === "fees" ? `report.chart.${report.earned}` : chart === "closing" ? report.closing : `report.chart.${chart}`);
  const input = useMemo(() => ({ days: told.days, since: told.from }), [told]);
  const strip = useRef<HTMLDivElement>(null);
  const { rightToLeft } = useContextState();
  const { takePrinter } = useShownReport();
  const kind = asTables || chart === "closing" ? null : chart === "course" ? coursePlot : feesPlot;
  useEffect(() => {
    takePrinter((host) => (strip.current === null ? () => undefined : printStrip(host, strip.current, kind, input, rightToLeft)));
    return () => takePrinter(null);
  }, [takePrinter, kind, input, rightToLeft]);
  return (
    <div ref={strip} className="report-strip">
      <section className="report-chart" aria-label={title}>
        <h2>
          <span className="cut">{title}</span>
          <span className="t3 zone cut">{t("report.zone", { zone: zoneText(told.zone_minutes) })}</span>
          {chart === "course" && !asTables && (
            <span className="legend end" aria-hidden="true">
              <span>
                <i className="sw is-in" />
                {t("report.chart.in")}
              </span>
              <span>
                <i className="sw is-out" />
                {t("report.chart.out")}
              </span>
              <span>
                <i className="sw is-closing" />
                {t("report.chart.closing-line")}
              </span>
            </span>
          )}
          <span className={chart === "course" && !asTables ? undefined : "end"}>
            <CommandButton id="report.chart" look="bare">
              {t("report.chart.next")}
            </CommandButton>
          </span>
        </h2>
        {chart === "closing" ? (
          <Closings closings={told.closings} others={told.others} title={title} />
        ) : (
          <>
            {kind !== null && <Drawn kind={kind} input={input} panes={panes} />}
            <div className={asTables ? "report-table" : "sr"}>
              <DayTable told={told} title={title} chart={chart} earned={report.earned} />
            </div>
          </>
        )}
      </section>
      <section className="report-compare" aria-label={t("report.compare.title")}>
        <h2>
          <span className="cut">{t("report.compare.title")}</span>
          <span className="end">
            <CommandButton id="report.compare" look="bare">
              {t("report.compare.with")}
            </CommandButton>
          </span>
        </h2>
        <Compared report={report} told={told} />
      </section>
    </div>
  );
}

/** The chart, with the day of the row under the cursor set off. */
function Drawn({
  kind,
  input,
  panes,
}: {
  readonly kind: PlotKind<CourseInput>;
  readonly input: CourseInput;
  readonly panes: ListPanes<RecordRow>;
}) {
  const row = useStore(panes.shown, (shown) => shown.row) as ReportRow | null; // a row of the report
  const at = row === null || row.days !== 1 ? -1 : input.days.findIndex(({ day }) => day === row.day);
  const { host } = usePlot(kind, input, at);
  return <div ref={host} className={at < 0 ? "plot" : "plot has-day"} aria-hidden="true" />;
}

interface DayTableProps {
  readonly told: ReportSummary;
  readonly title: string;
  readonly chart: "course" | "fees";
  readonly earned: Report["earned"];
}

function DayTable({ told, title, chart, earned }: DayTableProps) {
  const t = useText();
  const columns =
    chart === "fees"
      ? ([["fees", t(`report.chart.${earned}`)]] as const)
      : ([
          ["money_in", t("report.chart.in")],
          ["money_out", t("report.chart.out")],
          ["closing", t("report.field.closing")],
        ] as const);
  return (
    <table className="tbl" aria-label={title}>
      <thead>
        <tr>
          <th scope="col">{t("report.field.day")}</th>
          {columns.map(([name, label]) => (
            <th key={name} scope="col" className="figure">
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {told.days.map((day) => (
          <tr key={day.day} className={day.day < told.from ? "t3" : undefined}>
            <th scope="row">
              <bdi>{day.day}</bdi>
            </th>
            {columns.map(([name]) => (
              <td key={name} className="figure">
                <Amount text={day[name]} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Compared({ report, told }: { readonly report: Report; readonly told: ReportSummary }) {
  const t = useText();
  return (
    <table className="tbl">
      <thead>
        <tr>
          <th scope="col">
            <span className="sr">{t("report.compare.figure")}</span>
          </th>
          <th scope="col" className="figure">
            <bdi>{shortPeriod(told)}</bdi>
          </th>
          <th scope="col" className="figure">
            <bdi>{shortPeriod({ from: told.against_from, to: told.against_to })}</bdi>
          </th>
          <th scope="col" className="figure">
            {t("report.compare.difference")}
          </th>
          <th scope="col" className="figure">
            %
          </th>
        </tr>
      </thead>
      <tbody>
        {report.compared.map((name) => {
          const [now, before] = [told.now[name] ?? "0.00", told.before[name] ?? "0.00"];
          const [change, percent] = [amountChange(money(now), money(before)), percentChange(money(now), money(before))];
          return (
            <tr key={name} className={name === "closing" ? "tot" : undefined}>
              <th scope="row">{t(labelKey(report.entity, name))}</th>
              <td className="figure strong">
                <Amount text={now} />
              </td>
              <td className="figure t2">
                <Amount text={before} />
              </td>
              <td className="figure">
                <bdi>{change.way === "same" ? change.size : signed(money(now) - money(before))}</bdi>
              </td>
              <td className="figure">
                <bdi>{percentText(percent)}</bdi>
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** "11-23–11-27", or with their years where the two are of different ones. */
function shortPeriod({ from, to }: Days): string {
  if (from === to) return from;
  return from.slice(0, 4) === to.slice(0, 4) ? `${from.slice(5)}–${to.slice(5)}` : `${from}–${to}`;
}

/** "+6.7 %"; a change of more than ten times tells nothing but that. */
function percentText(change: ReturnType<typeof percentChange>): string {
  if (change === null) return "–";
  if (change.size.length > 5) return "> 999 %";
  return `${change.way === "up" ? "+" : change.way === "down" ? "−" : ""}${change.size} %`;
}
