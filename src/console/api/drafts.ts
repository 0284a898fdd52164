import { z } from "zod";
import type { TabStorage } from "./selection.ts";
import type { Session } from "./session.ts";

/** In the tab's storage, so that a reload loses nothing. */
const key = "countinghouse.drafts";

const Kept = z.object({ tenant: z.string(), user: z.string(), of: z.record(z.string(), z.unknown()) });
type Kept = z.infer<typeof Kept>;

/** Who has typed it, and for which tenant. */
export interface Owner {
  readonly tenant: string;
  readonly user: string;
}

/** One form's place among what is kept. */
export interface DraftPlace {
  /** As it was kept, by whatever release kept it; null: nothing. */
  read(): unknown;
  /** null: nothing is left to keep. */
  keep(value: object | null): void;
}

/**
 * What is typed and not saved, kept in the tab over a reload: of one person in one tenant, and dropped when they sign out or
 * another tenant or person comes. A session ended elsewhere drops nothing, because whoever typed it will sign in again.
 * Secrets have no place here.
 */
export function createDrafts(session: Pick<Session, "store">, tab: TabStorage) {
  const listeners = new Set<() => void>();

  function readKept(): Kept | null {
    try {
      return Kept.safeParse(JSON.parse(tab.getItem(key) ?? "null")).data ?? null;
    } catch {
      return null; // not ours
    }
  }

  function writeKept(kept: Kept): void {
    try {
      if (Object.keys(kept.of).length === 0) tab.removeItem(key);
      else tab.setItem(key, JSON.stringify(kept));
    } catch {
      // a full or forbidden storage: the page itself still has it
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
    // of whoever was here last, until somebody signs in
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
          // a form of before the switch may still be at work
          const now = present();
          if (now === null || !isOf(owner, now)) return;
          const kept = readKept();
          const { [name]: _, ...others } = kept !== null && isOf(owner, kept) ? kept.of : {};
          writeKept({ ...owner, of: value === null ? others : { ...others, [name]: value } });
        },
      };
    },
    isEmpty: () => readKept() === null,
    /** What was typed is nobody's any more. */
    onDrop(listener: () => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
