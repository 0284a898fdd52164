import type { Draft } from "./draft.ts";
import { nth } from "./problem.ts";
import type { Option } from "./problem.ts";

/** How many tries an improvement may make, so that the largest plan is made in time; counted, because a plan must not depend on a clock. */
export interface Patience {
  tries: number;
}

const isPinned = (draft: Draft, payout: number): boolean => nth(draft.problem.payouts, payout).pinned;

/** The tightest account the payout fits on, neither `except` nor `not`. `only`: of the used ones. */
function tightest(
  draft: Draft,
  payout: number,
  only: "used" | "any",
  except: number | null = null,
  not: number | null = null,
): Option | null {
  let best: Option | null = null;
  let left = 0n;
  for (const option of nth(draft.problem.payouts, payout).options) {
    const { account, moved } = option;
    if (account === except || account === not || (only === "used" && !draft.isUsed(account)) || !draft.fits(payout, option)) continue;
    const after = draft.moneyLeft(account) - moved;
    if (best !== null && after >= left) continue;
    [best, left] = [option, after];
  }
  return best;
}

interface Placed {
  readonly payout: number;
  readonly there: Option;
}

/** The payouts of an account, but for pinned ones, of which each alone would leave the money for another there. */
function enough(draft: Draft, { account, moved }: Option): Placed[] {
  const missing = moved - draft.moneyLeft(account);
  const found: Placed[] = [];
  for (const payout of draft.paidBy(account)) {
    const there = draft.chosen(payout);
    if (there !== null && there.moved >= missing && !isPinned(draft, payout)) found.push({ payout, there });
  }
  return found;
}

/** Makes room for a payout by moving another to a third account, neither of them `not`; answers whether it was placed. */
function makeRoom(draft: Draft, payout: number, only: "used" | "any", not: number | null, patience: Patience): boolean {
  for (const option of nth(draft.problem.payouts, payout).options) {
    const { account } = option;
    if (account === not || (only === "used" && !draft.isUsed(account))) continue;
    for (const { payout: other, there } of enough(draft, option)) {
      if (--patience.tries < 0) return false;
      draft.take(other);
      if (draft.fits(payout, option)) {
        draft.put(payout, option);
        const elsewhere = tightest(draft, other, only, account, not);
        if (elsewhere !== null) {
          draft.put(other, elsewhere);
          return true;
        }
        draft.take(payout);
      }
      draft.put(other, there);
    }
  }
  return false;
}

/** Places what fits after all, on used accounts rather than others, moving one other payout where that makes room. */
export function placeRest(draft: Draft, order: readonly number[], patience: Patience): void {
  for (const at of order) {
    if (draft.chosen(at) !== null) continue;
    const option = tightest(draft, at, "used") ?? tightest(draft, at, "any");
    if (option !== null) draft.put(at, option);
    else makeRoom(draft, at, "any", null, patience);
  }
}

/** Pays a larger payout in the place of a smaller one, the smallest that makes room. */
export function swapIn(draft: Draft, order: readonly number[], patience: Patience): boolean {
  let better = false;
  for (const at of order) {
    if (draft.chosen(at) === null && replaceSmaller(draft, at, patience)) better = true;
  }
  return better;
}

function replaceSmaller(draft: Draft, payout: number, patience: Patience): boolean {
  const { payouts } = draft.problem;
  const { amount, options } = nth(payouts, payout);
  let best: { readonly out: number; readonly option: Option } | null = null;
  for (const option of options) {
    for (const { payout: out, there } of enough(draft, option)) {
      const one = nth(payouts, out);
      if (one.amount >= amount) continue;
      if (best !== null && one.amount >= nth(payouts, best.out).amount) continue;
      if (--patience.tries < 0) return false;
      draft.take(out);
      if (draft.fits(payout, option)) best = { out, option };
      draft.put(out, there);
    }
  }
  if (best === null) return false;
  draft.take(best.out);
  draft.put(payout, best.option);
  return true;
}

/** Empties accounts whose payouts the other used ones can take, those that pay least first. */
export function closeAccounts(draft: Draft, patience: Patience): void {
  const { rooms, payouts } = draft.problem;
  const size = (account: number) => [...draft.paidBy(account)].reduce((sum, at) => sum + nth(payouts, at).amount, 0n);
  const used = [...rooms.keys()].filter((account) => draft.isUsed(account)).map((account) => ({ account, sum: size(account) }));
  used.sort((a, b) => (a.sum < b.sum ? -1 : a.sum > b.sum ? 1 : b.account - a.account));
  for (const { account, sum } of used) {
    const left = used.reduce(
      (all, other) => (other.account !== account && draft.isUsed(other.account) ? all + draft.moneyLeft(other.account) : all),
      0n,
    );
    if (left >= sum) empty(draft, account, patience);
  }
}

function empty(draft: Draft, account: number, patience: Patience): void {
  const { payouts } = draft.problem;
  const paid = [...draft.paidBy(account)];
  if (paid.some((at) => isPinned(draft, at))) return;
  const before = [...draft.options];
  paid.sort((a, b) => (nth(payouts, a).amount < nth(payouts, b).amount ? 1 : -1));
  for (const at of paid) {
    draft.take(at);
    const option = tightest(draft, at, "used", account);
    if (option !== null) draft.put(at, option);
    else if (!makeRoom(draft, at, "used", account, patience)) return restore(draft, before);
  }
}

/** Makes every payout be paid as before. */
function restore(draft: Draft, before: readonly (Option | null)[]): void {
  const changed = [...before.entries()].filter(([at, option]) => draft.chosen(at) !== option);
  for (const [at] of changed) if (draft.chosen(at) !== null) draft.take(at);
  for (const [at, option] of changed) if (option !== null) draft.put(at, option);
}

/** Moves payouts between used accounts to where the charges are less, or are the same at the payee's bank. */
export function cheapen(draft: Draft): void {
  for (const [at, { pinned, options }] of draft.problem.payouts.entries()) {
    const here = draft.chosen(at);
    if (here === null || pinned) continue;
    draft.take(at);
    let best = here;
    for (const option of options) {
      const isBetter = option.charges < best.charges || (option.charges === best.charges && option.near && !best.near);
      if (isBetter && draft.isUsed(option.account) && draft.fits(at, option)) best = option;
    }
    draft.put(at, best);
  }
}
