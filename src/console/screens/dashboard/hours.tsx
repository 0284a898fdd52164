import { useMemo } from "react";
import type { Dashboard, DashboardHour } from "../../../contract/dashboard.ts";
import { Amount } from "../../kit/look/amount.tsx";
import { useText } from "../../kit/texts/texts.ts";
import { Chart } from "./chart.tsx";
import { signed } from "../../kit/look/changes.ts";
import { hourText, isEmptyDay, netOf } from "./day.ts";
import { flowPlot } from "./flow-plot.ts";
import { minutesPlot } from "./minutes-plot.ts";
import { Panel, Rows } from "./panel.tsx";
import type { Column } from "./panel.tsx";
import { minuteColumns, panelTitle, secondsText } from "./panels.ts";
import type { Item } from "./panels.ts";

export interface ChartPanelProps {
  readonly board: Dashboard;
  /** The current hour. */
  readonly hour: number;
  readonly items: readonly Item[];
  readonly at: number;
  /** Shown as a table instead of a chart. */
  readonly asTable: boolean;
  onPick(at: number): void;
}

const idOf = ({ hour }: DashboardHour) => String(hour);

/** The table of a chart: always there for screen readers, and visible where tables are chosen. */
function Table({
  title,
  columns,
  rows,
  at,
  asTable,
}: {
  title: string;
  columns: readonly Column<DashboardHour>[];
  rows: readonly DashboardHour[];
  at: number;
  asTable: boolean;
}) {
  const table = { caption: title, columns, rows, idOf };
  return asTable ? (
    // keyed apart, because a table turned from readable to walkable would lose the focus of the cursor's row
    <div key="rows" className="rows">
      <Rows {...table} at={at} />
    </div>
  ) : (
    <div key="sr" className="sr">
      <Rows {...table} />
    </div>
  );
}

/** Deposits up, withdrawals down, their net between, yesterday's deposits as ticks. */
export function FlowPanel({ board, hour, items, at, asTable, onPick }: ChartPanelProps) {
  const t = useText();
  const title = t(panelTitle("flow"));
  const input = useMemo(
    () => ({ hours: board.hours, hour, netWord: (net: string) => t("dashboard.flow.net-word", { net: `\u2068${net}\u2069` }) }),
    [board.hours, hour, t],
  );
  const columns: readonly Column<DashboardHour>[] = [
    { title: t("dashboard.column.hour"), cell: (row) => hourText(row.hour) },
    { title: t("dashboard.flow.deposits"), cell: ({ deposits }) => <Amount text={deposits.amount} /> },
    { title: t("dashboard.column.deposit-items"), cell: ({ deposits }) => deposits.count, className: () => "t2" },
    { title: t("dashboard.flow.withdrawals"), cell: ({ withdrawals }) => <Amount text={withdrawals.amount} /> },
    { title: t("dashboard.column.withdrawal-items"), cell: ({ withdrawals }) => withdrawals.count, className: () => "t2" },
    { title: t("dashboard.flow.net"), cell: (row) => <bdi>{signed(netOf(row))}</bdi> },
    { title: t("dashboard.flow.yesterday"), cell: (row) => <Amount text={row.deposits_yesterday} />, className: () => "t2" },
  ];
  const legend = (
    <>
      {(["deposits", "withdrawals", "net", "yesterday"] as const).map((name) => (
        <span key={name}>
          <i className={`sw is-${name}`} />
          {t(`dashboard.flow.${name}`)}
        </span>
      ))}
    </>
  );
  return (
    <Panel name="flow" note={asTable ? undefined : legend}>
      {isEmptyDay(board) && !asTable && <p className="empty-day">{t("dashboard.empty-day")}</p>}
      {!asTable && <Chart kind={flowPlot} input={input} label={title} items={items} at={at} onPick={onPick} />}
      <Table title={title} columns={columns} rows={board.hours} at={at} asTable={asTable} />
    </Panel>
  );
}

/** Median and 95th percentile of the minutes to approve, against the limit after which a waiting row is red. */
export function MinutesPanel({ board, hour, items, at, asTable, onPick }: ChartPanelProps) {
  const t = useText();
  const title = t(panelTitle("minutes"));
  const limit = board.queue.red_minutes;
  const input = useMemo(() => ({ hours: board.hours, hour, limit, limitWord: t("dashboard.limit") }), [board.hours, hour, limit, t]);
  const late = (seconds: number | null) => (seconds !== null && seconds > limit * 60 ? "fail" : "");
  const columns: readonly Column<DashboardHour>[] = [
    { title: t("dashboard.column.hour"), cell: (row) => hourText(row.hour) },
    { title: t("dashboard.column.approved"), cell: ({ withdrawals }) => withdrawals.count, className: () => "t2" },
    { title: "p50", cell: (row) => <bdi>{secondsText(row.median_seconds)}</bdi>, className: (row) => late(row.median_seconds) },
    { title: "p95", cell: (row) => <bdi>{secondsText(row.p95_seconds)}</bdi>, className: (row) => late(row.p95_seconds) },
  ];
  return (
    <Panel name="minutes" note={t("dashboard.minutes.note", { minutes: limit })}>
      {!asTable && <Chart kind={minutesPlot} input={input} label={title} items={items} at={at} onPick={onPick} />}
      <Table title={title} columns={columns} rows={board.hours.slice(0, minuteColumns(hour))} at={at} asTable={asTable} />
    </Panel>
  );
}
