import { createContext, useContext } from "react";
import type { RecordRow } from "../kit/commands/desks.ts";
import type { ListPanes } from "../lists/list-panes.ts";
import type { ChartName, Report } from "./report.ts";

/** Draws what stands above printed rows; answers what ends it. */
export type Lead = (host: HTMLElement) => () => void;

interface Shown {
  readonly report: Report;
  readonly chart: ChartName;
  readonly asTables: boolean;
  /** Takes the panes of the list beneath, whose cursor the screen's commands move. */
  take(panes: ListPanes<RecordRow>): void;
  /** Takes what draws the strip above the printed rows; null: nothing is drawn yet. */
  takePrinter(print: Lead | null): void;
  /** Takes whether the strip is there, or cannot be read. */
  settle(isSettled: boolean): void;
}

/** Something that comes about, and is awaited until then. */
export function awaited() {
  let isSo = false;
  const waiting: (() => void)[] = [];
  return {
    set(next: boolean): void {
      isSo = next;
      if (isSo) for (const go of waiting.splice(0)) go();
    },
    so: (): Promise<void> => (isSo ? Promise.resolve() : new Promise((go) => void waiting.push(go))),
  };
}

export const ShownReport = createContext<Shown | null>(null);

/** The report around this, and what is drawn of it. */
export function useShownReport(): Shown {
  const shown = useContext(ShownReport);
  if (shown === null) throw new Error("no report around this");
  return shown;
}
