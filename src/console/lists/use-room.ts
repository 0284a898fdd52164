import { useSyncExternalStore } from "react";
import { useSide } from "../kit/panes/side-context.ts";

/**
 * Room for the list: "medium" while the weaker columns do not fit beside detail and counters, "narrow" where the counters
 * have left too and ids keep only their end.
 */
export type Room = "wide" | "medium" | "narrow";

const queries =
  typeof matchMedia === "undefined" ? null : { narrow: matchMedia("(max-width: 1500px)"), medium: matchMedia("(max-width: 1860px)") };

function subscribe(listener: () => void): () => void {
  for (const query of Object.values(queries ?? {})) query.addEventListener("change", listener);
  return () => {
    for (const query of Object.values(queries ?? {})) query.removeEventListener("change", listener);
  };
}

export function useRoom(): Room {
  const { doubled } = useSide();
  const room = useSyncExternalStore(subscribe, () => (queries?.narrow.matches ? "narrow" : queries?.medium.matches ? "medium" : "wide"));
  return doubled ? "narrow" : room;
}
