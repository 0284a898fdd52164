import type { PlotKind } from "../kit/charts/plot.ts";
import { mountPlot } from "../kit/charts/plot.ts";
import type { CourseInput } from "./course-plot.ts";

/** px of the drawing for one of the page: printers show finer lines than screens. */
const grain = 2;

/**
 * Above the printed rows: what stands above those on screen, the chart drawn anew for paper. `kind` null: the chart is a table. Answers
 * what ends it.
 */
export function printStrip(
  host: HTMLElement,
  strip: HTMLElement,
  kind: PlotKind<CourseInput> | null,
  input: CourseInput,
  rightToLeft: boolean,
): () => void {
  host.className = "printed-strip";
  const parts = [...strip.querySelectorAll<HTMLElement>(":scope > section")].map((section) => {
    const copy = section.cloneNode(true) as HTMLElement; // a clone of an element is one
    for (const act of copy.querySelectorAll("button, .plot, .sr")) if (!act.querySelector("table")) act.remove();
    host.append(copy);
    return copy;
  });
  const [chart] = parts;
  if (kind === null || chart === undefined) return () => undefined;
  chart.querySelector(".sr")?.remove();
  const paper = document.createElement("div");
  paper.className = "plot";
  paper.style.setProperty("--grain", String(grain));
  chart.append(paper);
  const plot = mountPlot(paper, kind, input, rightToLeft, grain);
  plot.draw(input, -1);
  return plot.end;
}
