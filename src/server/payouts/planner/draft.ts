import type { Money } from "../../../values/money.ts";
import { nth } from "./problem.ts";
import type { Option, Problem, Worth } from "./problem.ts";

/** A plan in the making: what is paid from where, and what that leaves. It never goes over what a room or a purse has. */
export class Draft {
  readonly problem: Problem;
  /** Payout → account → its option there. */
  readonly #ways: readonly (readonly (Option | undefined)[])[];
  readonly #chosen: (Option | null)[];
  readonly #money: Money[];
  readonly #turnover: (Money | null)[];
  readonly #count: (number | null)[];
  readonly #purses: Money[];
  readonly #paidBy: Set<number>[];

  constructor(problem: Problem, from?: Draft) {
    this.problem = problem;
    this.#ways = from ? from.#ways : waysOf(problem);
    this.#chosen = from ? [...from.#chosen] : problem.payouts.map(() => null);
    this.#money = from ? [...from.#money] : problem.rooms.map(({ money }) => money);
    this.#turnover = from ? [...from.#turnover] : problem.rooms.map(({ turnover }) => turnover);
    this.#count = from ? [...from.#count] : problem.rooms.map(({ count }) => count);
    this.#purses = from ? [...from.#purses] : [...problem.purses];
    this.#paidBy = from ? from.#paidBy.map((set) => new Set(set)) : problem.rooms.map(() => new Set());
  }

  copy(): Draft {
    return new Draft(this.problem, this);
  }

  get options(): readonly (Option | null)[] {
    return this.#chosen;
  }

  chosen(payout: number): Option | null {
    return nth(this.#chosen, payout);
  }

  way(payout: number, account: number): Option | undefined {
    return nth(this.#ways, payout)[account];
  }

  /** The payouts of an account. */
  paidBy(account: number): ReadonlySet<number> {
    return nth(this.#paidBy, account);
  }

  isUsed(account: number): boolean {
    return nth(this.#paidBy, account).size > 0;
  }

  moneyLeft(account: number): Money {
    return nth(this.#money, account);
  }

  turnoverLeft(account: number): Money | null {
    return nth(this.#turnover, account);
  }

  countLeft(account: number): number | null {
    return nth(this.#count, account);
  }

  fits(payout: number, { account, moved, extra }: Option): boolean {
    if (nth(this.#money, account) < moved) return false;
    const count = nth(this.#count, account);
    if (count !== null && count < 1) return false;
    const { amount, purse } = nth(this.problem.payouts, payout);
    const turnover = nth(this.#turnover, account);
    return (turnover === null || turnover >= amount) && (extra === 0n || nth(this.#purses, purse) >= extra);
  }

  put(payout: number, option: Option): void {
    this.#move(payout, option, 1);
    this.#chosen[payout] = option;
    nth(this.#paidBy, option.account).add(payout);
  }

  /** Takes a payout out of the plan, and answers where it was. */
  take(payout: number): Option {
    const option = nth(this.#chosen, payout);
    if (option === null) throw new Error("a payout that is not in the plan cannot be taken out of it");
    this.#move(payout, option, -1);
    this.#chosen[payout] = null;
    nth(this.#paidBy, option.account).delete(payout);
    return option;
  }

  #move(payout: number, { account, moved, extra }: Option, times: 1 | -1): void {
    const { amount, purse } = nth(this.problem.payouts, payout);
    const factor = BigInt(times);
    this.#money[account] = nth(this.#money, account) - factor * moved;
    const turnover = nth(this.#turnover, account);
    if (turnover !== null) this.#turnover[account] = turnover - factor * amount;
    const count = nth(this.#count, account);
    if (count !== null) this.#count[account] = count - times;
    if (extra > 0n) this.#purses[purse] = nth(this.#purses, purse) - factor * extra;
  }

  worth(): Worth {
    let [number, sum, charges, near] = [0, 0n, 0n, 0];
    for (const [at, option] of this.#chosen.entries()) {
      if (option === null) continue;
      number += 1;
      sum += nth(this.problem.payouts, at).amount;
      charges += option.charges;
      near += option.near ? 1 : 0;
    }
    let [accounts, places] = [0, 0];
    for (const [place, paid] of this.#paidBy.entries()) {
      if (paid.size === 0) continue;
      accounts += 1;
      places += place;
    }
    return { number, sum, accounts, charges, near, places };
  }
}

function waysOf({ payouts, rooms }: Problem): (Option | undefined)[][] {
  return payouts.map(({ options }) => {
    const ways = rooms.map((): Option | undefined => undefined);
    for (const option of options) ways[option.account] = option;
    return ways;
  });
}
