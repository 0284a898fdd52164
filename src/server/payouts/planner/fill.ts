import type { Money } from "../../../values/money.ts";
import type { Draft } from "./draft.ts";
import { nth, signOf } from "./problem.ts";
import type { Problem } from "./problem.ts";

/** Payouts that are not pinned, the largest first; equal ones the oldest first. */
export const byAmount = ({ payouts }: Problem): number[] =>
  [...payouts.keys()]
    .filter((at) => !nth(payouts, at).pinned)
    .toSorted((a, b) => signOf(nth(payouts, b).amount - nth(payouts, a).amount) || a - b);

/** Puts pinned payouts on their accounts, the oldest first. */
export function fillPinned(draft: Draft): void {
  for (const [at, { pinned, options }] of draft.problem.payouts.entries()) {
    const [option] = options;
    if (pinned && option && draft.fits(at, option)) draft.put(at, option);
  }
}

/**
 * Fills account after account with what of `order` fits: first those that are used anyway, because a payout has no other option, then the
 * one that can take most of what is left.
 */
export function fill(draft: Draft, order: readonly number[]): void {
  const { payouts, rooms } = draft.problem;
  for (const at of order) {
    const { options } = nth(payouts, at);
    const [only] = options;
    if (only && options.length === 1 && draft.fits(at, only)) draft.put(at, only);
  }
  let rest = order.filter((at) => draft.chosen(at) === null && nth(payouts, at).options.length > 0);
  const wanted = wantedOf(draft, rest);
  const closed = new Set(rooms.keys());
  while (rest.length > 0) {
    const account = nextAccount(draft, closed, wanted);
    if (account === null) return;
    closed.delete(account);
    rest = rest.filter((at) => {
      const option = draft.way(at, account);
      if (!option || !draft.fits(at, option)) return true;
      draft.put(at, option);
      for (const other of nth(payouts, at).options) wanted[other.account] = nth(wanted, other.account) - nth(payouts, at).amount;
      return false;
    });
  }
}

/** The sum of what each account could take, were there room. */
function wantedOf({ problem: { payouts, rooms } }: Draft, rest: readonly number[]): Money[] {
  const wanted = rooms.map(() => 0n);
  for (const at of rest) {
    const { amount, options } = nth(payouts, at);
    for (const { account } of options) wanted[account] = nth(wanted, account) + amount;
  }
  return wanted;
}

/** The account that would take most, used ones before others; null: no account can take any. */
function nextAccount(draft: Draft, closed: ReadonlySet<number>, wanted: readonly Money[]): number | null {
  let best: number | null = null;
  let [most, used] = [0n, false];
  for (const account of closed) {
    const takes = least(nth(wanted, account), draft.moneyLeft(account), draft.turnoverLeft(account));
    const isUsed = draft.isUsed(account);
    if (takes <= 0n || (used && !isUsed) || (used === isUsed && takes <= most)) continue;
    [best, most, used] = [account, takes, isUsed];
  }
  return best;
}

const least = (a: Money, b: Money, c: Money | null): Money => {
  const two = a < b ? a : b;
  return c !== null && c < two ? c : two;
};
