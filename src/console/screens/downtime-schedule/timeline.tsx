import { useQueryClient } from "@tanstack/react-query";
import { useLayoutEffect, useMemo, useRef, useState } from "react";
import { useStore } from "zustand";
import { downtimeRoutes } from "../../../contract/downtimes.ts";
import { formatCount } from "../../../values/counts.ts";
import { usePlace } from "../../api/place.ts";
import { useApi, useChanged, useFormats, useLive, useRead, useReadKey } from "../../api/use-api.ts";
import { useMinute } from "../../api/use-second.ts";
import type { PaneState } from "../../kit/commands/context.ts";
import type { TimelineDesk } from "../../kit/commands/timeline-desk.ts";
import { Pane } from "../../kit/panes/panes.tsx";
import { usePane, withoutRows } from "../../kit/panes/use-pane.ts";
import { useText } from "../../kit/texts/texts.ts";
import { useContextState, useKit } from "../../kit/use-kit.ts";
import type { AboveList } from "../../entity/entity-screen.tsx";
import { Adjusting } from "./adjusting.ts";
import { LaneRow } from "./lane-row.tsx";
import type { Block } from "./timeline-lanes.ts";
import { blockAt, firstBlock, lanesIn, moved } from "./timeline-lanes.ts";
import type { Span } from "./timeline-span.ts";
import { daysOf, dayStart, readStretch, share, spans, stepped, stretchOf } from "./timeline-span.ts";
import { TimelineTable } from "./timeline-table.tsx";
import { Day } from "./week-strip.tsx";
import "./timeline.css";

const scopes: PaneState["scopes"] = ["pane", "picture"];
const minute = 60_000;
/** Hours between two lines of a day. */
const hourStep = 2;

/** What is down over a day, a week or a month, on a lane for each provider, set-up and game. */
export function Timeline({ record }: AboveList) {
  const t = useText();
  const kit = useKit();
  const at = usePlace();
  const formats = useFormats();
  const queries = useQueryClient();
  const { rightToLeft } = useContextState();
  const now = useMinute(useApi().time);

  const span: Span = spans.find((one) => one === at.get("span")) ?? "day";
  const asked = at.get("day");
  const today = formats.day(now);
  const day = asked !== null && dayStart(asked, formats) !== null ? asked : today;
  const stretch = useMemo(() => stretchOf(span, day, formats), [span, day, formats]);
  const read = readStretch(span, day, formats);
  const sent = { query: { from: new Date(read.from).toISOString(), to: new Date(read.to).toISOString() } };
  const { data, isError, isPending } = useRead(downtimeRoutes.readDowntimeTimeline, sent, { keep: true });
  const [, , path] = useReadKey(downtimeRoutes.readDowntimeTimeline, sent);
  const again = () => void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[2] === path });
  useChanged("downtime", again);
  useLive("downtime", again);
  useLive("gap", again);

  const timeline = data?.data;
  const lanes = useMemo(() => (timeline === undefined ? [] : lanesIn(timeline, stretch, now)), [timeline, stretch, now]);
  const [aimed, setAimed] = useState<string | null>(null);
  const [asTable, setAsTable] = useState(false);
  const ref = useRef<HTMLElement>(null);
  const block = blockAt(lanes, aimed) ?? firstBlock(lanes, now);
  const [adjusting] = useState(() => new Adjusting(kit.services));
  const moving = useStore(adjusting.moving, (state) => state.now);

  const aimAt = (to: Block): void => {
    setAimed(to.key);
    requestAnimationFrame(() => ref.current?.querySelector<HTMLElement>("[data-block][tabindex='0']")?.focus());
  };
  const latest = useRef<TimelineDesk | null>(null);
  useLayoutEffect(() => {
    latest.current = {
      move(motion) {
        if (block === null) return kit.services.say("downtime.timeline.none");
        const turned = motion === "left" ? "right" : motion === "right" ? "left" : motion;
        aimAt(moved(lanes, block, rightToLeft === true ? turned : motion));
      },
      show: (wanted) => at.set({ span: wanted }),
      step: (by) => at.set({ day: stepped(span, day, by, formats) }),
      toNow: () => at.set({ day: null }),
      toggleTable: () => setAsTable((before) => !before),
      adjust(part, by) {
        if (block !== null) adjusting.adjust(block, part, by, formats);
      },
    };
  });
  // the same object while it is mounted: what it does is always the latest
  const desk = useMemo(
    (): TimelineDesk => ({
      move: (motion) => latest.current?.move(motion),
      show: (wanted) => latest.current?.show(wanted),
      step: (by) => latest.current?.step(by),
      toNow: () => latest.current?.toNow(),
      toggleTable: () => latest.current?.toggleTable(),
      adjust: (part, by) => latest.current?.adjust(part, by),
    }),
    [],
  );
  const row = block?.row ?? null;
  const id = row === null ? null : (row.entity.code ?? row.entity.name);
  const note = block === null ? "" : t("downtime.timeline.aim", { from: formats.time(block.from), to: formats.clock(block.to) });
  const aim = useMemo(() => ({ id, note }), [id, note]);
  usePane(ref, { id: "downtime.timeline", scopes, ...withoutRows, subject: "downtime", cursor: row, aim, record, timeline: desk });

  const isHere = now >= stretch.from && now < stretch.to;
  const days = daysOf(read);
  const axis =
    span === "day" ? Array.from({ length: 24 / hourStep }, (_, n) => stretch.from + n * hourStep * 60 * minute) : daysOf(stretch);
  return (
    <Pane name="timeline" innerRef={ref} className={`timeline span-${span}`} label={t("downtime.timeline.title")}>
      <div className="top">
        <div className="spans" role="group" aria-label={t("downtime.timeline.span")}>
          {spans.map((one) => (
            <button key={one} type="button" aria-pressed={one === span} onClick={() => desk.show(one)}>
              {t(`downtime.timeline.${one}`)}
            </button>
          ))}
          <b className="end">
            <bdi>{span === "month" ? day.slice(0, 7) : day}</bdi>
          </b>
        </div>
        <div className="days" style={{ "--n": days.length }}>
          {span !== "month" &&
            days.map((midnight) => (
              <Day
                key={midnight}
                midnight={midnight}
                isOn={span === "day" && midnight === stretch.from}
                windows={timeline?.windows ?? []}
                onPick={() => at.set({ day: formats.day(midnight), span: "day" })}
              />
            ))}
        </div>
      </div>
      {asTable ? (
        <TimelineTable lanes={lanes} />
      ) : (
        <div className="lanes">
          <div className="axis" aria-hidden="true">
            <span className="cut">{t("downtime.timeline.lanes")}</span>
            <div className="hours">
              {axis
                .filter((tick) => !(isHere && isBeside(share(stretch, tick), share(stretch, now))))
                .map((tick) => (
                  <span
                    key={tick}
                    data-between={((tick - stretch.from) / (hourStep * 60 * minute)) % 2 === 1 ? "" : undefined}
                    style={{ "--x": `${share(stretch, tick)}%` }}
                  >
                    <bdi>
                      {span === "day" ? formats.clock(tick) : span === "week" ? formats.day(tick).slice(5) : formats.day(tick).slice(8)}
                    </bdi>
                  </span>
                ))}
              {isHere && (
                <span className="now" style={{ "--x": `${share(stretch, now)}%` }}>
                  <bdi>{formats.clock(now)}</bdi>
                </span>
              )}
            </div>
          </div>
          <ul aria-label={t("downtime.timeline.lanes")} style={{ "--ticks": axis.length }}>
            {lanes.map((lane) => (
              <LaneRow
                key={lane.lane.uuid}
                lane={lane}
                stretch={stretch}
                aimed={block?.key ?? null}
                moving={moving}
                past={now}
                onAim={(to) => aimAt(to)}
                onShow={({ row: { uuid } }) => at.get("record") !== uuid && at.note({ record: uuid })}
              />
            ))}
          </ul>
          {lanes.length === 0 && (
            <p className="nothing t3" role="status">
              {isError ? t("downtime.timeline.failed") : isPending ? "" : t("downtime.timeline.none")}
            </p>
          )}
          {(timeline?.more ?? 0) > 0 && <p className="t3">{t("downtime.timeline.more", { shown: formatCount(timeline?.more ?? 0) })}</p>}
        </div>
      )}
    </Pane>
  );
}

/** Percent of the width that a tick's words and those of now take up together. */
const wordsWidth = 7.5;
const isBeside = (tick: number, now: number): boolean => tick > now - wordsWidth && tick < now + wordsWidth;
