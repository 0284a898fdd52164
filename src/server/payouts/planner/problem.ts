import type { Money } from "../../../values/money.ts";

/** An account that could pay a withdrawal if that were the only one. */
export interface Option {
  /** Its place among the rooms. */
  readonly account: number;
  readonly charges: Money;
  /** The amount with its charges. */
  readonly moved: Money;
  /** What the merchant's purse must add to what is held for the withdrawal. */
  readonly extra: Money;
  /** At the payee's bank. */
  readonly near: boolean;
}

export interface Payout {
  readonly amount: Money;
  /** The merchant's place among the purses. */
  readonly purse: number;
  /** The operator chose its account: it is its only option, and goes before all others. */
  readonly pinned: boolean;
  /** In the order of the rooms. */
  readonly options: readonly Option[];
}

/** What one account has left. */
export interface Room {
  /** For amounts with their charges: of its payable balance, its day and its month, the least. */
  readonly money: Money;
  /** For amounts, and for their number, in its rate limit's window; null: no limit. */
  readonly turnover: Money | null;
  readonly count: number | null;
}

export interface Problem {
  /** The oldest first. */
  readonly payouts: readonly Payout[];
  /** In order of preference. */
  readonly rooms: readonly Room[];
  /** What each merchant's wallet has for charges above what is held. */
  readonly purses: readonly Money[];
}

/** What is filled first where not everything can be. */
export type Prefer = "number" | "sum";

/** How good a plan is. */
export interface Worth {
  readonly number: number;
  readonly sum: Money;
  readonly accounts: number;
  readonly charges: Money;
  /** Paid at the payee's bank. */
  readonly near: number;
  /** The places of the accounts, added: less is more preferred. */
  readonly places: number;
}

/** Above zero when `a` is the better plan: the fuller, then the one of fewer accounts, then the cheaper. */
export function compareWorth(a: Worth, b: Worth, prefer: Prefer): number {
  const [byNumber, bySum] = [a.number - b.number, signOf(a.sum - b.sum)];
  return (
    (prefer === "number" ? byNumber || bySum : bySum || byNumber) ||
    b.accounts - a.accounts ||
    signOf(b.charges - a.charges) ||
    a.near - b.near ||
    b.places - a.places
  );
}

export const signOf = (amount: Money): number => (amount > 0n ? 1 : amount < 0n ? -1 : 0);

/** The element at an index that the list is known to have. */
export const nth = <T>(list: readonly T[], at: number): T => list[at] as T; // indexes are the problem's own
