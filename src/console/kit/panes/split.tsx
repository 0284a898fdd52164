import type { ReactNode } from "react";
import { useId } from "react";
import { Separator } from "./separator.tsx";
import { useSide } from "./side-context.ts";
import { useText } from "../texts/texts.ts";
import { useKit, usePaneLayout } from "../use-kit.ts";
import { useNarrow } from "./use-narrow.ts";

/** px by which an arrow key moves the divider. */
const step = 16;
const onePixel = (): number => 1;

interface SplitProps {
  /** Key under which its size is stored. */
  readonly id: string;
  readonly list: ReactNode;
  readonly detail: ReactNode;
  /** px of the detail. */
  readonly initial?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

/**
 * List and detail, beside or above each other. Sizes are stored per split; the divider stays when the detail is hidden, and can
 * show it again.
 */
export function Split({ id, list, detail, initial = 400, minimum = 320, maximum = 640 }: SplitProps) {
  const t = useText();
  const { panes } = useKit();
  const { hidden, zoomed, sizes, ...layout } = usePaneLayout();
  const { side, doubled } = useSide();
  const narrow = useNarrow();
  // too little room to have both beside each other
  const turned = layout.turned || doubled || narrow;
  const kept = doubled ? `${side}.${id}` : id;
  const size = Math.min(maximum, Math.max(minimum, sizes[kept] ?? initial));
  const detailId = useId();
  const showsList = zoomed !== "detail";
  const isHidden = hidden.detail === true;
  const showsDetail = !isHidden && (zoomed === null || zoomed === "detail");
  const resize = (px: number): void => {
    panes.setSize(kept, px);
    panes.show("detail");
  };
  return (
    <div className={turned ? "split turned" : "split"}>
      {showsList && <div className="split-list">{list}</div>}
      {zoomed === null && (
        <Separator
          label={t("pane.splitter")}
          {...(!isHidden && { controls: detailId })}
          value={isHidden ? 0 : size}
          minimum={minimum}
          maximum={maximum}
          step={step}
          turned={turned}
          unit={onePixel}
          onSize={resize}
          onEnter={() => panes.toggle("detail")}
        />
      )}
      {showsDetail && (
        <div id={detailId} className="split-detail" style={showsList ? { "--size": `${size}px` } : { "--size": "100%" }}>
          {detail}
        </div>
      )}
    </div>
  );
}
