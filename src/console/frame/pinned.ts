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
  /** Server time (ms) of the last event that may have changed a figure. */
  readonly heardAt: number;
}
export const noPins: PinsState = { pinned: [], failed: false, heardAt: 0 };

/** Events that tell of every change of a screen's rows. */
export const tellers = [
  ["deposit", "deposits"],
  ["withdraw", "withdrawals"],
  ["bankLine", "bank-transactions"],
] as const satisfies readonly (readonly [ChangeEventName, ScreenName])[];
/** The lists of other screens are read at every interval. */
export const heard: ReadonlySet<ScreenName> = new Set(tellers.map(([, screen]) => screen));

/** Kept by pins.ts, which comes after the first screen. */
export const pins = createStore<PinsState>(() => noPins);
