import type { PointerEvent, ReactNode } from "react";
import { useEffect, useId, useRef } from "react";
import { useSide } from "./side.ts";
import { useText } from "./texts.ts";
import { useKit, usePaneLayout } from "./use-kit.ts";
import { useNarrow } from "./use-narrow.ts";

/** px an arrow key moves the divider by. */
const step = 16;

export interface SplitProps {
  /** Its size is kept under this name. */
  readonly id: string;
  readonly list: ReactNode;
  readonly detail: ReactNode;
  /** px of the detail. */
  readonly initial?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** List and detail beside or above each other, divided by an APG window splitter; sizes are kept per split. */
export function Split({ id, list, detail, initial = 400, minimum = 320, maximum = 640 }: SplitProps) {
  const { hidden, zoomed, sizes, ...layout } = usePaneLayout();
  const { side, doubled } = useSide();
  const narrow = useNarrow();
  // too little room for both beside each other
  const turned = layout.turned || doubled || narrow;
  const kept = doubled ? `${side}.${id}` : id;
  const size = Math.min(maximum, Math.max(minimum, sizes[kept] ?? initial));
  const detailId = useId();
  const showsList = zoomed !== "detail";
  const showsDetail = hidden.detail !== true && (zoomed === null || zoomed === "detail");
  return (
    <div className={turned ? "split turned" : "split"}>
      {showsList && <div className="split-list">{list}</div>}
      {showsList && showsDetail && (
        <Separator id={kept} controls={detailId} size={size} minimum={minimum} maximum={maximum} turned={turned} />
      )}
      {showsDetail && (
        <div id={detailId} className="split-detail" style={showsList ? { "--size": `${size}px` } : { "--size": "100%" }}>
          {detail}
        </div>
      )}
    </div>
  );
}

interface SeparatorProps {
  readonly id: string;
  readonly controls: string;
  readonly size: number;
  readonly minimum: number;
  readonly maximum: number;
  readonly turned: boolean;
}

function Separator({ id, controls, size, minimum, maximum, turned }: SeparatorProps) {
  const t = useText();
  const { panes, keys } = useKit();
  const element = useRef<HTMLDivElement>(null);
  const from = useRef<{ at: number; size: number } | null>(null);

  useEffect(() => {
    if (element.current === null) return undefined;
    const set = (px: number): void => panes.setSize(id, Math.min(maximum, Math.max(minimum, px)));
    // Screen directions: the detail lies at the inline end, so "left" grows it unless the page is mirrored.
    const grow = document.documentElement.dir === "rtl" && !turned ? -step : step;
    const wider = (): void => set(size + grow);
    const narrower = (): void => set(size - grow);
    return keys.claim(element.current, {
      ...(turned ? { ArrowUp: wider, ArrowDown: narrower } : { ArrowLeft: wider, ArrowRight: narrower }),
      Home: () => set(minimum),
      End: () => set(maximum),
      Enter: () => panes.toggle("detail"),
      Escape: () => panes.focus("list"),
    });
  }, [keys, panes, id, size, minimum, maximum, turned]);

  const move = (event: PointerEvent): void => {
    if (from.current === null) return;
    const at = turned ? event.clientY : event.clientX;
    const toward = document.documentElement.dir === "rtl" && !turned ? at - from.current.at : from.current.at - at;
    panes.setSize(id, Math.min(maximum, Math.max(minimum, from.current.size + toward)));
  };

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- an APG window splitter takes the focus
    <div
      ref={element}
      role="separator"
      tabIndex={0}
      className="splitter"
      aria-label={t("pane.splitter")}
      aria-orientation={turned ? "horizontal" : "vertical"}
      aria-controls={controls}
      aria-valuenow={size}
      aria-valuemin={minimum}
      aria-valuemax={maximum}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        from.current = { at: turned ? event.clientY : event.clientX, size };
      }}
      onPointerMove={move}
      onPointerUp={() => {
        from.current = null;
      }}
    />
  );
}
