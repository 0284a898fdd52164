import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { plainMoment, spokenMoment } from "../../values/moments.ts";
import { usePlace } from "../api/place.ts";
import { useFormats, useRead } from "../api/use-api.ts";
import type { AboveList } from "../entity/entity-screen.tsx";
import { EntityScreen } from "../entity/entity-screen.tsx";
import type { RecordRow } from "../kit/commands/desks.ts";
import type { ReportDesk } from "../kit/commands/report-desk.ts";
import { mostPrinted } from "../kit/grid/printed-rows.ts";
import { CommandButton } from "../kit/look/command-button.tsx";
import { useText } from "../kit/texts/texts.ts";
import { useKit } from "../kit/use-kit.ts";
import { ReadFailed } from "../kit/look/read-failed.tsx";
import { momentWord } from "../lists/filters.ts";
import type { ListPanes } from "../lists/list-panes.ts";
import { readTimes } from "../lists/ranges.ts";
import type { Days } from "./period.ts";
import { daysText, periodText, shifted, widened } from "./period.ts";
import type { ChartName, Report } from "./report.ts";
import { charts } from "./report.ts";
import type { Lead } from "./shown-report.ts";
import { awaited, ShownReport, useShownReport } from "./shown-report.ts";
import { Strip } from "./strip.tsx";
import { useMoneyMoved } from "./use-money-moved.ts";
import { nextDiffering } from "./next-differing.ts";
import { usePeriod } from "./use-period.ts";
import "./reports.css";

/** A report: its rows with totals and entries, and above them a chart and the comparison with another period. */
export function ReportScreen({ report }: { readonly report: Report }) {
  const { entity } = report;
  const kit = useKit();
  const place = usePlace();
  const { zone } = useFormats();
  const asked = usePeriod(entity);
  const [chart, setChart] = useState<ChartName>("course");
  const [asTables, setTables] = useState(false);
  const panes = useRef<ListPanes<RecordRow> | null>(null);
  const printer = useRef<Lead | null>(null);
  const [settled] = useState(awaited);

  const acts = useRef<Omit<ReportDesk, "view"> | null>(null);
  useLayoutEffect(() => {
    const show = (days: Days) => place.set({ day: periodText(days), record: null }, true);
    acts.current = {
      shift: (by) => show(shifted(asked.days, by)),
      changeSpan: () => show(widened(asked.days, asked.today)),
      async compare() {
        const plain = (typed: string) => plainMoment(typed, momentWord);
        const typed = await kit.services.ask("text", {
          title: "report.compare.ask",
          words: {},
          initial: spokenMoment(place.get("against") ?? "", momentWord),
          maximum: 60,
          hint: "report.compare.hint",
          refuse: (text: string) =>
            text === "" || readTimes(plain(text), 0, zone) !== null ? null : { key: "list.said.filter-unreadable", words: { text } },
        });
        if (typed !== null) place.set({ against: typed === "" ? null : plain(typed) }, true);
      },
      nextChart: () => setChart((now) => charts[(charts.indexOf(now) + 1) % charts.length] ?? "course"),
      toggleTables: () => setTables((now) => !now),
      async print() {
        await loadUpTo(mostPrinted, panes.current);
        await settled.so();
        window.print();
      },
      async nextDifference() {
        const found = panes.current && (await nextDiffering(panes.current.source, panes.current.shown.getState().row?.uuid ?? ""));
        if (found === null) kit.services.say("report.said.no-difference");
        else if (found !== undefined) panes.current?.grid?.scrollToId(found);
      },
    };
  });
  const lends = useMemo(
    (): { report: ReportDesk } => ({
      report: {
        view: entity.routes.list.permission,
        shift: (by) => acts.current?.shift(by),
        changeSpan: () => acts.current?.changeSpan(),
        compare: async () => acts.current?.compare(),
        nextChart: () => acts.current?.nextChart(),
        toggleTables: () => acts.current?.toggleTables(),
        print: async () => acts.current?.print(),
        nextDifference: async () => acts.current?.nextDifference(),
      },
    }),
    [entity],
  );
  const shown = useMemo(
    () => ({
      report,
      chart,
      asTables,
      take: (own: ListPanes<RecordRow>) => void (panes.current = own),
      takePrinter: (own: Lead | null) => void (printer.current = own),
      settle: settled.set,
    }),
    [report, chart, asTables, settled],
  );
  const printed = {
    also: report.compared,
    period: () => daysText(asked.days),
    lead: (host: HTMLElement) => printer.current?.(host) ?? (() => undefined),
  };
  return (
    <ShownReport value={shown}>
      <EntityScreen
        entity={entity}
        lends={lends}
        above={AboveRows}
        printed={printed}
        acts={
          <>
            <CommandButton id="report.earlier" className="create" sign="‹" />
            <CommandButton id="report.later" className="create" sign="›" />
            <CommandButton id="report.span" className="create" />
          </>
        }
      />
    </ShownReport>
  );
}

/** Loads page after page until so many rows are there, or all, or none came. */
async function loadUpTo(most: number, panes: ListPanes<RecordRow> | null): Promise<void> {
  for (let [source, before] = [panes?.source, -1]; source?.more && source.length < most && source.length > before;) {
    before = source.length;
    await source.feed?.after(); // oxlint-disable-line no-await-in-loop -- each page begins where the one before it ends
  }
}

function AboveRows({ panes }: AboveList) {
  const t = useText();
  const { report, chart, asTables, take, settle } = useShownReport();
  useEffect(() => take(panes), [take, panes]);
  const { days, against, code } = usePeriod(report.entity);
  const query = {
    ...days,
    ...(code !== undefined && { code }),
    ...(against && { against_from: against.from, against_to: against.to }),
  };
  const { data, isError, isPlaceholderData, refetch } = useRead(report.summary, { query }, { keep: true });
  useMoneyMoved(report.summary);
  const told = data?.data;
  const isSettled = (told !== undefined && !isPlaceholderData) || isError;
  useEffect(() => {
    settle(isSettled);
    return () => settle(false);
  }, [settle, isSettled]);
  if (isError && told === undefined)
    return (
      <ReadFailed className="report-failed" retry={refetch}>
        {t("report.failed")}
      </ReadFailed>
    );
  if (told === undefined) return <div className="report-strip" aria-busy="true" />;
  return <Strip report={report} told={told} chart={chart} asTables={asTables} panes={panes} />;
}
