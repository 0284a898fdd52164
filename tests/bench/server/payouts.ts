import { setTimeout } from "node:timers/promises";
import { spread } from "../../../src/server/payouts/planner/planner.ts";
import type { Prefer } from "../../../src/server/payouts/planner/problem.ts";
import { plantedProblem, worthOf } from "../../support/payout-problems.ts";

/** Problems of each kind that are planned. */
const problems = 20;

const kinds: readonly { readonly what: string; readonly share: number; readonly slack?: bigint }[] = [
  { what: "with a tenth to spare", share: 0.3, slack: 10n },
  { what: "that hold exactly them, each open to a few", share: 0.05 },
  { what: "that hold exactly them, each open to all", share: 1 },
];

/** 1,000 payouts over 60 accounts: how long a plan takes, and how much of what would fit it pays. */
export async function benchPayouts() {
  const figures = [];
  for (const { what, share, slack } of kinds)
    for (const prefer of ["number", "sum"] as const satisfies Prefer[]) {
      const times: number[] = [];
      const [numbers, sums]: [number[], number[]] = [[], []];
      for (let seed = 1; seed <= problems; seed++) {
        const problem = plantedProblem({ payouts: 1_000, rooms: 60, share, seed, ...(slack !== undefined && { slack }) });
        await setTimeout(0); // oxlint-disable-line no-await-in-loop -- garbage of one is not collected in the time of the next
        const from = performance.now();
        const plan = spread(problem, prefer);
        times.push(performance.now() - from);
        const worth = worthOf(problem, plan);
        const all = problem.payouts.reduce((total, { amount }) => total + amount, 0n);
        numbers.push(worth.number / problem.payouts.length);
        sums.push(Number(worth.sum) / Number(all));
      }
      times.sort((a, b) => a - b);
      figures.push({
        what,
        prefer,
        p50: times[Math.floor(times.length / 2)] ?? 0,
        most: times.at(-1) ?? 0,
        number: Math.min(...numbers),
        sum: Math.min(...sums),
      });
    }
  return figures;
}
