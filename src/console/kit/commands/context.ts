import type { Subjects, SubjectName } from "../../../contract/index.ts";
import type { PermissionMap } from "../../../contract/permissions.ts";
import type { ScreenName } from "../../../contract/screens.ts";
import type { Scope } from "./command.ts";
import type { GridHandle } from "./grid-handle.ts";
import type { Desks } from "./desks.ts";

/** The record the detail pane shows, and since when it and its checks have been on screen. */
export interface ShownDetail {
  readonly uuid: string;
  readonly version: number;
  /** performance.now() of the first paint with its checks; null while they load or while the pane is hidden. */
  readonly paintedAt: number | null;
}

/** What a dialog can be told by keys; digits choose, "accept" is plain Enter, "confirm" Mod+Enter. */
export type DialogAct = "confirm" | "accept" | "close" | "next" | "previous" | "back" | "toggle" | `choose-${number}`;

export interface OpenDialog {
  /** "palette", "help", "reason", "money", "menu" …; its title on the status bar is `mode.<name>`. */
  readonly name: string;
  /** What it can do at this moment; the key of an act it lacks stays with the browser. */
  readonly acts: Readonly<Partial<Record<DialogAct, () => void>>>;
  /** Plain Enter does nothing, not even on its focused button: habit cannot confirm. */
  readonly deafToEnter?: true;
}

/** How the status bar words what the next key hits. */
export interface Aim {
  /** Shown monospaced with its last six characters strong; null when marks are the target. */
  readonly id: string | null;
  /** "4,850.00 MYR" */
  readonly note: string;
}

/** What a pane publishes while it holds the focus. */
export interface PaneState extends Desks {
  readonly id: string;
  /** Scopes that apply here besides "console" and "screen". */
  readonly scopes: readonly Scope[];
  readonly subject: SubjectName | null;
  /** Row under the cursor. */
  readonly cursor: Subjects[SubjectName] | null;
  /** Marked rows in grid order; when there are any, they are the target. */
  readonly marked: readonly Subjects[SubjectName][];
  readonly grid: GridHandle | null;
  readonly detail: ShownDetail | null;
  /** Words for the target; the kit knows no entity. */
  readonly aim?: Aim | null;
  /** Cursor's place among the rows, from 1; `of` null while the total is unknown. */
  readonly place?: { readonly row: number; readonly of: number | null } | null;
  /** Figures of the selection, "Σ 7,240.00", "max 4,850.00" …, at the status bar's end. */
  readonly figures?: readonly string[];
}

/** Everything a command may know. Frozen when the palette opens. */
export interface Context {
  readonly screen: ScreenName | null;
  readonly pane: PaneState | null;
  /** What the panes of the screen lend, wherever on it the focus is. */
  readonly lent: Desks;
  readonly dialog: OpenDialog | null;
  readonly typing: boolean;
  readonly online: boolean;
  /** True for 500 ms after a tenant switch: mutating keys are dead. */
  readonly switching: boolean;
  readonly tenant: string | null;
  readonly currency: string | null;
  readonly user: string | null;
  readonly permissions: PermissionMap;
  /** Left and Right are screen directions; set where the page runs right to left. */
  readonly rightToLeft?: boolean;
  /** performance.now() at the act: when its key was pressed, however late the page came to it. */
  readonly now: number;
}

/** What the records in view are: commands for any record are named after it. */
export const subjectOf = ({ pane, lent }: Context): SubjectName | null => pane?.subject ?? lent.record?.subject ?? null;
