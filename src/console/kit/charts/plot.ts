import uPlot from "uplot";
import { inksOf, keepDrawn, plotFont } from "../look/plot-upkeep.ts";
import type { Scale } from "./scale.ts";

/** Where and how a chart is drawn; colours are read at each drawing, so that a new theme only needs a redraw. */
export interface Sheet<I> {
  readonly input: I;
  readonly rightToLeft: boolean;
  /** px of the drawing for a px as charts are designed: above one for paper, which shows finer lines than a screen. */
  readonly grain: number;
  /** A token's current colour: "--bar". */
  ink(token: string): string;
}

/** A label over the drawing, in HTML so that it has the page's font and forced colours. It begins at its position, or ends there. */
export interface Label {
  readonly text: string;
  readonly className: string;
  /** In columns, and in values of the axis. */
  readonly at: number;
  readonly value: number;
}

export interface PlotKind<I> {
  readonly columns: (input: I) => number;
  readonly scale: (input: I) => Scale;
  /** Series along the columns, without the columns' positions. */
  readonly data: (input: I) => (number | null)[][];
  readonly series: (sheet: Sheet<I>) => uPlot.Series[];
  readonly tick: (value: number) => string;
  /** What a column is called on the axis, and the px that takes. */
  readonly name: (input: I, column: number) => string;
  readonly nameRoom: number;
  /** At least every so many columns are named; left out: each where there is room. */
  readonly least?: number;
  readonly labels: (input: I) => readonly Label[];
  /** Drawn beneath and above the series. */
  readonly under?: (plot: uPlot, sheet: Sheet<I>) => void;
  readonly over?: (plot: uPlot, sheet: Sheet<I>) => void;
  /** px kept free at the inline end. */
  readonly endRoom: number;
}

export interface Plot<I> {
  /** `at` is the cursor's column. */
  draw(input: I, at: number): void;
  /** The column at a screen position; null beside the drawing. */
  columnAt(clientX: number): number | null;
  end(): void;
}

const axisRoom = 48;
/** px between a position in the drawing and its label. */
const wordGap = 8;
/** px of a label's line. */
const wordHeight = 16;

/**
 * A chart of columns in `host`, hours or days. Time runs in reading direction, as the bars and rows beside it do: in a right-to-left page
 * it begins at the right.
 */
export function mountPlot<I>(host: HTMLElement, kind: PlotKind<I>, first: I, rightToLeft: boolean, grain = 1): Plot<I> {
  let input = first;
  let column = 0;
  const inks = inksOf(host);
  const sheet: Sheet<I> = {
    get input() {
      return input;
    },
    rightToLeft,
    grain,
    ink: inks.ink,
  };

  const font = plotFont(host);
  const columns = () => kind.columns(input);
  const data = (): uPlot.AlignedData => [Array.from({ length: columns() }, (_, at) => at), ...kind.data(input)];
  const room: uPlot.Padding = rightToLeft ? [8 * grain, 0, 0, kind.endRoom * grain] : [8 * grain, kind.endRoom * grain, 0, 0];
  const axis = { font, stroke: () => sheet.ink("--t-3"), ticks: { show: false } } satisfies uPlot.Axis;

  const plot = new uPlot(
    {
      width: Math.max(1, host.clientWidth),
      height: Math.max(1, host.clientHeight),
      padding: room,
      legend: { show: false },
      cursor: { show: false },
      scales: {
        x: { time: false, dir: rightToLeft ? -1 : 1, range: () => [-0.5, columns() - 0.5] },
        y: {
          range: () => {
            const { min, max } = kind.scale(input);
            return [min, max];
          },
        },
      },
      axes: [
        {
          ...axis,
          size: 24 * grain,
          gap: 4 * grain,
          grid: { show: false },
          splits: (self) => {
            const every = Math.max(
              kind.least ?? 1,
              Math.ceil((kind.nameRoom * grain * columns()) / Math.max(1, self.width - (axisRoom + kind.endRoom) * grain)),
            );
            return Array.from({ length: Math.ceil(columns() / every) }, (_, n) => n * every);
          },
          values: (_, splits) => splits.map((column) => kind.name(input, column)),
        },
        {
          ...axis,
          side: rightToLeft ? 1 : 3,
          size: axisRoom * grain,
          gap: 8 * grain,
          grid: { stroke: () => sheet.ink("--l-row"), width: grain },
          splits: () => [...kind.scale(input).ticks],
          values: (_, splits) => splits.map(kind.tick),
        },
      ],
      series: [{}, ...kind.series(sheet)],
      // before that its parts have no size, and what is printed at once is not drawn again
      hooks: { ready: [place], drawAxes: [(self) => kind.under?.(self, sheet)], draw: [(self) => kind.over?.(self, sheet), place] },
    },
    data(),
    host,
  );

  const band = document.createElement("div");
  band.className = "plot-cursor";
  const words = document.createElement("div");
  words.className = "plot-words";
  words.setAttribute("aria-hidden", "true");
  plot.over.append(band, words);
  place(plot);

  /** Positions the cursor and the labels, which are above the drawing. */
  function place(self: uPlot): void {
    if (self.status !== 1) return;
    band.style.insetInlineStart = `${(100 * column) / columns()}%`;
    band.style.inlineSize = `${100 / columns()}%`;
    const { clientWidth: width, clientHeight: height } = self.over;
    const half = (wordHeight * grain) / 2;
    const placed = kind.labels(input).map(({ text, className, at, value }) => {
      // placed in the page's direction, read in its own
      const word = document.createElement("span");
      const read = document.createElement("bdi");
      word.className = className;
      read.textContent = text;
      word.append(read);
      const start = ((at + 0.5) / columns()) * width;
      word.style.insetInlineStart = `${start + wordGap * grain}px`;
      // within the drawing, because the columns' names stand below it
      word.style.insetBlockStart = `${Math.max(half, Math.min(self.valToPos(value, "y"), height - half))}px`;
      return { word, start };
    });
    words.replaceChildren(...placed.map(({ word }) => word));
    // a label without room after its position ends there
    const turned = placed.filter(({ word, start }) => start + wordGap * grain + word.offsetWidth > width + kind.endRoom * grain);
    for (const { word, start } of turned) {
      word.style.insetInlineStart = "auto";
      word.style.insetInlineEnd = `${width - start + wordGap * grain}px`;
    }
  }

  const end = keepDrawn(plot, host, inks);

  return {
    draw(next, at) {
      const changed = next !== input;
      input = next;
      column = at;
      if (changed) plot.setData(data());
      else place(plot);
    },
    columnAt(clientX) {
      const { left, right, width } = plot.over.getBoundingClientRect();
      if (width === 0 || clientX < left || clientX >= right) return null;
      const along = (rightToLeft ? right - clientX : clientX - left) / width;
      return Math.min(columns() - 1, Math.floor(along * columns()));
    },
    end,
  };
}
