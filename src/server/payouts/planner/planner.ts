import { Draft } from "./draft.ts";
import { byAmount, fill, fillPinned } from "./fill.ts";
import type { Patience } from "./improve.ts";
import { cheapen, closeAccounts, placeRest, swapIn } from "./improve.ts";
import { compareWorth, nth } from "./problem.ts";
import type { Option, Prefer, Problem } from "./problem.ts";
import { fewPayouts, searchFew } from "./search.ts";

/** Tries of each improvement of one plan. */
const tries = 8_000;
/** Most times larger payouts take the place of smaller ones. */
const mostRounds = 4;

/**
 * Spreads payouts over accounts: the option each is paid by, or null where it fits on no account beside the others. It fills as much as it
 * can, from as few accounts as it can; of a few payouts it finds the best plan there is, of many a good one. The same problem always has the
 * same answer.
 */
export function spread(problem: Problem, prefer: Prefer): readonly (Option | null)[] {
  const order = byAmount(problem);
  const pinned = new Draft(problem);
  fillPinned(pinned);
  const good = goodPlan(pinned, order, prefer);
  return (problem.payouts.length <= fewPayouts ? searchFew(pinned, order, good, prefer) : good).options;
}

/** The best of some plans: the largest payouts first, the smallest first, and the small ones that fit with the largest of them first. */
export function goodPlan(pinned: Draft, order: readonly number[], prefer: Prefer): Draft {
  const large = improved(pinned.copy(), order, order);
  if (order.every((at) => large.chosen(at) !== null || nth(large.problem.payouts, at).options.length === 0)) return large;
  const ascending = order.toReversed();
  const small = improved(pinned.copy(), ascending, order);
  const few = order.filter((at) => small.chosen(at) !== null);
  const both = improved(pinned.copy(), [...few, ...ascending.filter((at) => small.chosen(at) === null)], order);
  return [large, small, both].reduce((best, one) => (compareWorth(one.worth(), best.worth(), prefer) > 0 ? one : best));
}

/** Fills a plan in one order, and improves it: first what it places, then how many accounts it needs, then what it costs. */
function improved(draft: Draft, order: readonly number[], largestFirst: readonly number[]): Draft {
  const patience = (): Patience => ({ tries });
  fill(draft, order);
  placeRest(draft, order, patience());
  for (let round = 0; round < mostRounds && swapIn(draft, largestFirst, patience()); round++) placeRest(draft, order, patience());
  closeAccounts(draft, patience());
  placeRest(draft, order, patience());
  cheapen(draft);
  // what was saved may be enough for one more
  placeRest(draft, order, { tries: 0 });
  return draft;
}
