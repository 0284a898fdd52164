import type { Subjects, SubjectName } from "../../../contract/index.ts";
import type { Permission } from "../../../contract/permissions.ts";
import type { ScreenName } from "../../../contract/screens.ts";
import type { Context, DialogAct } from "./context.ts";
import type { DeskName, Desks, RecordRow } from "./desks.ts";
import type { MessageKey, Words } from "../texts/messages.ts";
import type { Services } from "./services.ts";

/** Outermost first. On one chord the innermost scope that applies owns it; an open dialog hides all others. */
export const scopes = ["console", "screen", "pane", "grid", "picture", "header", "dialog"] as const;
export type Scope = (typeof scopes)[number];

/** tinykeys grammar: "g w", "$mod+k", "Shift+A", "Escape". */
export type Chord = string;

export type Takes = "none" | "one" | "many";

/** Row type of a subject; for "any" what every record has. */
type RowOf<S> = S extends SubjectName ? Subjects[S] : RecordRow;

export type Rows<S, T extends Takes> = S extends SubjectName | "any"
  ? { none: readonly []; one: readonly [RowOf<S>]; many: readonly [RowOf<S>, ...RowOf<S>[]] }[T]
  : readonly [];

/** A permission, or several of which one is enough. */
export type Right = Permission | readonly Permission[];

/** Why a command cannot run now: a message key, with its values where it has any. */
export type Reason = MessageKey | { readonly key: MessageKey; readonly words: Words };

export interface Command<S extends SubjectName | "any" | null = SubjectName | "any" | null, T extends Takes = Takes> {
  /** "withdrawal.approve"; its texts are command.<id> and command.<id>.words (synonyms, comma separated). */
  readonly id: `${string}.${string}`;
  /** Ids of removed commands that this one replaces; their stored keys and usage count for it. */
  readonly formerly?: readonly string[];
  readonly scope: Scope;
  /** Applies only on this screen. */
  readonly screen?: ScreenName;
  /** What a pane must lend: absent on a screen without it, refused while another pane of that screen has the focus. */
  readonly desk?: DeskName;
  /** The screen it goes to; absent while that screen has no route. */
  readonly leadsTo?: ScreenName;
  /** Scope "dialog": applies only while the open dialog has this act. */
  readonly act?: DialogAct;
  /** What the focused pane must show: one subject, "any", or null where it does not matter. */
  readonly subject: S;
  /** none, one (the row under the cursor), or many (the marked rows, else the row under the cursor). */
  readonly takes: T;
  /** Taken from the route, or from what the pane lends; null where these records do not have the act, so that the command is absent. */
  readonly permission: Right | "signed-in" | ((lent: Desks) => Right | null);
  /** The first one is shown. */
  readonly keys?: readonly [Chord, ...Chord[]];
  /** Runs repeatedly while its key is held: motions only. */
  readonly repeats?: true;
  /** May run again before it has ended, because each run acts on something else; other commands wait. */
  readonly overlaps?: true;
  /** Works while a text field has the focus. */
  readonly whileTyping?: true;
  /** Decides about tiers and confirmation; disabled while offline or during a tenant switch. */
  readonly danger?: "money" | "irreversible";
  /** Changes data at once though it takes no rows; disabled during a tenant switch. */
  readonly changes?: true;
  /** Not offered first because of earlier use, as with `danger`: Enter pressed out of habit must not start it. */
  readonly careful?: true;
  /** Not in the palette: motions and keys of dialogs. */
  readonly quiet?: true;
  /** Offered among the status bar's keys while it can run. */
  readonly hint?: true;
  /** Refusals that end by themselves in a moment. */
  readonly passing?: readonly MessageKey[];
  /** Why it cannot run now; pure. */
  refuse?(rows: Rows<S, T>, context: Context): Reason | null;
  run(rows: Rows<S, T>, services: Services, context: Context): void | Promise<void>;
}

/** A command without its row types, so that one list can hold all. */
export type AnyCommand = Omit<Command, "refuse" | "run"> & {
  refuse?(rows: readonly unknown[], context: Context): Reason | null;
  run(rows: readonly unknown[], services: Services, context: Context): void | Promise<void>;
};

/** Checks the row types, then hides them; a command without a subject takes no rows. */
export function defineCommand<const S extends SubjectName | "any" | null, const T extends (S extends null ? "none" : Takes)>(
  command: Command<S, T>,
): AnyCommand {
  return command as unknown as AnyCommand; // the registry passes rows only to a command whose subject matches
}
