import { createStore } from "zustand/vanilla";
import type { Linked } from "../../../contract/controls.ts";
import type { ScreenName } from "../../../contract/screens.ts";
import type { Context } from "../commands/context.ts";
import type { IconName } from "../look/icon-names.ts";
import type { Completion } from "../query/complete.ts";
import type { FilterChip } from "../query/query-list.ts";
import type { Used, UsedRecord } from "./palette-frecency.ts";
import { heaviest, nothingUsed, weightAt, withCommand, withRecord } from "./palette-frecency.ts";
import type { OpenQuestion } from "../sheets/questions.ts";
import type { Workplace } from "../commands/services.ts";

/** A choice that is no command: a tenant, a currency, a record. */
export interface PaletteEntry {
  readonly id: string;
  readonly name: string;
  readonly note?: string;
  /** At the end of the row: a status, a balance. */
  readonly end?: string;
  readonly icon?: IconName;
  /** It is the current one. */
  readonly current?: boolean;
  readonly words?: string;
}

export interface FoundRecord extends PaletteEntry {
  readonly screen: ScreenName;
  /** The records that its path names; left out: none. */
  readonly params?: Readonly<Record<string, string>>;
  readonly search: Readonly<Record<string, string>>;
  /** Opens the list of all matches, or a section of the settings, instead of one record; not remembered as opened. */
  readonly list?: true;
  /** It stands for what a query line asks: the first of its answer. */
  readonly line?: true;
  /** It cannot be opened; the note says why. */
  readonly refused?: true;
  /** The part of its name that cannot be read: from this character to that, the latter excluded. */
  readonly wrong?: readonly [from: number, to: number];
  /** What a query line asks for, as the list's own chips say it. */
  readonly chips?: readonly FilterChip[];
}

/** What the palette offers besides commands, from the shell; a missing source is left out. */
export interface PaletteSources {
  tenants?(): readonly PaletteEntry[];
  currencies?(): readonly PaletteEntry[];
  languages?(): readonly PaletteEntry[];
  /** "=" */
  findAmount?(text: string, signal: AbortSignal): Promise<readonly FoundRecord[]>;
  findRecords?(text: string, signal: AbortSignal): Promise<readonly FoundRecord[]>;
  /** What the part before the caret may become in a text that asks a list ("wd pen"), at once when the list is loaded; null: it asks none. */
  completions?(text: string, caret: number): readonly Completion[] | Promise<readonly Completion[]> | null;
  /** Records of one screen, for a reference field. */
  findLinked?(screen: ScreenName, text: string, signal: AbortSignal): Promise<readonly Linked[]>;
  /** Formats an instant in the current zone; `readMoment` does the reverse, and returns null where it cannot read the text. */
  writeMoment?(instant: string): string;
  readMoment?(text: string): string | null;
  /** Not a list: what an export says of where it was made. */
  workplace?(pane: string): Workplace;
  /** A moment of this machine's clock (Date.now()) in the server's time and the current zone. */
  stampOf?(machine: number): { readonly instant: string; readonly clock: string; readonly title: string };
  /** A record opened earlier, as a search result; null where its screen is not available. */
  recall?(record: UsedRecord): FoundRecord | null;
}

export type PalettePage = "tenant" | "currency" | "language";

/** A question of a command started here, asked as a page (palette-run.ts). */
export interface PaletteQuestion {
  readonly question: Extract<OpenQuestion, { readonly kind: "choice" | "text" | "reason" }>;
  /** The text typed when the user went back from this page. */
  readonly written: string;
  answer(answer: { readonly id: string; readonly text: string }): void;
  /** Goes one page back, and from the first page to the list. */
  back(written: string): void;
}

interface PaletteState {
  /** Counts the openings. */
  readonly opening: number;
  /** Frozen when the palette opened, but for a row that came late; null while it is closed. */
  readonly context: Context | null;
  readonly text: string;
  readonly page: PalettePage | null;
  readonly question: PaletteQuestion | null;
  /** The list's text, restored when the user goes back to it; null: Esc closes. */
  readonly behind: string | null;
}

export interface PaletteStore {
  getState(): PaletteState;
  subscribe(listener: () => void): () => void;
  open(context: Context, text: string, page?: PalettePage | null): void;
  /**
   * Where no row was under the cursor at the opening, because its list was just being read, the one that has come is acted on. A row that
   * was there stays, whatever comes beneath it.
   */
  rowCame(now: Context): void;
  setText(text: string): void;
  /** Goes from a page to the list, or closes. */
  back(): void;
  ask(context: Context, question: PaletteQuestion, behind: string): void;
  /** While `act` runs, and as long as its page is open, going back leads to this list. */
  from(behind: string, act: () => void): void;
  /** The asker cancels a question left open (palette-run.ts). */
  close(): void;
  used(id: string): void;
  usedRecord(record: FoundRecord): void;
  /** Past uses with their current weight: commands by id, records the heaviest first. */
  remembered(): { weightOf(id: string): number; readonly records: readonly UsedRecord[] };
  /** From now on the uses are stored in the user's memory. */
  keepIn(memory: PaletteMemory): void;
}

/** Storage of the palette's uses. */
interface PaletteMemory {
  read(): Used;
  write(used: Used): void;
}

const closed = { context: null, text: "", page: null, question: null, behind: null } as const;

const storageKey = "countinghouse.palette";

const isUse = (use: unknown): boolean =>
  typeof use === "object" && use !== null && "id" in use && typeof use.id === "string" && "weight" in use && "at" in use;

/** This browser's storage, until the user's is known. */
function browserMemory(storage: Storage | undefined): PaletteMemory {
  let held = nothingUsed;
  try {
    const { commands, records } = JSON.parse(storage?.getItem(storageKey) ?? "{}") as Partial<Record<keyof Used, unknown>>; // each is checked below
    if (Array.isArray(commands) && Array.isArray(records)) held = { commands: commands.filter(isUse), records: records.filter(isUse) };
  } catch {
    // unreadable: nothing was used
  }
  return {
    read: () => held,
    write(used) {
      held = used;
      try {
        storage?.setItem(storageKey, JSON.stringify(used));
      } catch {
        // storage is full: only the order of results is lost
      }
    },
  };
}

export function createPaletteStore(storage?: Storage, now: () => number = Date.now): PaletteStore {
  const store = createStore<PaletteState>()(() => ({ opening: 0, ...closed }));
  let memory = browserMemory(storage);
  let behind: string | null = null;
  return {
    getState: store.getState,
    subscribe: (listener) => store.subscribe(listener),
    open: (context, text, page = null) =>
      store.setState(({ opening }) => ({ ...closed, opening: opening + 1, context, text, page, behind: page === null ? null : behind })),
    rowCame: ({ pane, lent }) =>
      store.setState((state) => {
        const { context, question } = state;
        const at = context?.pane ?? null;
        const isLate = at !== null && at.cursor === null && at.marked.length === 0 && pane?.id === at.id && pane.cursor !== null;
        return context === null || question !== null || !isLate ? state : { context: { ...context, pane, lent } };
      }),
    setText: (text) => store.setState({ text }),
    back() {
      const { behind: text } = store.getState();
      store.setState(text === null ? closed : { page: null, question: null, behind: null, text });
    },
    ask: (context, question, text) =>
      store.setState(({ opening }) => ({ ...closed, opening: opening + 1, context, question, text: question.written, behind: text })),
    from(text, act) {
      behind = text;
      act();
      behind = null;
    },
    close: () => store.setState(closed),
    used: (id) => memory.write(withCommand(memory.read(), id, now())),
    usedRecord({ id, name, screen, params }) {
      const { tenant, currency } = store.getState().context ?? {};
      if (tenant == null || currency == null) return;
      memory.write(withRecord(memory.read(), { id, tenant, currency, screen, name, ...(params && { params }) }, now()));
    },
    remembered() {
      const { commands, records } = memory.read();
      const at = now();
      const weights = new Map(commands.map((use) => [use.id, weightAt(use, at)]));
      return { weightOf: (id) => weights.get(id) ?? 0, records: heaviest(records, at, records.length) };
    },
    keepIn: (next) => void (memory = next),
  };
}
