import type { Money } from "../../../values/money.ts";
import type { Draft } from "./draft.ts";
import { compareWorth, nth } from "./problem.ts";
import type { Prefer, Worth } from "./problem.ts";

/** Most payouts that are searched through; a plan of more has too many ways. */
export const fewPayouts = 14;
/** Most steps of a search, so that it ends in time. */
const mostSteps = 60_000;

/**
 * The best plan of a few payouts, found by trying all that can still be better than the best so far. `draft` has the pinned ones only, and
 * `known` is the plan to beat.
 */
export function searchFew(draft: Draft, order: readonly number[], known: Draft, prefer: Prefer): Draft {
  const { payouts } = draft.problem;
  let best = known;
  let worth = known.worth();
  let steps = 0;
  // what the payouts from a place in the order on come to
  const rest: Money[] = [...order, 0].map((_, from) => order.slice(from).reduce((sum, at) => sum + nth(payouts, at).amount, 0n));

  function step(from: number): void {
    if (++steps > mostSteps) return;
    const so = draft.worth();
    if (compareWorth(mostOf(so, from), worth, prefer) <= 0) return;
    if (from === order.length) {
      [best, worth] = [draft.copy(), so];
      return;
    }
    const at = nth(order, from);
    for (const option of nth(payouts, at).options) {
      if (!draft.fits(at, option)) continue;
      draft.put(at, option);
      step(from + 1);
      draft.take(at);
    }
    step(from + 1);
  }

  /** No plan that goes on from here is better than this. */
  function mostOf(so: Worth, from: number): Worth {
    const left = order.length - from;
    return { ...so, number: so.number + left, sum: so.sum + nth(rest, from), near: so.near + left };
  }

  step(0);
  return best;
}
