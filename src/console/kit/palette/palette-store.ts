import { createStore } from "zustand/vanilla";
import type { Linked } from "../../../contract/controls.ts";
import type { ScreenName } from "../../../contract/screens.ts";
import type { Context } from "../commands/context.ts";
import type { IconName } from "../look/icon-shapes.ts";
import type { Used, UsedRecord } from "./palette-frecency.ts";
import { heaviest, nothingUsed, weightAt, withCommand, withRecord } from "./palette-frecency.ts";
import type { OpenQuestion } from "../sheets/questions.ts";
import type { Workplace } from "../commands/services.ts";

/** One thing to choose besides commands: a tenant, a currency, a record. */
export interface PaletteEntry {
  readonly id: string;
  readonly name: string;
  readonly note?: string;
  /** At the row's end: a status, a balance. */
  readonly end?: string;
  readonly icon?: IconName;
  /** Is the present one. */
  readonly current?: boolean;
  readonly words?: string;
}

export interface FoundRecord extends PaletteEntry {
  readonly screen: ScreenName;
  readonly search: Readonly<Record<string, string>>;
  /** All that was found, on their screen, instead of one of them: not remembered as opened. */
  readonly list?: true;
}

/** What the palette offers besides commands; each comes from the shell, and is left out without it. */
export interface PaletteSources {
  tenants?(): readonly PaletteEntry[];
  currencies?(): readonly PaletteEntry[];
  languages?(): readonly PaletteEntry[];
  /** "=" */
  findAmount?(text: string, signal: AbortSignal): Promise<readonly FoundRecord[]>;
  findRecords?(text: string, signal: AbortSignal): Promise<readonly FoundRecord[]>;
  /** Records of one screen, for a field that refers to one of them. */
  findLinked?(screen: ScreenName, text: string, signal: AbortSignal): Promise<readonly Linked[]>;
  /** An instant as times are written in the zone at work, and the instant of a time that was typed; null where it is none. */
  writeMoment?(instant: string): string;
  readMoment?(text: string): string | null;
  /** Nothing to choose: what an export says of where it was made. */
  workplace?(pane: string): Workplace;
  /** A moment of this machine's clock (Date.now()) as the server's clock and the zone at work have it. */
  stampOf?(machine: number): { readonly instant: string; readonly clock: string; readonly title: string };
  /** A record opened before, as a find would show it; null where its screen is not to be had. */
  recall?(record: UsedRecord): FoundRecord | null;
}

export type PalettePage = "tenant" | "currency" | "language";

/** A question of a command that was started here, asked as a page (palette-run.ts). */
export interface PaletteQuestion {
  readonly question: Extract<OpenQuestion, { readonly kind: "choice" | "text" | "reason" }>;
  /** What was written when this page was left for the one before it. */
  readonly written: string;
  answer(answer: { readonly id: string; readonly text: string }): void;
  /** One page back, to the list at last. */
  back(written: string): void;
}

interface PaletteState {
  /** Counts the openings. */
  readonly opening: number;
  /** Frozen when it opened; null while it is closed. */
  readonly context: Context | null;
  readonly text: string;
  readonly page: PalettePage | null;
  readonly question: PaletteQuestion | null;
  /** The list's text, which the way back from a page finds as it was; null: Esc closes. */
  readonly behind: string | null;
}

export interface PaletteStore {
  getState(): PaletteState;
  subscribe(listener: () => void): () => void;
  open(context: Context, text: string, page?: PalettePage | null): void;
  setText(text: string): void;
  /** From a page to the list, or out. */
  back(): void;
  ask(context: Context, question: PaletteQuestion, behind: string): void;
  /** What opens while `act` runs, and an open page until then, has this list behind it. */
  from(behind: string, act: () => void): void;
  /** A question left so is answered by its asker (palette-run.ts). */
  close(): void;
  used(id: string): void;
  usedRecord(record: FoundRecord): void;
  /** What was used, weighed now: commands by id, records the heaviest first. */
  remembered(): { weightOf(id: string): number; readonly records: readonly UsedRecord[] };
  /** From now on kept there, and taken from there: the person's. */
  keepIn(memory: PaletteMemory): void;
}

/** Where the palette's memory lies. */
interface PaletteMemory {
  read(): Used;
  write(used: Used): void;
}

const closed = { context: null, text: "", page: null, question: null, behind: null } as const;

const storageKey = "countinghouse.palette";

const isUse = (use: unknown): boolean =>
  typeof use === "object" && use !== null && "id" in use && typeof use.id === "string" && "weight" in use && "at" in use;

/** This browser's, until the person's is there. */
function browserMemory(storage: Storage | undefined): PaletteMemory {
  let held = nothingUsed;
  try {
    const { commands, records } = JSON.parse(storage?.getItem(storageKey) ?? "{}") as Partial<Record<keyof Used, unknown>>; // each is looked at
    if (Array.isArray(commands) && Array.isArray(records)) held = { commands: commands.filter(isUse), records: records.filter(isUse) };
  } catch {
    // Unreadable: nothing was used.
  }
  return {
    read: () => held,
    write(used) {
      held = used;
      try {
        storage?.setItem(storageKey, JSON.stringify(used));
      } catch {
        // A full storage costs only the order of the palette.
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
    usedRecord({ id, name, screen }) {
      const { tenant, currency } = store.getState().context ?? {};
      if (tenant == null || currency == null) return;
      memory.write(withRecord(memory.read(), { id, tenant, currency, screen, name }, now()));
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
