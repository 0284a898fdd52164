import type { ScreenName } from "../../../contract/screens.ts";
import type { Reason } from "../../kit/command.ts";
import type { MessageKey } from "../../kit/messages.ts";

/** Up and Down, Left and Right are screen directions. */
export type Motion = "left" | "right" | "up" | "down" | "first" | "last";

/** The list a figure was counted from. */
export interface Behind {
  readonly screen: ScreenName;
  readonly search: Readonly<Record<string, string>>;
  /** What that list has more than the figure. */
  readonly note?: MessageKey;
}

/** What the dashboard lends its commands. */
export interface BoardDesk {
  move(motion: Motion): void;
  /** Of what the cursor is on. */
  behind(): Behind | null;
  /** Why there is no list to open now. */
  refusal(): Reason | null;
  /** Charts as tables, or drawn again. */
  toggleTables(): void;
}

declare module "../../kit/context.ts" {
  interface PaneState {
    /** Of the dashboard only. */
    readonly board?: BoardDesk | null;
  }
}
