import type { Subjects, SubjectName } from "../../../contract/index.ts";
import type { PermissionMap } from "../../../contract/permissions.ts";
import type { ScreenName } from "../../../contract/screens.ts";
import type { Scope } from "./command.ts";
import type { GridHandle } from "./grid-handle.ts";
import type { Desks } from "./desks.ts";

/** The record in the detail pane, and since when it has been on screen with its checks. */
export interface ShownDetail {
  readonly uuid: string;
  readonly version: number;
  /** performance.now() of the first paint with the checks; null while they load or the pane is hidden. */
  readonly paintedAt: number | null;
}

/** What keys can do in a dialog that is worked in like a list: move along its lines, and set what stands in them. */
export type WorkAct =
  | "down"
  | "up"
  | "page-down"
  | "page-up"
  | "first"
  | "last"
  | "other-side"
  | "leave-out"
  | "pin"
  | "choose-other"
  | "prefer"
  | "recompute"
  | "take-back";

/** What keys can do in a dialog; digits, and letters where there are more to choose from, choose; "accept" is plain Enter, "confirm" Mod+Enter. */
export type DialogAct = "confirm" | "accept" | "close" | "next" | "previous" | "back" | "toggle" | `choose-${string}` | WorkAct;

export interface OpenDialog {
  /** "palette", "help", "reason", "money", "menu" …; the status bar shows `mode.<name>`. */
  readonly name: string;
  /** What it can do now; keys of other acts are left to the browser. */
  readonly acts: Readonly<Partial<Record<DialogAct, () => void>>>;
  /** Plain Enter does nothing, even on its focused button, so that habit cannot confirm. */
  readonly deafToEnter?: true;
  /** What it does concerns neither the row under the cursor nor marked ones, so the status bar names none. */
  readonly aimless?: boolean;
}

/** Text of the status bar for what the next key acts on. */
export interface Aim {
  /** Shown monospaced with its last six characters strong; null when marked rows are the target. */
  readonly id: string | null;
  /** "4,850.00 MYR" */
  readonly note: string;
}

/** What a pane publishes for commands. */
export interface PaneState extends Desks {
  readonly id: string;
  /** Scopes of this pane besides "console" and "screen". */
  readonly scopes: readonly Scope[];
  readonly subject: SubjectName | null;
  /** Row under the cursor. */
  readonly cursor: Subjects[SubjectName] | null;
  /** Marked rows in grid order; where there are any, commands act on them. */
  readonly marked: readonly Subjects[SubjectName][];
  readonly grid: GridHandle | null;
  readonly detail: ShownDetail | null;
  /** Text for the target, given by the screen because the kit knows no entity. */
  readonly aim?: Aim | null;
  /** Position of the cursor's row, from 1; `of` is null while the total is unknown. */
  readonly place?: { readonly row: number; readonly of: number | null } | null;
  /** Figures of the selection at the end of the status bar: "Σ 7,240.00", "max 4,850.00" … */
  readonly figures?: readonly string[];
}

/** All that a command may read. Frozen when the palette opens. */
export interface Context {
  readonly screen: ScreenName | null;
  readonly pane: PaneState | null;
  /** What the panes of the screen lend, whichever has the focus. */
  readonly lent: Desks;
  readonly dialog: OpenDialog | null;
  readonly typing: boolean;
  readonly online: boolean;
  /** True for 500 ms after a tenant switch, while commands that change data are disabled. */
  readonly switching: boolean;
  readonly tenant: string | null;
  readonly currency: string | null;
  readonly user: string | null;
  readonly permissions: PermissionMap;
  /** True where the page runs right to left, because Left and Right are screen directions. */
  readonly rightToLeft?: boolean;
  /** performance.now() when the key was pressed, however late the page handled it. */
  readonly now: number;
}

/** Subject of the records in view, which names the commands for any record. */
export const subjectOf = ({ pane, lent }: Context): SubjectName | null => pane?.subject ?? lent.record?.subject ?? null;
