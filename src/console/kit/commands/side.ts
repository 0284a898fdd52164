/** Two screens may be side by side, each with its own place, panes and cursor. */
export type Side = "main" | "beside";

/** The side an element is in; null for header, navigation, counters and overlays. */
export function sideOf(element: Element | null): Side | null {
  const side = element?.closest<HTMLElement>("[data-side]")?.dataset["side"];
  return side === "main" || side === "beside" ? side : null;
}

/** Prefixes panes of the second screen with their side. */
export const paneName = (side: Side, id: string): string => (side === "main" ? id : `${side}.${id}`);
export const sideOfPane = (id: string): Side => (id.startsWith("beside.") ? "beside" : "main");
