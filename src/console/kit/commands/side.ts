/** Two screens may stand side by side, each with its own place, panes and cursor. */
export type Side = "main" | "beside";

/** The side an element stands in; null for header, navigation, counters and what floats. */
export function sideOf(element: Element | null): Side | null {
  const side = element?.closest<HTMLElement>("[data-side]")?.dataset["side"];
  return side === "main" || side === "beside" ? side : null;
}

/** Panes of the second screen are named after their side. */
export const paneName = (side: Side, id: string): string => (side === "main" ? id : `${side}.${id}`);
export const sideOfPane = (id: string): Side => (id.startsWith("beside.") ? "beside" : "main");
