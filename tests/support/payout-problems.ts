import fc from "fast-check";
import { seededRandom } from "../../src/server/demo/random.ts";
import type { Option, Payout, Prefer, Problem, Room, Worth } from "../../src/server/payouts/planner/problem.ts";
import { compareWorth, nth } from "../../src/server/payouts/planner/problem.ts";

/** What a plan has of every account and purse, counted anew by the rule itself: never over the money, the turnover, the number, the purse. */
export function isWithin({ payouts, rooms, purses }: Problem, plan: readonly (Option | null)[]): boolean {
  const paid = plan.flatMap((option, at) => (option === null ? [] : [{ option, payout: nth(payouts, at) }]));
  const sum = (of: readonly bigint[]) => of.reduce((total, one) => total + one, 0n);
  return (
    paid.every(({ option, payout }) => payout.options.includes(option) && option.moved === payout.amount + option.charges) &&
    rooms.every((room, account) => {
      const here = paid.filter(({ option }) => option.account === account);
      const amount = sum(here.map(({ payout }) => payout.amount));
      return (
        (here.length === 0 || sum(here.map(({ option }) => option.moved)) <= room.money) &&
        (here.length === 0 || room.turnover === null || amount <= room.turnover) &&
        (here.length === 0 || room.count === null || here.length <= room.count)
      );
    }) &&
    purses.every((purse, owner) => sum(paid.filter(({ payout }) => payout.purse === owner).map(({ option }) => option.extra)) <= purse)
  );
}

export function worthOf({ payouts }: Problem, plan: readonly (Option | null)[]): Worth {
  const used = new Set(plan.flatMap((option) => option?.account ?? []));
  const paid = plan.flatMap((option, at) => (option === null ? [] : [{ option, amount: nth(payouts, at).amount }]));
  return {
    number: paid.length,
    sum: paid.reduce((total, { amount }) => total + amount, 0n),
    accounts: used.size,
    charges: paid.reduce((total, { option }) => total + option.charges, 0n),
    near: paid.filter(({ option }) => option.near).length,
    places: [...used].reduce((total, place) => total + place, 0),
  };
}

/** The best plan of a small problem, found by trying every one. */
export function solve(problem: Problem, prefer: Prefer): Worth {
  const { payouts } = problem;
  const plan: (Option | null)[] = payouts.map(() => null);
  let best = worthOf(problem, plan);
  const tryFrom = (at: number): void => {
    if (at === payouts.length) {
      const worth = worthOf(problem, plan);
      if (compareWorth(worth, best, prefer) > 0) best = worth;
      return;
    }
    for (const option of [null, ...nth(payouts, at).options]) {
      plan[at] = option;
      // what is over a limit stays so with more
      if (option === null || isWithin(problem, plan)) tryFrom(at + 1);
    }
    plan[at] = null;
  };
  tryFrom(0);
  return best;
}

interface Size {
  readonly payouts: number;
  readonly rooms: number;
}

/** Small problems where often not everything fits: every kind of limit, charges, purses, and accounts some payouts cannot use. */
export const smallProblem = ({ payouts: most, rooms: mostRooms }: Size): fc.Arbitrary<Problem> =>
  fc.integer({ min: 1, max: mostRooms }).chain((rooms) =>
    fc.record({
      rooms: fc.array(roomOf, { minLength: rooms, maxLength: rooms }),
      purses: fc.array(fc.bigInt({ min: 0n, max: 6n }), { minLength: 2, maxLength: 2 }),
      payouts: fc.array(payoutOf(rooms), { minLength: 1, maxLength: most }),
    }),
  );

const roomOf: fc.Arbitrary<Room> = fc.record({
  money: fc.bigInt({ min: -5n, max: 60n }),
  turnover: fc.option(fc.bigInt({ min: 0n, max: 50n }), { freq: 4 }),
  count: fc.option(fc.integer({ min: 0, max: 4 }), { freq: 4 }),
});

function payoutOf(rooms: number): fc.Arbitrary<Payout> {
  const way = fc.record({
    can: fc.boolean(),
    charges: fc.bigInt({ min: 0n, max: 3n }),
    extra: fc.bigInt({ min: 0n, max: 2n }),
    near: fc.boolean(),
  });
  return fc
    .record({
      amount: fc.bigInt({ min: 1n, max: 30n }),
      purse: fc.integer({ min: 0, max: 1 }),
      ways: fc.array(way, { minLength: rooms, maxLength: rooms }),
    })
    .map(({ amount, purse, ways }) => ({
      amount,
      purse,
      pinned: false,
      options: ways.flatMap(({ can, ...option }, account) => (can ? [{ account, moved: amount + option.charges, ...option }] : [])),
    }));
}

/**
 * A problem whose best plan is known: the accounts are made to hold exactly the payouts. `share`: the part of all accounts a payout can use besides the one it was made for. `slack`: what those have above it, in hundredths.
 */
export function plantedProblem(size: Size & { readonly share: number; readonly seed: number; readonly slack?: bigint }): Problem {
  const { payouts: number, rooms: accounts, share, seed, slack } = size;
  const random = seededRandom(seed);
  const rooms = Array.from({ length: accounts }, () => ({ money: 0n, turnover: null, count: null }));
  const charges = rooms.map(() => BigInt(Math.floor(random.next() * 3)) * 5_000n);
  const payouts = Array.from({ length: number }, (): Payout => {
    // some large ones among many small, as customers ask
    const amount = BigInt(Math.floor(10 ** (1 + random.next() * 3.4) * 100)) * 100n;
    const own = Math.floor(random.next() * accounts);
    const home = nth(rooms, own);
    home.money += amount + nth(charges, own);
    const can = rooms.map((_, account) => account === own || random.next() < share);
    return {
      amount,
      purse: 0,
      pinned: false,
      options: can.flatMap((is, account) =>
        is ? [{ account, charges: nth(charges, account), moved: amount + nth(charges, account), extra: 0n, near: account % 7 === 0 }] : [],
      ),
    };
  });
  if (slack !== undefined) for (const room of rooms) room.money += (room.money * slack) / 100n;
  return { payouts, rooms, purses: [0n] };
}
