import type { Reason } from "../kit/command.ts";

/** What a screen of plain records lends its commands, beside what every pane tells. */
export interface RecordDesk {
  /** Opens the empty form. */
  create(): void;
  /** Opens the form of a record on screen. */
  edit(uuid: string): void;
  /** Shows the whole history in the detail pane and brings it into view. */
  showHistory(): void;
  /** Puts the cursor into the text filter. */
  find(): void;
  /** Why the cursor's column cannot be filtered. */
  unfiltered(): Reason | null;
  /** Asks for a filter of the cursor's column; where it has none, for which. */
  filterColumn(): Promise<void>;
  /** Keeps only rows with the value under the cursor. */
  filterByValue(): void;
  /** Takes a filter off: the one set last. */
  dropFilter(): void;
  /** Takes all filters and the order off. */
  reset(): void;
  hasFilters(): boolean;
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
