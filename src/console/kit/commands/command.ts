import type { Subjects, SubjectName } from "../../../contract/index.ts";
import type { Permission } from "../../../contract/permissions.ts";
import type { ScreenName } from "../../../contract/screens.ts";
import type { Context, DialogAct } from "./context.ts";
import type { DeskName, Desks, RecordRow } from "./desks.ts";
import type { MessageKey, Words } from "../texts/messages.ts";
import type { Services } from "./services.ts";

/** Outermost first. On one chord the innermost scope that applies owns it; an open dialog hides all others. */
export const scopes = ["console", "screen", "pane", "grid", "header", "dialog"] as const;
export type Scope = (typeof scopes)[number];

/** tinykeys grammar: "g w", "$mod+k", "Shift+A", "Escape". */
export type Chord = string;

export type Takes = "none" | "one" | "many";

/** Rows of a subject; of any subject, what every record has. */
type RowOf<S> = S extends SubjectName ? Subjects[S] : RecordRow;

export type Rows<S, T extends Takes> = S extends SubjectName | "any"
  ? { none: readonly []; one: readonly [RowOf<S>]; many: readonly [RowOf<S>, ...RowOf<S>[]] }[T]
  : readonly [];

/** A permission, or several of which any one is enough. */
export type Right = Permission | readonly Permission[];

/** Why not now: a message key, or one with its values. */
export type Reason = MessageKey | { readonly key: MessageKey; readonly words: Words };

export interface Command<S extends SubjectName | "any" | null = SubjectName | "any" | null, T extends Takes = Takes> {
  /** "withdrawal.approve"; its texts are command.<id> and command.<id>.words (synonyms, comma separated). */
  readonly id: `${string}.${string}`;
  /** Ids of removed commands that it does the work of: keys and habits kept under one of them are its own. */
  readonly formerly?: readonly string[];
  readonly scope: Scope;
  /** Only there. */
  readonly screen?: ScreenName;
  /** What its pane must lend: absent from a screen that does not lend it, refused where another pane of that screen has the focus. */
  readonly desk?: DeskName;
  /** The screen it goes to: absent while that one is routed nowhere. */
  readonly leadsTo?: ScreenName;
  /** Scope "dialog": a key of the open dialog, there only while that dialog can do it. */
  readonly act?: DialogAct;
  /** What the focused pane must show: one subject, "any", or null where that does not matter. */
  readonly subject: S;
  /** none, the one under the cursor, or the marked rows (else the one under the cursor). */
  readonly takes: T;
  /** Taken from the route, never typed again, or told by the desk; null: these records do not know the act, and it is absent. */
  readonly permission: Right | "signed-in" | ((lent: Desks) => Right | null);
  /** The first is shown. */
  readonly keys?: readonly [Chord, ...Chord[]];
  /** May fire while held: motions only. */
  readonly repeats?: true;
  /** May run again before it has ended, since each run acts on something else; the others wait for their end. */
  readonly overlaps?: true;
  /** Works while a field has the focus. */
  readonly whileTyping?: true;
  /** Drives tiers and confirmation; dead while offline or during a tenant switch. */
  readonly danger?: "money" | "irreversible";
  /** Never offered first because it was used before, as with `danger`: Enter pressed by habit must not start it. */
  readonly careful?: true;
  /** Kept out of the palette: motions and keys of dialogs. */
  readonly quiet?: true;
  /** Offered among the status bar's keys whenever it is ready. */
  readonly hint?: true;
  /** Reasons of its refusal that are over by themselves in a moment. */
  readonly passing?: readonly MessageKey[];
  /** Why not now; pure. */
  refuse?(rows: Rows<S, T>, context: Context): Reason | null;
  run(rows: Rows<S, T>, services: Services, context: Context): void | Promise<void>;
}

/** A command with its row types hidden, so that one list holds all. */
export type AnyCommand = Omit<Command, "refuse" | "run"> & {
  refuse?(rows: readonly unknown[], context: Context): Reason | null;
  run(rows: readonly unknown[], services: Services, context: Context): void | Promise<void>;
};

/** Checks the row types, then hides them. A command without a subject takes no rows. */
export function defineCommand<const S extends SubjectName | "any" | null, const T extends (S extends null ? "none" : Takes)>(
  command: Command<S, T>,
): AnyCommand {
  return command as unknown as AnyCommand; // the registry hands rows only to a command whose subject matched
}
