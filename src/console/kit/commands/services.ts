import type { Answer, Route, Sent } from "../../../contract/route.ts";
import type { Pin, SavedView } from "../../../contract/preferences.ts";
import type { ScreenName } from "../../../contract/screens.ts";
import type { Whereto } from "../../../contract/addresses.ts";
import type { Reason } from "./command.ts";
import type { Sheet } from "./sheet.ts";
import type { MessageKey, Words } from "../texts/messages.ts";
import type { Menu } from "./menu.ts";

/** Rows of one request. */
export interface BulkSlice {
  readonly rows: readonly { readonly id: string; readonly label: string }[];
  /** Outcome of each row; `left`: it was not attempted, and counts as left out. */
  send(): Promise<readonly BulkOutcome[]>;
}
export type BulkOutcome =
  | { readonly id: string; readonly done: true }
  | { readonly id: string; readonly done: false; readonly left?: boolean; readonly why: string };

/** Questions a command can ask before it acts. Each kind has a sheet; null = Esc. */
export interface Questions {
  /** A preset on a digit 1–9, or 0 for free text; Enter confirms a preset, Mod+Enter the free text. */
  reason: {
    asked: { title: MessageKey; words: Words; presets: readonly { code: string; text: string }[] };
    answer: { code: string; text?: string };
  };
  /** Repeats amount, payee and account; only Mod+Enter confirms. */
  money: {
    asked: {
      title: MessageKey;
      words: Words;
      amount: string;
      currency: string;
      payee: string;
      account: string;
      /** The paying account; null: not known yet. */
      from: string | null;
      /** What payee and account are here, as it is read aloud; by default that. */
      labels?: { readonly payee: MessageKey; readonly account: MessageKey };
      notes: readonly string[];
    };
    answer: true;
  };
  /** Another amount than was expected, and why. Both stand beside each other with their difference; only Mod+Enter confirms. */
  amount: {
    asked: {
      title: MessageKey;
      words: Words;
      currency: string;
      /** Decimal text. */
      expected: string;
      labels: { readonly expected: MessageKey; readonly amount: MessageKey };
      notes: readonly string[];
    };
    /** `amount`: decimal text, of no more decimals than the currency's. */
    answer: { amount: string; reason: string };
  };
  /** One of several options, by digit or arrows; an unfit one gives its reason. `money`: a digit only selects, and Mod+Enter confirms. */
  choice: {
    asked: {
      title: MessageKey;
      words: Words;
      options: readonly { id: string; label: string; note: string; refused: string | null }[];
      money?: true;
      /** Selected at first; by default the first fit option. */
      initial?: string;
      /** It concerns no record, so the status bar names none as what the next key acts on. */
      aimless?: true;
    };
    answer: string;
  };
  /** Count, sum, largest, oldest and rows left out; then progress per slice and the outcome per row. Resolves when closed. */
  bulk: {
    asked: {
      title: MessageKey;
      words: Words;
      facts: readonly { label: MessageKey; value: string }[];
      /** Sent one after the other, so that stopping holds back those not yet sent. */
      slices: readonly BulkSlice[];
      skipped: readonly { id: string; label: string; why: string }[];
    };
    answer: { done: readonly string[]; failed: readonly string[] };
  };
  /** For an irreversible act: says that it cannot be undone; only Mod+Enter confirms. */
  confirm: {
    asked: {
      title: MessageKey;
      text: MessageKey;
      words: Words;
      /** Texts of the buttons; by default Confirm and Cancel. */
      buttons?: { readonly yes: MessageKey; readonly no: MessageKey };
    };
    answer: true;
  };
  /**
   * Free text, trimmed. `hint` makes it one line that Enter confirms, and says what may be written. While `refuse` returns a
   * reason, the question stays open with it.
   */
  text: {
    asked: {
      title: MessageKey;
      /** Label of a field of several lines; by default Text. */
      label?: MessageKey;
      words: Words;
      initial: string;
      maximum: number;
      hint?: MessageKey;
      /** What it is the reason for cannot be undone, which the sheet says. */
      irreversible?: true;
      refuse?(typed: string): Reason | null;
    };
    answer: string;
  };
  /** What is about to be made, before it is: its figures, its first lines, what speaks against it, and what is left out; only Mod+Enter confirms. */
  preview: {
    asked: {
      title: MessageKey;
      words: Words;
      facts: readonly { label: MessageKey; value: string }[];
      lines: readonly string[];
      notes: readonly string[];
      skipped: readonly { id: string; label: string; why: string }[];
      yes: MessageKey;
    };
    answer: true;
  };
  /** A secret to be copied. Unless it can be shown `again`, leaving without confirming that it is kept asks first. */
  secret: { asked: { title: MessageKey; text: MessageKey; words: Words; secret: string; again?: true }; answer: true };
}
export type QuestionKind = keyof Questions;

export type Tone = "plain" | "done" | "warn" | "fail";

export interface Undo {
  readonly id: string;
  readonly text: MessageKey;
  readonly words: Words;
  /** performance.now() until which it can be undone. */
  readonly until: number;
  back(): Promise<void>;
  /** The command that redoes it, with all its checks, while that record is the next key's target. Without it there is no redo. */
  readonly again?: { readonly command: string; readonly uuid: string };
}

export interface CallOptions {
  /** The same over retries; made by the command before its first try. */
  idempotencyKey?: string;
  /** The caller shows a refusal itself; the lines of a 422 are told in a toast besides. */
  quiet?: boolean;
  signal?: AbortSignal;
}

/** Where, when and by whom an export is made. */
export interface Workplace {
  readonly tenant: string;
  readonly currency: string;
  readonly user: string;
  /** Minutes east of UTC; `zoneText` is "+08:00". */
  readonly zone: number;
  readonly zoneText: string;
  /** The current time, formatted. */
  readonly time: string;
  /** The current time for file names, which sort by it. */
  readonly stamp: string;
  /** An instant, formatted. */
  timeOf(instant: string): string;
  /** Search parameters of the pane's screen, without the record. */
  readonly search: Readonly<Record<string, string>>;
}

/** All that a command may act through; tests replace it. */
export interface Services {
  call<R extends Route>(route: R, sent: Sent<R>, options?: CallOptions): Promise<Answer<R>>;
  go(screen: ScreenName, to?: Whereto): void;
  ask<K extends QuestionKind>(kind: K, asked: Questions[K]["asked"]): Promise<Questions[K]["answer"] | null>;
  /** Opens a menu over the page. */
  menu(menu: Menu): void;
  /** Shows a text on the status bar and in the live region; tone "fail" is assertive. */
  say(key: MessageKey, words?: Words, tone?: Tone): void;
  /** For texts that could be missed on the status bar. */
  toast(title: MessageKey, text: MessageKey, words: Words, tone: Tone): void;
  text(key: MessageKey, words?: Words): string;
  open(
    what: "palette" | "help" | "messages" | "tenant" | "currency" | "language" | "keys" | "practice" | "exports" | "shift" | "hand-overs",
    mode?: string,
  ): void;
  /** Copies a text, and says so in these words, or in those of any text; a secret is not repeated on the status bar. False: it was refused. */
  copy(text: string, what?: "secret" | { readonly key: MessageKey; readonly words: Words }): Promise<boolean>;
  /** Saves a file the server has made. */
  saveFile(file: { readonly name: string; readonly type: string; readonly bytes: Uint8Array<ArrayBuffer> }): Promise<void>;
  /** Makes a file and saves it; throws when it cannot be made. */
  saveSheet(sheet: Sheet): Promise<void>;
  workplace(pane: string): Workplace;
  pushUndo(undo: Undo): void;
  /** Removes one whose act failed. */
  dropUndo(id: string): void;
  undoLast(): Promise<void>;
  /** Redoes what was undone last, or says why not. */
  redoLast(): Promise<void>;
  /** Publishes the rows an act has changed to screens and caches. */
  changed(subject: string, rows: readonly { uuid: string }[]): void;
  /** Actions of the shell: panes, theme, sound, session. */
  shell: ShellServices;
}

export interface ShellServices {
  focusPane(pane: "navigation" | "list" | "detail" | "counters" | "filters" | "timeline" | "next" | "previous"): void;
  togglePane(pane: "detail" | "counters" | "navigation"): void;
  resizePanes(): void;
  zoomPane(): void;
  turnDetail(): void;
  /** Opens a second screen, or closes it; with a name, opens that screen with that search. */
  splitScreen(screen?: ScreenName, to?: Whereto): void;
  /** The current address with tenant and currency. */
  linkHere(): string;
  setTheme(theme: "light" | "dark" | "system"): void;
  toggleSound(): void;
  /** Takes the counters out into a window of their own, or brings them back. */
  floatCounters(): Promise<void>;
  /** Pins a saved view into the counters, or takes it off with null; says what came of it. */
  pinView(view: SavedView, whose: "me" | "tenant", pin: Pin | null): Promise<void>;
  /** Asks from when on a view gives the alarm, and pins it with that; where it is not pinned yet, as `here` says. */
  setThreshold(view: SavedView, here: Pin): Promise<void>;
  /** Opens the view that stands at this place in the counters, from 1. */
  openPinned(place: number): void;
  /** Views that stand in the counters. */
  pinnedCount(): number;
  switchTenant(id: string): Promise<void>;
  switchCurrency(code: string): Promise<void>;
  setLanguage(language: string): void;
  signOut(): Promise<void>;
  refresh(): void;
  escape(): void;
}
