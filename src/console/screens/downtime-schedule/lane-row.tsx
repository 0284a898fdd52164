import { formatCount } from "../../../values/counts.ts";
import { useFormats } from "../../api/use-api.ts";
import { Icon } from "../../kit/look/icon.tsx";
import { markOf } from "../../kit/look/status.tsx";
import { useText } from "../../kit/texts/texts.ts";
import type { Moving } from "./adjusting.ts";
import type { Block, DrawnLane } from "./timeline-lanes.ts";
import type { Stretch } from "./timeline-span.ts";
import { placeIn } from "./timeline-span.ts";

const minute = 60_000;

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
  /** It has the focus: the detail shows what keys act on. */
  onShow(block: Block): void;
}

/** A provider, a set-up or a game, and its windows. */
export function LaneRow({ lane: { lane, depth, blocks, above, overlaps }, stretch, aimed, past, moving, onAim, onShow }: LaneProps) {
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
        <i className="gone" style={placeIn(stretch, { from: stretch.from, to: Math.max(stretch.from, Math.min(stretch.to, past)) })} />
        {above.map(({ from, to, isNow }) => (
          <i key={`${from} ${to}`} className="shared" data-state={isNow ? "now" : undefined} style={placeIn(stretch, { from, to })} />
        ))}
        {blocks.map((block) => (
          <BlockButton
            key={block.key}
            block={block}
            drawn={drawnAt(block, moving)}
            stretch={stretch}
            isAimed={block.key === aimed}
            onAim={onAim}
            onShow={onShow}
          />
        ))}
        {overlaps.map(({ from, to }) => (
          <i key={`${from} ${to}`} className="clash" style={placeIn(stretch, { from, to })} />
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
  /** It has the focus: the detail shows what keys act on. */
  onShow(block: Block): void;
}

function BlockButton({ block, drawn, stretch, isAimed, onAim, onShow }: BlockProps) {
  const t = useText();
  const formats = useFormats();
  const { row, state } = block;
  const where = placeIn(stretch, drawn);
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
      onFocus={() => onShow(block)}
    >
      <span aria-hidden="true">
        <Icon name={repeats ? "repeat" : markOf(state).icon} size="xs" />
        <bdi className="cut">{row.reason}</bdi>
      </span>
    </button>
  );
}
