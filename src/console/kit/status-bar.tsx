import type { ReactNode } from "react";

/** Mode, target of the next key, undo, the useful keys now, place, live state and figures of the selection. */
export function StatusBar({ live }: { live?: ReactNode }) {
  return <footer className="stat">{live}</footer>;
}
