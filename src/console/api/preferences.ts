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
  /** The server's, with what was set here on top; the defaults until they came. */
  readonly preferences: Preferences;
  readonly loaded: boolean;
  /**
   * saved · waiting: about to be sent · failed: kept, and sent at the next change or when the line returns · refused: the
   * server does not take it, so that it holds in this page only.
   */
  readonly keeping: "saved" | "waiting" | "failed" | "refused";
}

interface LeavingPage {
  /** The page goes, for good or into the browser's cache. */
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

/** What one user has set and the server has not. */
interface Unsent {
  parts: Partial<Preferences>;
  /** Parts set before the server's were known: they add to them. */
  early: Set<PreferencePart>;
}

/** Changes within it go together, in ms. */
const gathering = 500;
/** In the tab's storage, so that a reload loses nothing. */
const kept = "countinghouse.preferences";
const defaults = Preferences.parse({});
const partNames = Object.keys(defaults) as PreferencePart[]; // Object.keys widens them

export type PreferencesKeeper = ReturnType<typeof createPreferences>;

/** The preferences of who is signed in: what is set holds at once, and is sent a moment later. */
export function createPreferences(
  call: () => Call,
  session: Pick<Session, "store">,
  link: Pick<Link, "store">,
  tab: TabStorage,
  page: LeavingPage,
) {
  const store = createStore<PreferencesState>(() => ({ preferences: defaults, loaded: false, keeping: "saved" }));
  const everybody = new Map<string, Unsent>();
  let user: string | null = null;
  let unsent: Unsent = { parts: {}, early: new Set() };
  /** What the server holds; null until it said. */
  let held: Preferences | null = null;
  let refused: Partial<Preferences> = {};
  let failed = false;
  let timer: ReturnType<typeof setTimeout> | null = null;
  let working: Promise<void> | null = null;
  let again = false;

  const isWaiting = () => Object.keys(unsent.parts).length > 0;

  function publish(): void {
    const keeping = isWaiting() ? (failed ? "failed" : "waiting") : Object.keys(refused).length > 0 ? "refused" : "saved";
    store.setState({ preferences: { ...(held ?? defaults), ...refused, ...unsent.parts }, loaded: held !== null, keeping });
  }

  /** What the tab keeps is the current user's. */
  function remember(): void {
    try {
      if (user !== null && isWaiting()) tab.setItem(kept, JSON.stringify({ user, parts: unsent.parts, early: [...unsent.early] }));
      else tab.removeItem(kept);
    } catch {
      // a full or forbidden storage: the page itself still has it
    }
  }

  function take(data: Preferences): void {
    held = data;
    for (const part of unsent.early) if (unsent.parts[part] !== undefined) join(part, data, unsent.parts);
    unsent.early.clear();
  }

  /** Loads what is not loaded, then sends what waits; one round at a time. */
  function work(): Promise<void> {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    again = working !== null;
    if (working) return working;
    const mine = round(unsent).finally(() => {
      if (working === mine) working = null;
    });
    working = mine;
    return mine;
  }

  async function round(mine: Unsent): Promise<void> {
    failed = false;
    publish();
    try {
      if (held === null) {
        const { data } = await call()(preferenceRoutes.readPreferences, {}, { background: true });
        if (mine !== unsent) return; // somebody else is signed in
        take(data);
      }
      again = true;
      while (again && isWaiting()) {
        again = false;
        await send(mine);
        if (mine !== unsent) return;
        publish();
      }
    } catch (failure) {
      if (!(failure instanceof CallFailure)) throw failure;
      if (mine !== unsent) return;
      failed = true;
    }
    publish();
    remember();
  }

  /** Sends what waits now; what was set anew meanwhile stays waiting. */
  async function send(mine: Unsent): Promise<void> {
    const sent = { ...mine.parts };
    const settled = (parts: readonly PreferencePart[]) => {
      for (const part of parts) if (mine.parts[part] === sent[part]) delete mine.parts[part];
    };
    try {
      const { data } = await call()(preferenceRoutes.updatePreferences, { body: sent }, { background: true });
      settled(partNames.filter((part) => part in sent));
      if (mine === unsent) take(data);
    } catch (failure) {
      if (!(failure instanceof CallFailure) || ![400, 413, 422].includes(failure.status)) throw failure;
      // sent again it would be refused again, and all that goes with it
      const named = Object.keys(failure.data ?? {}).map((field) => field.split(".")[0]);
      const all = partNames.filter((part) => part in sent);
      const bad = all.some((part) => named.includes(part)) ? all.filter((part) => named.includes(part)) : all;
      if (mine === unsent) for (const part of bad) if (mine.parts[part] === sent[part]) put(refused, sent, part);
      settled(bad);
      again = true;
    }
    if (mine === unsent) remember();
  }

  function restore(id: string): Unsent {
    const known = everybody.get(id);
    if (known) return known;
    const fresh: Unsent = { parts: {}, early: new Set() };
    everybody.set(id, fresh);
    try {
      const read: unknown = JSON.parse(tab.getItem(kept) ?? "null");
      const { user: whose, parts, early } = (read ?? {}) as { user?: unknown; parts?: object; early?: unknown[] }; // each is looked at
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
    [timer, working, again, held, refused, failed] = [null, null, false, null, {}, false];
    unsent = id === null ? { parts: {}, early: new Set() } : restore(id);
    publish();
    if (id !== null) void work();
  }

  const flush = (): Promise<void> => (user !== null && isWaiting() ? work() : Promise.resolve());

  const endings = [
    session.store.subscribe(({ at }) => follow(at?.user.uuid ?? null)),
    link.store.subscribe((now, past) => {
      if (now.online && !past.online && user !== null && (held === null || isWaiting())) void work();
    }),
    page.onHide(() => void flush()),
  ];
  follow(session.store.getState().at?.user.uuid ?? null);

  return {
    store,
    /** Holds at once; sent with whatever else is set within half a second. Each part is given whole. Nothing while signed out. */
    set(parts: Partial<Preferences>): void {
      if (user === null) return;
      for (const part of partNames) {
        if (parts[part] === undefined) continue;
        if (held === null && !(part in unsent.parts)) unsent.early.add(part);
        put(unsent.parts, parts, part);
        delete refused[part];
      }
      publish();
      remember();
      if (timer !== null) clearTimeout(timer);
      timer = setTimeout(() => void work(), gathering);
    },
    /** Sends what waits without waiting longer; settles when it is saved, or has failed. */
    flush,
    stop(): void {
      if (timer !== null) clearTimeout(timer);
      for (const end of endings) end();
    },
  };
}

/** Copies one part. */
function put<P extends PreferencePart>(to: Partial<Preferences>, from: Partial<Preferences>, part: P): void {
  to[part] = from[part];
}

/** Lays a part that was set before the server's was known over the server's. */
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
