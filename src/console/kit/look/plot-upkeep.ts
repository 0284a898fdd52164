import type uPlot from "uplot";

/** Reads the tokens' current colours and keeps them until it forgets them. */
export interface Inks {
  /** A token's current colour: "--bar". */
  ink(token: string): string;
  forget(): void;
}

export function inksOf(host: HTMLElement): Inks {
  const inks = new Map<string, string>();
  return {
    ink(token) {
      const known = inks.get(token) ?? getComputedStyle(host).getPropertyValue(token).trim();
      inks.set(token, known);
      return known;
    },
    forget: () => inks.clear(),
  };
}

/** Keeps a chart as large as its host and in the colours of its theme; answers the function that ends this and removes the chart. */
export function keepDrawn(plot: uPlot, host: HTMLElement, inks: Inks): () => void {
  const resized = new ResizeObserver(() => {
    if (host.clientWidth > 0 && host.clientHeight > 0) plot.setSize({ width: host.clientWidth, height: host.clientHeight });
  });
  resized.observe(host);
  const again = (): void => {
    inks.forget();
    plot.redraw(false);
  };
  const themed = new MutationObserver(again);
  themed.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
  const media = ["(prefers-color-scheme: dark)", "(forced-colors: active)"].map((query) => matchMedia(query));
  for (const query of media) query.addEventListener("change", again);
  return () => {
    resized.disconnect();
    themed.disconnect();
    for (const query of media) query.removeEventListener("change", again);
    plot.destroy();
  };
}

/** The font of a chart's words. */
export function plotFont(host: HTMLElement): string {
  const style = getComputedStyle(host);
  return `${style.getPropertyValue("--fs-label").trim()} ${style.fontFamily}`;
}

/** Draws a line across the chart at a value of the axis. */
export function strokeAcross(plot: uPlot, value: number, colour: string, dashes: readonly number[] = []): void {
  const { ctx, bbox } = plot;
  const y = Math.round(plot.valToPos(value, "y", true)) + 0.5;
  ctx.save();
  ctx.strokeStyle = colour;
  ctx.lineWidth = Math.max(1, Math.round(devicePixelRatio));
  ctx.setLineDash(dashes.map((length) => length * devicePixelRatio));
  ctx.beginPath();
  ctx.moveTo(bbox.left, y);
  ctx.lineTo(bbox.left + bbox.width, y);
  ctx.stroke();
  ctx.restore();
}
