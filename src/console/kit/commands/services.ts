import type { Answer, Route, Sent } from "../../../contract/route.ts";
import type { ScreenName, Whereto } from "../../../contract/screens.ts";
import type { Reason } from "./command.ts";
import type { Sheet } from "./sheet.ts";
import type { MessageKey, Words } from "../texts/messages.ts";
import type { Menu } from "./menu.ts";

/** Rows that one request takes. */
export interface BulkSlice {
  readonly rows: readonly { readonly id: string; readonly label: string }[];
  /** Answers for each row; `left`: it was not tried, and counts as left out. */
  send(): Promise<readonly BulkOutcome[]>;
}
export type BulkOutcome =
  | { readonly id: string; readonly done: true }
  | { readonly id: string; readonly done: false; readonly left?: boolean; readonly why: string };

/** A question a command puts before it acts. The kit draws each kind as a sheet; null = Esc. */
export interface Questions {
  /** Preset on a digit 1–9, or 0 and a free text; Enter confirms a preset, Mod+Enter a free text. */
  reason: {
    asked: { title: MessageKey; words: Words; presets: readonly { code: string; text: string }[] };
    answer: { code: string; text?: string };
  };
  /** Repeats amount, payee and their account; only Mod+Enter confirms. */
  money: {
    asked: {
      title: MessageKey;
      words: Words;
      amount: string;
      currency: string;
      payee: string;
      account: string;
      /** Where the money is taken from; null: not known yet. */
      from: string | null;
      notes: readonly string[];
    };
    answer: true;
  };
  /** One of several, by digit or arrows; an unfit one says why. `money`: a digit only chooses, and only Mod+Enter confirms. */
  choice: {
    asked: {
      title: MessageKey;
      words: Words;
      options: readonly { id: string; label: string; note: string; refused: string | null }[];
      money?: true;
      /** Chosen at first; left out: the first that is fit. */
      initial?: string;
    };
    answer: string;
  };
  /** Count, sum, largest, oldest, what is left out; then progress slice by slice and the outcome per row. Resolves when closed. */
  bulk: {
    asked: {
      title: MessageKey;
      words: Words;
      facts: readonly { label: MessageKey; value: string }[];
      /** Sent one after the other: stopping holds back the slices that have not been sent. */
      slices: readonly BulkSlice[];
      skipped: readonly { id: string; label: string; why: string }[];
    };
    answer: { done: readonly string[]; failed: readonly string[] };
  };
  /** Irreversible: says that it cannot be undone; only Mod+Enter confirms. */
  confirm: {
    asked: {
      title: MessageKey;
      text: MessageKey;
      words: Words;
      /** What the buttons say; left out: Confirm and Cancel. */
      buttons?: { readonly yes: MessageKey; readonly no: MessageKey };
    };
    answer: true;
  };
  /**
   * Free text, trimmed; `hint` makes it one line that Enter takes and says what may be written. While `refuse` says why what
   * was typed cannot be taken, the question stays, with it.
   */
  text: {
    asked: {
      title: MessageKey;
      /** What a field of several lines is called; left out: Text. */
      label?: MessageKey;
      words: Words;
      initial: string;
      maximum: number;
      hint?: MessageKey;
      refuse?(typed: string): Reason | null;
    };
    answer: string;
  };
  /** Something secret that is shown this once, to be copied; whoever leaves it otherwise than by saying that it is kept is asked. */
  secret: { asked: { title: MessageKey; text: MessageKey; words: Words; secret: string }; answer: true };
}
export type QuestionKind = keyof Questions;

export type Tone = "plain" | "done" | "warn" | "fail";

export interface Undo {
  readonly id: string;
  readonly text: MessageKey;
  readonly words: Words;
  /** performance.now() after which it cannot be taken back. */
  readonly until: number;
  back(): Promise<void>;
  /** The command that does it again, under all its guards, while that record is the next key's target. Without it nothing does. */
  readonly again?: { readonly command: string; readonly uuid: string };
}

export interface CallOptions {
  /** Kept over retries; made by the command when the intent is formed. */
  idempotencyKey?: string;
  /** The caller shows the refusal itself, in place. */
  quiet?: boolean;
  signal?: AbortSignal;
}

/** Where and by whom something is taken out of the console. */
export interface Workplace {
  readonly tenant: string;
  readonly currency: string;
  readonly user: string;
  /** Minutes east of UTC, and "+08:00". */
  readonly zone: number;
  readonly zoneText: string;
  /** Now, as times are written. */
  readonly time: string;
  /** The same as names of files have it, which sort by it. */
  readonly stamp: string;
  /** Search parameters of the screen the pane is on, without record. */
  readonly search: Readonly<Record<string, string>>;
}

/** All that a command may act through; tests fake it. */
export interface Services {
  call<R extends Route>(route: R, sent: Sent<R>, options?: CallOptions): Promise<Answer<R>>;
  go(screen: ScreenName, to?: Whereto): void;
  ask<K extends QuestionKind>(kind: K, asked: Questions[K]["asked"]): Promise<Questions[K]["answer"] | null>;
  /** Opens a menu at a place of the page, over what is there. */
  menu(menu: Menu): void;
  /** Status bar and live region; tone "fail" is assertive. */
  say(key: MessageKey, words?: Words, tone?: Tone): void;
  /** Where a line on the status bar could be missed. */
  toast(title: MessageKey, text: MessageKey, words: Words, tone: Tone): void;
  text(key: MessageKey, words?: Words): string;
  open(what: "palette" | "help" | "messages" | "tenant" | "currency" | "language" | "keys" | "practice", mode?: string): void;
  /** What is secret is not repeated where everybody reads what was just done. */
  copy(text: string, what?: "secret"): Promise<void>;
  /** Makes a file of it and hands it to the browser; throws when it cannot be made. */
  saveSheet(sheet: Sheet): Promise<void>;
  workplace(pane: string): Workplace;
  pushUndo(undo: Undo): void;
  undoLast(): Promise<void>;
  /** Does again what was taken back last, or says why not. */
  redoLast(): Promise<void>;
  /** Rows an act changed: the screens and caches that hold them take them over. */
  changed(subject: string, rows: readonly { uuid: string }[]): void;
  /** Shell acts: panes, theme, sound, session. */
  shell: ShellServices;
}

export interface ShellServices {
  focusPane(pane: "navigation" | "list" | "detail" | "counters" | "filters" | "next" | "previous"): void;
  togglePane(pane: "detail" | "counters" | "navigation"): void;
  resizePanes(): void;
  zoomPane(): void;
  turnDetail(): void;
  /** A second screen beside this one, or no longer; named, that one with that search. */
  splitScreen(screen?: ScreenName, to?: Whereto): void;
  /** The address of what is on screen, with tenant and currency. */
  linkHere(): string;
  setTheme(theme: "light" | "dark" | "system"): void;
  toggleSound(): void;
  switchTenant(id: string): Promise<void>;
  switchCurrency(code: string): Promise<void>;
  setLanguage(language: string): void;
  signOut(): Promise<void>;
  refresh(): void;
  escape(): void;
}
