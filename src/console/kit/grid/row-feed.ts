/** Where in the list to go: its first page, its last, or the first row at or past a time, as `values/moments.ts` reads it. */
export type Jump = "first" | "last" | { readonly at: string };

/** Whoever brings the rows of a source that holds only a part of them. */
export interface RowFeed {
  /** The page before the first row held. */
  before(): void;
  /** The page after the last row held. */
  after(): void;
  /** A jump to a time in a list of another order waits until the list is in time's. */
  jump(to: Jump): void;
  /** What jumps to a time need: "ready", the column to sort by first, or null where the list knows no order by time. */
  timeOrder(): "ready" | { readonly sortBy: string } | null;
}
