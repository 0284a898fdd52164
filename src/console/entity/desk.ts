import type { ListDesk } from "../lists/list-desk.ts";

/** What a screen of plain records lends its commands, beside what every pane tells. */
export interface RecordDesk extends ListDesk {
  /** Opens the empty form. */
  create(): void;
  /** Opens the form of a record on screen. */
  edit(uuid: string): void;
  /** Takes all filters and the order off. */
  reset(): void;
}

declare module "../kit/context.ts" {
  interface PaneState {
    /** Of screens of plain records only. */
    readonly records?: RecordDesk | null;
  }
}

/** A changed row as commands tell it: whole, only named, or gone. */
export interface GoneRow {
  readonly uuid: string;
  readonly gone: true;
}
