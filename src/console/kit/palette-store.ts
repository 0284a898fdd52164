import { createStore } from "zustand/vanilla";
import type { ScreenName } from "../../contract/screens.ts";
import type { Context } from "./context.ts";
import type { IconName } from "./icon-shapes.ts";

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
}

/** What the palette offers besides commands; each comes from the shell, and is left out without it. */
export interface PaletteSources {
  tenants?(): readonly PaletteEntry[];
  currencies?(): readonly PaletteEntry[];
  languages?(): readonly PaletteEntry[];
  /** "/" looks in the grid in view. */
  findInGrid?(text: string): void;
  /** "=" */
  findAmount?(text: string, signal: AbortSignal): Promise<readonly FoundRecord[]>;
  findRecords?(text: string, signal: AbortSignal): Promise<readonly FoundRecord[]>;
}

export type PalettePage = "tenant" | "currency" | "language";

export interface PaletteState {
  /** Counts the openings. */
  readonly opening: number;
  /** The page it opened on: Esc leaves from there. */
  readonly openedOn: PalettePage | null;
  /** Frozen when it opened; null while it is closed. */
  readonly context: Context | null;
  readonly text: string;
  readonly page: PalettePage | null;
}

export interface PaletteStore {
  getState(): PaletteState;
  subscribe(listener: () => void): () => void;
  open(context: Context, text: string, page?: PalettePage | null): void;
  setText(text: string): void;
  setPage(page: PalettePage | null): void;
  close(): void;
  /** Command ids, latest first. */
  recent(): readonly string[];
  used(id: string): void;
}

const storageKey = "countinghouse.recent-commands";
const recentLength = 20;

function storedRecent(storage: Storage | undefined): string[] {
  try {
    const value: unknown = JSON.parse(storage?.getItem(storageKey) ?? "[]");
    return Array.isArray(value) ? value.filter((id) => typeof id === "string") : [];
  } catch {
    return [];
  }
}

export function createPaletteStore(storage?: Storage): PaletteStore {
  const store = createStore<PaletteState>()(() => ({ opening: 0, openedOn: null, context: null, text: "", page: null }));
  let recent = storedRecent(storage);
  return {
    getState: store.getState,
    subscribe: (listener) => store.subscribe(listener),
    open: (context, text, page = null) => store.setState(({ opening }) => ({ opening: opening + 1, context, text, page, openedOn: page })),
    setText: (text) => store.setState({ text }),
    setPage: (page) => store.setState({ page, text: "" }),
    close: () => store.setState({ context: null, text: "", page: null }),
    recent: () => recent,
    used(id) {
      recent = [id, ...recent.filter((other) => other !== id)].slice(0, recentLength);
      try {
        storage?.setItem(storageKey, JSON.stringify(recent));
      } catch {
        // A full storage costs only the order of the palette.
      }
    },
  };
}
