import { createStore } from "zustand/vanilla";
import { preferenceRoutes, Preferences } from "../../contract/preferences.ts";
import { joinUsed } from "../kit/palette/palette-frecency.ts";
import type { Call } from "./call.ts";
import { CallFailure } from "./failure.ts";
import type { Link } from "./link.ts";
import type { TabStorage } from "./selection.ts";
import type { Session } from "./session.ts";

type PreferencePart = keyof Preferences;

export interface PreferencesState {
  /** The server's values with local changes on top; defaults until they are loaded. */
  readonly preferences: Preferences;
  readonly loaded: boolean;
  /**
   * saved · waiting: about to be sent · failed: kept, and sent at the next change or when the server answers again · refused: the
   * server does not accept it, so that it holds in this page only.
   */
  readonly saveState: "saved" | "waiting" | "failed" | "refused";
}

interface LeavingPage {
  /** The page is hidden or closed. */
  onHide(act: () => void): () => void;
}

export function browserLeaving(): LeavingPage {
  return {
    onHide(act) {
      window.addEventListener("pagehide", act);
      return () => window.removeEventListener("pagehide", act);
    },
  };
}

/** A user's changes that the server does not have yet. */
interface Unsent {
  parts: Partial<Preferences>;
  /** Parts set before the server's were loaded: they are merged into them. */
  early: Set<PreferencePart>;
}

/** ms within which changes are sent together. */
const sendDelay = 500;
/** Key in the tab's session storage, so that a reload loses nothing. */
const storageKey = "countinghouse.preferences";
const defaults = Preferences.parse({});
const partNames = Object.keys(defaults) as PreferencePart[]; // Object.keys widens them

export type PreferencesKeeper = ReturnType<typeof createPreferences>;

/** The user's preferences: a change holds at once and is sent a moment later. */
export function createPreferences(
  call: () => Call,
  session: Pick<Session, "store">,
  link: Pick<Link, "store">,
  tab: TabStorage,
  page: LeavingPage,
) {
  const store = createStore<PreferencesState>(() => ({ preferences: defaults, loaded: false, saveState: "saved" }));
  const unsentByUser = new Map<string, Unsent>();
  let user: string | null = null;
  let unsent: Unsent = { parts: {}, early: new Set() };
  /** The server's values; null until loaded. */
  let stored: Preferences | null = null;
  let refused: Partial<Preferences> = {};
  let failed = false;
  let timer: ReturnType<typeof setTimeout> | null = null;
  let syncing: Promise<void> | null = null;
  let repeat = false;

  const isWaiting = () => Object.keys(unsent.parts).length > 0;

  function publish(): void {
    const saveState = isWaiting() ? (failed ? "failed" : "waiting") : Object.keys(refused).length > 0 ? "refused" : "saved";
    store.setState({ preferences: { ...(stored ?? defaults), ...refused, ...unsent.parts }, loaded: stored !== null, saveState });
  }

  /** Stores the current user's changes in the tab. */
  function remember(): void {
    try {
      if (user !== null && isWaiting()) tab.setItem(storageKey, JSON.stringify({ user, parts: unsent.parts, early: [...unsent.early] }));
      else tab.removeItem(storageKey);
    } catch {
      // storage is full or forbidden: the page still holds the changes
    }
  }

  function take(data: Preferences): void {
    stored = data;
    for (const part of unsent.early) if (unsent.parts[part] !== undefined) join(part, data, unsent.parts);
    unsent.early.clear();
  }

  /** Loads what is not loaded, then sends what is waiting; never two rounds at a time. */
  function sync(): Promise<void> {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    repeat = syncing !== null;
    if (syncing) return syncing;
    const own = syncOnce(unsent).finally(() => {
      if (syncing === own) syncing = null;
    });
    syncing = own;
    return own;
  }

  async function syncOnce(own: Unsent): Promise<void> {
    failed = false;
    publish();
    try {
      if (stored === null) {
        const { data } = await call()(preferenceRoutes.readPreferences, {}, { background: true });
        if (own !== unsent) return; // another user has signed in
        take(data);
      }
      repeat = true;
      while (repeat && isWaiting()) {
        repeat = false;
        await send(own);
        if (own !== unsent) return;
        publish();
      }
    } catch (failure) {
      if (!(failure instanceof CallFailure)) throw failure;
      if (own !== unsent) return;
      failed = true;
    }
    publish();
    remember();
  }

  /** Sends what is waiting; parts changed meanwhile stay waiting. */
  async function send(own: Unsent): Promise<void> {
    const sent = { ...own.parts };
    const settled = (parts: readonly PreferencePart[]) => {
      for (const part of parts) if (own.parts[part] === sent[part]) delete own.parts[part];
    };
    try {
      const { data } = await call()(preferenceRoutes.updatePreferences, { body: sent }, { background: true });
      settled(partNames.filter((part) => part in sent));
      if (own === unsent) take(data);
    } catch (failure) {
      if (!(failure instanceof CallFailure) || ![400, 413, 422].includes(failure.status)) throw failure;
      // these parts are dropped, because sent again they would be refused again, and all others with them
      const named = Object.keys(failure.data ?? {}).map((field) => field.split(".")[0]);
      const all = partNames.filter((part) => part in sent);
      const bad = all.some((part) => named.includes(part)) ? all.filter((part) => named.includes(part)) : all;
      if (own === unsent) for (const part of bad) if (own.parts[part] === sent[part]) put(refused, sent, part);
      settled(bad);
      repeat = true;
    }
    if (own === unsent) remember();
  }

  function restore(id: string): Unsent {
    const known = unsentByUser.get(id);
    if (known) return known;
    const fresh: Unsent = { parts: {}, early: new Set() };
    unsentByUser.set(id, fresh);
    try {
      const read: unknown = JSON.parse(tab.getItem(storageKey) ?? "null");
      const { user: whose, parts, early } = (read ?? {}) as { user?: unknown; parts?: object; early?: unknown[] }; // each part is checked below
      if (whose !== id) return fresh;
      for (const part of partNames) {
        if (!Object.hasOwn(parts ?? {}, part)) continue;
        const value = Preferences.shape[part].safeParse(Reflect.get(parts ?? {}, part));
        if (!value.success) continue;
        Object.assign(fresh.parts, { [part]: value.data });
        if (early?.includes(part)) fresh.early.add(part);
      }
    } catch {
      // not ours, or of another release
    }
    return fresh;
  }

  function follow(id: string | null): void {
    if (id === user) return;
    user = id;
    if (timer !== null) clearTimeout(timer);
    [timer, syncing, repeat, stored, refused, failed] = [null, null, false, null, {}, false];
    unsent = id === null ? { parts: {}, early: new Set() } : restore(id);
    publish();
    if (id !== null) void sync();
  }

  const flush = (): Promise<void> => (user !== null && isWaiting() ? sync() : Promise.resolve());

  const endings = [
    session.store.subscribe(({ at }) => follow(at?.user.uuid ?? null)),
    link.store.subscribe((now, past) => {
      if (now.online && !past.online && user !== null && (stored === null || isWaiting())) void sync();
    }),
    page.onHide(() => void flush()),
  ];
  follow(session.store.getState().at?.user.uuid ?? null);

  return {
    store,
    /**
     * Holds at once, and is sent with all other changes of the next half second. Each part replaces the old one whole. Ignored
     * while signed out.
     */
    set(parts: Partial<Preferences>): void {
      if (user === null) return;
      for (const part of partNames) {
        if (parts[part] === undefined) continue;
        if (stored === null && !(part in unsent.parts)) unsent.early.add(part);
        put(unsent.parts, parts, part);
        delete refused[part];
      }
      publish();
      remember();
      if (timer !== null) clearTimeout(timer);
      timer = setTimeout(() => void sync(), sendDelay);
    },
    /** Sends at once what is waiting; settles when it is saved or has failed. */
    flush,
    stop(): void {
      if (timer !== null) clearTimeout(timer);
      for (const end of endings) end();
    },
  };
}

function put<P extends PreferencePart>(to: Partial<Preferences>, from: Partial<Preferences>, part: P): void {
  to[part] = from[part];
}

/** Merges a part that was set before the server's was loaded into the server's. */
function join(part: PreferencePart, from: Preferences, to: Partial<Preferences>): void {
  if (part === "keys") to.keys = { ...from.keys, ...to.keys };
  else if (part === "panes") to.panes = { ...from.panes, ...to.panes };
  else if (part === "coach" && to.coach) {
    to.coach = { on: to.coach.on, learnt: [...new Set([...from.coach.learnt, ...to.coach.learnt])].slice(-500) };
  } else if (part === "key_chips" && to.key_chips) {
    to.key_chips = { ...to.key_chips, presses: { ...from.key_chips.presses, ...to.key_chips.presses } };
  } else if (part === "palette" && to.palette) {
    const { commands, records } = joinUsed(from.palette, to.palette, Date.now());
    to.palette = { commands: [...commands], records: [...records] };
  }
}
