/** Where to go in a list: its first page, its last, or the first row at or after a time (`values/moments.ts`). */
export type Jump = "first" | "last" | { readonly at: string };

/** Loads rows for a source that holds only a part of its list. */
export interface RowFeed {
  /** Loads the page before the first loaded row. */
  before(): void;
  /** Loads the page after the last loaded row; a promise ends when it has come. */
  after(): void | Promise<void>;
  /** Jumps there; a jump to a time waits until the list is sorted by time. */
  jump(to: Jump): void;
  /** What jumps to a time need: "ready", the column to sort by first, or null where the list has no order by time. */
  timeOrder(): "ready" | { readonly sortBy: string } | null;
}
