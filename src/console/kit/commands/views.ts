import type { SavedView } from "../../../contract/preferences.ts";

/** A view of the screen in view: one it brings along, or a saved one. */
export interface ViewSlot {
  readonly id: string;
  readonly name: string;
  /** null: on no digit, or on one a saved view has taken. */
  readonly digit: number | null;
  readonly current: boolean;
  readonly saved: SavedView | null;
}

/** What a screen's views can be told by commands. */
export interface ViewsDesk {
  readonly slots: readonly ViewSlot[];
  /** The saved view in use, if one is. */
  readonly current: SavedView | null;
  /** Whether what is on screen differs from the saved view in use. */
  readonly changed: boolean;
  pick(id: string): void;
  /** Back to what the view in use says. */
  reset(): void;
  /** What is on screen becomes the view in use. */
  save(): Promise<void>;
  saveAs(form: { name: string; digit: number | null; shared: boolean }): Promise<void>;
  /** Opens with the screen from now on, or no longer. */
  setDefault(on: boolean): Promise<void>;
  remove(): Promise<void>;
}
