import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Draft } from "../../../src/server/payouts/planner/draft.ts";
import { byAmount, fillPinned } from "../../../src/server/payouts/planner/fill.ts";
import { goodPlan, spread } from "../../../src/server/payouts/planner/planner.ts";
import { nth } from "../../../src/server/payouts/planner/problem.ts";
import type { Option, Payout, Prefer, Problem, Room } from "../../../src/server/payouts/planner/problem.ts";
import { isWithin, plantedProblem, smallProblem, solve, worthOf } from "../../support/payout-problems.ts";

const either: readonly Prefer[] = ["number", "sum"];
const small = smallProblem({ payouts: 6, rooms: 4 });
const medium = smallProblem({ payouts: 40, rooms: 6 });

/** Some of the payouts pinned to one of their accounts. */
const pinnedProblem: fc.Arbitrary<Problem> = fc
  .tuple(medium, fc.array(fc.nat(3), { minLength: 40, maxLength: 40 }))
  .map(([problem, pins]) => ({
    ...problem,
    payouts: problem.payouts.map((payout, at) => {
      const option = pins[at] === 0 ? payout.options.at(-1) : undefined;
      return option ? { ...payout, pinned: true, options: [option] } : payout;
    }),
  }));

const room = (money: bigint, more: Partial<Room> = {}): Room => ({ money, turnover: null, count: null, ...more });
const option = (account: number, amount: bigint, more: Partial<Option> = {}): Option => {
  const charges = more.charges ?? 0n;
  return { account, charges, moved: amount + charges, extra: 0n, near: false, ...more };
};
const payout = (amount: bigint, accounts: readonly number[], more: Partial<Payout> = {}): Payout => ({
  amount,
  purse: 0,
  pinned: false,
  options: accounts.map((account) => option(account, amount)),
  ...more,
});
const accountsOf = (plan: readonly (Option | null)[]) => plan.map((one) => one?.account ?? null);
const planned = (rooms: readonly Room[], payouts: readonly Payout[], prefer: Prefer = "number", purses: readonly bigint[] = [0n]) =>
  accountsOf(spread({ payouts, rooms, purses }, prefer));

/** The good plan alone, without the search through all plans of a few payouts. */
function goodOnly(problem: Problem, prefer: Prefer) {
  const pinned = new Draft(problem);
  fillPinned(pinned);
  return goodPlan(pinned, byAmount(problem), prefer).options;
}

describe.each(either)("the most %s first", (prefer) => {
  test("no plan is over a limit, whatever is asked", () => {
    fc.assert(
      fc.property(fc.oneof(small, medium, pinnedProblem), (problem) => isWithin(problem, spread(problem, prefer))),
      { numRuns: 400 },
    );
  });

  test("a few payouts get the best plan there is", () => {
    fc.assert(
      fc.property(small, (problem) => {
        expect(worthOf(problem, spread(problem, prefer))).toEqual(solve(problem, prefer));
      }),
      { numRuns: 150 },
    );
  });

  test("without that search the plans fill within 2 % of the best", () => {
    const problems = fc.sample(small, { numRuns: 400, seed: 7 });
    const made = problems.map((problem) => worthOf(problem, goodOnly(problem, prefer)));
    const best = problems.map((problem) => solve(problem, prefer));
    const number = (worths: typeof made) => worths.reduce((total, worth) => total + worth.number, 0);
    const sum = (worths: typeof made) => worths.reduce((total, worth) => total + worth.sum, 0n);
    expect(number(made)).toBeGreaterThanOrEqual(0.98 * number(best));
    expect(Number(sum(made))).toBeGreaterThanOrEqual(0.98 * Number(sum(best)));
  });

  test("what is left unpaid fits on none of its accounts beside the others", () => {
    fc.assert(
      fc.property(fc.oneof(small, medium, pinnedProblem), (problem) => {
        const plan = spread(problem, prefer);
        for (const [at, one] of plan.entries())
          for (const way of one === null ? nth(problem.payouts, at).options : []) expect(isWithin(problem, plan.with(at, way))).toBe(false);
      }),
      { numRuns: 300 },
    );
  });

  test.each([0.05, 0.3, 1])("1,000 payouts over 60 accounts that hold exactly them, each open to %d of the accounts", (share) => {
    const problem = plantedProblem({ payouts: 1_000, rooms: 60, share, seed: 11 });
    const plan = spread(problem, prefer);
    const all = problem.payouts.reduce((total, { amount }) => total + amount, 0n);
    const { number, sum } = worthOf(problem, plan);
    expect(isWithin(problem, plan)).toBe(true);
    expect(prefer === "number" ? number / 1_000 : Number(sum) / Number(all)).toBeGreaterThanOrEqual(0.98);
  });

  test("the same problem has the same plan", () => {
    const problem = plantedProblem({ payouts: 200, rooms: 12, share: 0.3, seed: 3 });
    expect(spread(structuredClone(problem), prefer)).toEqual(spread(problem, prefer));
  });
});

test("few accounts pay: of twenty with room, no more than the largest that hold it all", () => {
  const rooms = Array.from({ length: 20 }, (_, at) => room(at % 4 === 0 ? 1_000n : 100n));
  const payouts = Array.from({ length: 90 }, (_, at) => payout(BigInt(20 + (at % 7)), [...rooms.keys()]));
  const plan = planned(rooms, payouts);
  const sum = payouts.reduce((total, { amount }) => total + amount, 0n);
  expect(plan).not.toContain(null);
  expect(new Set(plan).size).toBe(Math.ceil(Number(sum) / 1_000));
});

/** More than are searched through: the others can be paid from nowhere. */
const among = (payouts: readonly Payout[]) => [...payouts, ...Array.from({ length: 20 }, () => payout(1n, []))];

test("of many, too, an account closes when the others can take what it pays", () => {
  // by size alone the first account is opened, though the other two hold it all; the last is too small for any
  const rooms = [room(70n), room(60n), room(60n), room(24n)];
  const payouts = [payout(35n, [0, 1]), payout(35n, [0, 2]), payout(25n, [1, 3]), payout(25n, [2, 3])];
  expect(planned(rooms, among(payouts)).slice(0, 4)).toEqual([1, 2, 1, 2]);
});

test("of many, too, the cheaper of the used accounts pays, then the one at the payee's bank", () => {
  const rooms = [room(100n), room(100n)];
  const both = [payout(10n, [0]), payout(10n, [1])];
  const ways = (...more: Partial<Option>[]) => payout(20n, [], { options: more.map((one, at) => option(at, 20n, one)) });
  expect(planned(rooms, among([...both, ways({ charges: 2n }, { charges: 1n })]))[2]).toBe(1);
  expect(planned(rooms, among([...both, ways({}, { near: true })]))[2]).toBe(1);
  expect(planned(rooms, among([...both, ways({}, {})]))[2]).toBe(0);
});

test("where not everything fits, the number or the sum is filled first, as asked", () => {
  const payouts = [payout(100n, [0]), payout(40n, [0]), payout(50n, [0])];
  expect(planned([room(100n)], payouts, "number")).toEqual([null, 0, 0]);
  expect(planned([room(100n)], payouts, "sum")).toEqual([0, null, null]);
});

test("a pinned payout is paid from its account before any other, or not at all", () => {
  const rooms = [room(100n), room(100n)];
  const pinned = { pinned: true, options: [option(1, 80n)] };
  expect(planned(rooms, [payout(90n, [1]), payout(80n, [], pinned)], "sum")).toEqual([null, 1]);
  expect(planned([room(100n), room(70n)], [payout(80n, [], pinned)])).toEqual([null]);
});

test("of two pinned to an account that holds one, the older is paid", () => {
  const pinned = { pinned: true, options: [option(0, 60n)] };
  expect(planned([room(100n)], [payout(60n, [], pinned), payout(60n, [], pinned)])).toEqual([0, null]);
});

test.each<[what: string, rooms: Room[]]>([
  ["money", [room(119n), room(0n)]],
  ["turnover", [room(1_000n, { turnover: 119n }), room(0n)]],
  ["number", [room(1_000n, { count: 1 }), room(0n)]],
])("two of 60 do not fit where the %s is for one", (_, rooms) => {
  expect(planned(rooms, [payout(60n, [0, 1]), payout(60n, [0, 1])])).toEqual(expect.arrayContaining([0, null]));
});

test("charges count against the money, not against the turnover", () => {
  const charged = payout(60n, [], { options: [option(0, 60n, { charges: 1n })] });
  expect(planned([room(61n, { turnover: 60n })], [charged])).toEqual([0]);
  expect(planned([room(60n)], [charged])).toEqual([null]);
});

test("what a merchant's purse must add is spent once", () => {
  const dear = payout(10n, [], { options: [option(0, 10n, { extra: 2n })] });
  expect(planned([room(100n)], [dear, dear], "number", [3n])).toEqual(expect.arrayContaining([0, null]));
  expect(planned([room(100n)], [dear, { ...dear, purse: 1 }], "number", [3n, 2n])).toEqual([0, 0]);
});

test("of accounts that pay as much, the cheaper is taken, then the payee's bank, then the more preferred", () => {
  const rooms = [room(100n), room(100n), room(100n)];
  const ways = (...more: Partial<Option>[]) => [payout(10n, [], { options: more.map((one, at) => option(at, 10n, one)) })];
  expect(planned(rooms, ways({ charges: 2n }, { charges: 1n, near: false }, { charges: 2n, near: true }))).toEqual([1]);
  expect(planned(rooms, ways({}, {}, { near: true }))).toEqual([2]);
  expect(planned(rooms, ways({}, {}, {}))).toEqual([0]);
});
