import { z } from "zod";
import type { TabStorage } from "./selection.ts";
import type { Session } from "./session.ts";

/** Key in the tab's session storage, so that a reload loses nothing. */
const key = "countinghouse.drafts";

const Kept = z.object({ tenant: z.string(), user: z.string(), of: z.record(z.string(), z.unknown()) });
type Kept = z.infer<typeof Kept>;

/** The user and tenant a draft belongs to. */
export interface Owner {
  readonly tenant: string;
  readonly user: string;
}

/** Storage of one form's draft. */
export interface DraftPlace {
  /** The stored value, possibly from an older release; null where there is none. */
  read(): unknown;
  /** null removes the draft. */
  keep(value: object | null): void;
}

/**
 * Unsaved input, kept in the tab over a reload. It belongs to one user in one tenant, and is dropped when they sign out or
 * another tenant or user takes the tab. A session ended elsewhere drops nothing, because the user will sign in again. Secrets are
 * never stored.
 */
export function createDrafts(session: Pick<Session, "store">, tab: TabStorage) {
  const listeners = new Set<() => void>();

  function readKept(): Kept | null {
    try {
      return Kept.safeParse(JSON.parse(tab.getItem(key) ?? "null")).data ?? null;
    } catch {
      return null; // not JSON of ours
    }
  }

  function writeKept(kept: Kept): void {
    try {
      if (Object.keys(kept.of).length === 0) tab.removeItem(key);
      else tab.setItem(key, JSON.stringify(kept));
    } catch {
      // storage is full or forbidden: the page still holds the input
    }
  }

  function drop(): void {
    tab.removeItem(key);
    for (const listener of listeners) listener();
  }

  const isOf = (owner: Owner, kept: Owner | null): boolean => kept?.tenant === owner.tenant && kept.user === owner.user;

  function present(): Owner | null {
    const { at } = session.store.getState();
    return at && { tenant: at.tenant.id, user: at.user.uuid };
  }

  let last = present();
  session.store.subscribe(({ at, ended }, before) => {
    const now = present();
    const kept = readKept();
    const isAnotherOwner = now !== null && [last, kept].some((owner) => owner !== null && !isOf(now, owner));
    const hasSignedOut = at === null && before.at !== null && ended === null;
    // the last user, until somebody signs in
    last = hasSignedOut ? null : (now ?? last);
    if (isAnotherOwner || hasSignedOut) drop();
  });

  return {
    of(owner: Owner, name: string): DraftPlace {
      return {
        read() {
          const kept = readKept();
          return kept !== null && isOf(owner, kept) ? (kept.of[name] ?? null) : null;
        },
        keep(value) {
          // a form from before the switch may still be running
          const now = present();
          if (now === null || !isOf(owner, now)) return;
          const kept = readKept();
          const { [name]: _, ...others } = kept !== null && isOf(owner, kept) ? kept.of : {};
          writeKept({ ...owner, of: value === null ? others : { ...others, [name]: value } });
        },
      };
    },
    isEmpty: () => readKept() === null,
    /** Called when the drafts are dropped. */
    onDrop(listener: () => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
