import { createStore } from "zustand/vanilla";
import type { ExportedScreen } from "../../contract/exports.ts";
import type { ChangeEventName } from "../../contract/notifications.ts";
import type { SavedView } from "../../contract/preferences.ts";
import type { ScreenName } from "../../contract/screens.ts";
import type { Figures } from "./pinned-figures.ts";

/** A view in the counters pane. */
export interface PinnedView {
  readonly view: SavedView;
  readonly screen: ExportedScreen;
  /** The records that its path names. */
  readonly params: Readonly<Record<string, string>>;
  /** Null until read. */
  readonly figures: Figures | null;
  /** The problem that keeps its figures from being read. */
  readonly fault: string | null;
  /** Past its threshold. */
  readonly isPast: boolean;
}

export interface PinsState {
  readonly pinned: readonly PinnedView[];
  /** The last reading failed, so that the figures shown are old. */
  readonly failed: boolean;
  /** Server time (ms) of the last event that may have changed figures of a screen. */
  readonly heardAt: Readonly<Partial<Record<ScreenName, number>>>;
}
export const noPins: PinsState = { pinned: [], failed: false, heardAt: {} };

/** Events that tell of every change of a screen's rows; deposits that came late are those that a bank's line fits. */
export const tellers = [
  ["deposit", "deposits"],
  ["withdraw", "withdrawals"],
  ["bankLine", "bank-transactions"],
  ["bankLine", "deposits"],
] as const satisfies readonly (readonly [ChangeEventName, ScreenName])[];
/** The lists of other screens are read at every interval. */
export const heard: ReadonlySet<ScreenName> = new Set(tellers.map(([, screen]) => screen));

/** Whether an event would have told of a change since the figures were read, and none has. */
export const isExact = ({ screen, figures }: PinnedView, { heardAt }: PinsState): boolean =>
  figures === null || (heard.has(screen) && figures.asOf >= (heardAt[screen] ?? 0));

/** Kept by pins.ts, which comes after the first screen. */
export const pins = createStore<PinsState>(() => noPins);
