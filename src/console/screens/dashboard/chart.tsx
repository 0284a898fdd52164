import { useState } from "react";
import { useText } from "../../kit/texts/texts.ts";
import { useKit } from "../../kit/use-kit.ts";
import type { Item } from "./panels.ts";
import type { PlotKind } from "../../kit/charts/plot.ts";
import { usePlot } from "../../kit/charts/use-plot.ts";

interface ChartProps<I> {
  readonly kind: PlotKind<I>;
  readonly input: I;
  readonly label: string;
  readonly items: readonly Item[];
  readonly at: number;
  onPick(at: number): void;
}

/**
 * A chart with a cursor over its hours. For screen readers it is a slider that announces the hour and its figures; below it are
 * the figures of the hour under cursor or pointer.
 */
export function Chart<I>({ kind, input, label, items, at, onPick }: ChartProps<I>) {
  const t = useText();
  const kit = useKit();
  const { host, plot } = usePlot(kind, input, at);
  const [pointed, setPointed] = useState<number | null>(null);

  const item = items[at];
  const shown = items[pointed ?? at] ?? item;
  const values = (one: Item | undefined) => (one === undefined ? "" : [one.name, ...one.notes].join(" · "));
  const columnAt = (event: { clientX: number }) => plot.current?.columnAt(event.clientX) ?? null;
  return (
    <>
      <div
        ref={host}
        className="plot"
        role="slider"
        tabIndex={0}
        data-item={item?.id}
        aria-label={t("dashboard.chart", { title: label })}
        aria-orientation="horizontal"
        aria-valuemin={0}
        aria-valuemax={Math.max(0, items.length - 1)}
        aria-valuenow={Math.max(0, at)}
        aria-valuetext={values(item)}
        onPointerMove={(event) => setPointed(columnAt(event))}
        onPointerLeave={() => setPointed(null)}
        onPointerDown={(event) => {
          const column = columnAt(event);
          if (column !== null) onPick(column);
        }}
        onDoubleClick={() => kit.run("dashboard.open-behind", "button")}
      />
      <p className="readout" aria-hidden="true">
        {shown !== undefined &&
          [shown.name, ...shown.notes].map((part, n) => (
            <bdi key={part} className={n === 0 ? "strong" : undefined}>
              {part}
            </bdi>
          ))}
      </p>
    </>
  );
}
