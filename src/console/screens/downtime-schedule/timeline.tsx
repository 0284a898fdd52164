import { useQueryClient } from "@tanstack/react-query";
import { useLayoutEffect, useMemo, useRef, useState } from "react";
import { useStore } from "zustand";
import { downtimeRoutes } from "../../../contract/downtimes.ts";
import { formatCount } from "../../../values/counts.ts";
import { usePlace } from "../../api/place.ts";
import { useApi, useChanged, useFormats, useLive, useRead, useReadKey } from "../../api/use-api.ts";
import { useSecond } from "../../api/use-second.ts";
import type { PaneState } from "../../kit/commands/context.ts";
import type { TimelineDesk } from "../../kit/commands/desks.ts";
import { Icon } from "../../kit/look/icon.tsx";
import { markOf } from "../../kit/look/status.tsx";
import { Pane } from "../../kit/panes/panes.tsx";
import { usePane, withoutRows } from "../../kit/panes/use-pane.ts";
import { useText } from "../../kit/texts/texts.ts";
import { useContextState, useKit } from "../../kit/use-kit.ts";
import type { AboveList } from "../../entity/entity-screen.tsx";
import type { Moving } from "./adjusting.ts";
import { Adjusting } from "./adjusting.ts";
import type { Block, DrawnLane } from "./timeline-lanes.ts";
import { blockAt, firstBlock, lanesIn, moved } from "./timeline-lanes.ts";
import type { Span, Stretch } from "./timeline-span.ts";
import { daysOf, dayStart, readStretch, spans, stepped, stretchOf } from "./timeline-span.ts";
import { TimelineTable } from "./timeline-table.tsx";
import "./timeline.css";

const scopes: PaneState["scopes"] = ["pane", "picture"];
const minute = 60_000;
/** Hours between two lines of a day. */
const hourStep = 2;

/** Where an instant stands within a stretch, in percent of its length. */
const share = ({ from, to }: Stretch, at: number): number => ((at - from) / (to - from)) * 100;

function place(stretch: Stretch, { from, to }: Stretch): { "--x": string; "--w": string } {
  const [begin, end] = [Math.max(0, share(stretch, from)), Math.min(100, share(stretch, to))];
  return { "--x": `${begin.toFixed(3)}%`, "--w": `${(end - begin).toFixed(3)}%` };
}

/** What is down over a day, a week or a month, on a lane for each provider, set-up and game. */
export function Timeline({ record }: AboveList) {
  const t = useText();
  const api = useApi();
  const kit = useKit();
  const at = usePlace();
  const formats = useFormats();
  const queries = useQueryClient();
  const { rightToLeft } = useContextState();
  const now = Math.floor(api.time.now() / minute) * minute;
  useSecond();

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
    at.note({ record: to.row.uuid });
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
  const note =
    block === null
      ? ""
      : t("downtime.timeline.aim", { name: block.row.entity.name, from: formats.time(block.from), to: formats.clock(block.to) });
  const aim = useMemo(() => (note === "" ? null : { id: null, note }), [note]);
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
                  <span key={tick} style={{ "--x": `${share(stretch, tick)}%` }}>
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

interface DayProps {
  readonly midnight: number;
  readonly isOn: boolean;
  readonly windows: readonly { readonly start_time: string; readonly end_time: string }[];
  onPick(): void;
}

/** A day of the week, with what is down in it. */
function Day({ midnight, isOn, windows, onPick }: DayProps) {
  const formats = useFormats();
  const stretch = { from: midnight, to: midnight + 1_440 * minute };
  const within = windows
    .map(({ start_time, end_time }) => ({ from: Date.parse(start_time), to: Date.parse(end_time) }))
    .filter(({ from, to }) => from < stretch.to && to > stretch.from);
  return (
    <button type="button" className="day" aria-pressed={isOn} onClick={onPick} tabIndex={-1}>
      <span>
        <bdi>{formats.day(midnight).slice(5)}</bdi>
        <em>{within.length}</em>
      </span>
      <span className="sketch" aria-hidden="true">
        {within.slice(0, 12).map((window, n) => (
          <i key={`${window.from} ${n}`} style={{ ...place(stretch, window), "--y": n % 3 }} />
        ))}
      </span>
    </button>
  );
}

/** Where a window is drawn while its times are being changed. */
const drawnAt = (block: Block, moving: Moving | null): Stretch =>
  moving?.block.key === block.key
    ? {
        from: block.from + moving.start * minute,
        to: Math.max(block.to + moving.end * minute, block.from + moving.start * minute + minute),
      }
    : block;

interface LaneProps {
  readonly lane: DrawnLane;
  readonly stretch: Stretch;
  readonly aimed: string | null;
  readonly past: number;
  /** The window whose times are being changed. */
  readonly moving: Moving | null;
  onAim(block: Block): void;
}

function LaneRow({ lane: { lane, depth, blocks, above, overlaps }, stretch, aimed, past, moving, onAim }: LaneProps) {
  const t = useText();
  const isHere = blocks.some(({ key }) => key === aimed);
  const { games, name, note } = lane;
  return (
    <li className={isHere ? "lane here" : "lane"} data-depth={depth}>
      <div className="called">
        <bdi className="cut">{name}</bdi>
        {overlaps.length > 0 && (
          <span className="fail" title={t("downtime.timeline.overlap")}>
            <Icon name="merge" size="xs" />
            <span className="sr">{t("downtime.timeline.overlap")}</span>
          </span>
        )}
        <bdi className="end cut t3">
          {games !== null && depth === 0 ? t("downtime.timeline.games", { shown: formatCount(games) }) : note}
        </bdi>
      </div>
      <div className="track">
        <i className="gone" style={place(stretch, { from: stretch.from, to: Math.max(stretch.from, Math.min(stretch.to, past)) })} />
        {above.map(({ from, to, isNow }) => (
          <i key={`${from} ${to}`} className="shared" data-state={isNow ? "now" : undefined} style={place(stretch, { from, to })} />
        ))}
        {blocks.map((block) => (
          <BlockButton
            key={block.key}
            block={block}
            drawn={drawnAt(block, moving)}
            stretch={stretch}
            isAimed={block.key === aimed}
            onAim={onAim}
          />
        ))}
        {overlaps.map(({ from, to }) => (
          <i key={`${from} ${to}`} className="clash" style={place(stretch, { from, to })} />
        ))}
      </div>
    </li>
  );
}

interface BlockProps {
  readonly block: Block;
  readonly drawn: Stretch;
  readonly stretch: Stretch;
  readonly isAimed: boolean;
  onAim(block: Block): void;
}

function BlockButton({ block, drawn, stretch, isAimed, onAim }: BlockProps) {
  const t = useText();
  const formats = useFormats();
  const { row, state } = block;
  const where = place(stretch, drawn);
  // a window too short for its reason has it beside it, on the side that has room
  const isShort = Number.parseFloat(where["--w"]) < 9;
  const isLate = Number.parseFloat(where["--x"]) > 78;
  const repeats = row.repeats === "weekly";
  const said = [row.entity.name, t(`status.${state}`), `${formats.time(drawn.from)} – ${formats.time(drawn.to)}`, row.reason];
  return (
    <button
      type="button"
      data-block={block.key}
      {...(isAimed && { "data-pane-focus": "" })}
      tabIndex={isAimed ? 0 : -1}
      className="block"
      data-state={state}
      data-repeats={repeats ? "" : undefined}
      data-words={isShort ? (isLate ? "before" : "after") : undefined}
      style={where}
      aria-label={said.join(", ")}
      aria-current={isAimed ? "true" : undefined}
      onClick={() => onAim(block)}
    >
      <span aria-hidden="true">
        <Icon name={repeats ? "repeat" : markOf(state).icon} size="xs" />
        <bdi className="cut">{row.reason}</bdi>
      </span>
    </button>
  );
}
