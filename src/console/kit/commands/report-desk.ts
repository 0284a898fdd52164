import type { Permission } from "../../../contract/permissions.ts";

/** What a report does for its commands. */
export interface ReportDesk {
  /** The right to see it. */
  readonly view: Permission;
  /** Shows the period before (−1) or after the one in view: as many days, or the whole month. */
  shift(by: 1 | -1): void;
  /** Shows the day, then the week, then the month that the period in view ends in. */
  changeSpan(): void;
  /** Asks for the period to compare with. */
  compare(): Promise<void>;
  /** Draws the next of its charts. */
  nextChart(): void;
  /** Charts as tables, or drawn again. */
  toggleTables(): void;
  /** Prints chart, comparison and rows, after those that are not loaded yet. */
  print(): Promise<void>;
  /** Puts the cursor on the next row with a difference, or says that none has. */
  nextDifference(): Promise<void>;
}
