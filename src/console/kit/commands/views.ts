import type { SavedView } from "../../../contract/preferences.ts";

/** A view of the current screen, built-in or saved. */
export interface ViewSlot {
  readonly id: string;
  readonly name: string;
  /** null: without a digit, or its digit was taken by a saved view. */
  readonly digit: number | null;
  readonly current: boolean;
  readonly saved: SavedView | null;
}

/** What commands can do with a screen's views. */
export interface ViewsDesk {
  readonly slots: readonly ViewSlot[];
  /** The records that the screen's path names. */
  readonly params: Readonly<Record<string, string>>;
  /** The saved view in use, if any. */
  readonly current: SavedView | null;
  /** Whether the screen differs from the saved view in use. */
  readonly changed: boolean;
  pick(id: string): void;
  /** Restores the view in use. */
  reset(): void;
  /** Saves the current state to the view in use. */
  save(): Promise<void>;
  saveAs(form: { name: string; digit: number | null; shared: boolean }): Promise<void>;
  /** Whether the screen opens with this view. */
  setDefault(on: boolean): Promise<void>;
  remove(): Promise<void>;
}
