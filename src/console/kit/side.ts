import { createContext, useContext } from "react";

/** Two screens may stand side by side, each with its own place, panes and cursor. */
export type Side = "main" | "beside";

export interface InSide {
  readonly side: Side;
  /** Whether there are two: each then has half the room. */
  readonly doubled: boolean;
}

export const SideContext = createContext<InSide>({ side: "main", doubled: false });

export const useSide = (): InSide => useContext(SideContext);

/** The side an element stands in; null for header, navigation, counters and what floats. */
export function sideOf(element: Element | null): Side | null {
  const side = element?.closest<HTMLElement>("[data-side]")?.dataset["side"];
  return side === "main" || side === "beside" ? side : null;
}
