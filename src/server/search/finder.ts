import type { Found } from "../../contract/search.ts";
import type { StaffCall } from "../call.ts";
import type { Scoped } from "../db/scope.ts";
import type { Ranked } from "./named.ts";
import type { Matches } from "./transactions.ts";
import type { Typed } from "./typed.ts";

export interface SearchScope extends Pick<StaffCall, "tenant" | "currency" | "currencyFacts"> {
  /** What deposits and withdrawals match by, read once for both, and not at all when neither is searched. */
  readonly matches: () => Promise<Matches>;
}

/** A record found, and its rank: lower is better (transactions.ts). */
export interface Hit {
  readonly found: Found;
  readonly rank: number;
}

/** Finds records of one kind. */
export type Finder = (db: Scoped, scope: SearchScope, typed: Typed) => Promise<Hit[]>;

/** Most hits of each kind; each of several ids gets a place. */
export const mostOf = ({ ids }: Typed): number => Math.max(12, ids.length);

/** What is told of a record that has nothing else to tell. */
export const bare = { params: {}, note: "", merchant: null, created_at: null, amount: null, currency: "", status: null } as const;

/** Rows that were read by their ids, in the order of their ranks. */
export const inOrder = <R extends { readonly id: string }>(
  ranks: readonly Ranked[],
  rows: readonly R[],
  foundOf: (row: R) => Found,
): Hit[] =>
  ranks.flatMap(({ id, rank }) => {
    const row = rows.find((one) => one.id === id);
    return row ? [{ rank, found: foundOf(row) }] : [];
  });
export const idsOf = (ranks: readonly Ranked[]): string[] => ranks.map(({ id }) => id);
