import type { Money } from "../../values/money.ts";
import { money, moneyText } from "../../values/money.ts";
import type { AccountFacts } from "../payments/accounts.ts";
import type { Candidate, Desk } from "./candidates.ts";
import type { Option } from "./planner/problem.ts";

/** What a plan takes from one account. */
export interface Load {
  readonly count: number;
  readonly amount: Money;
  readonly charges: Money;
}

/** What a plan takes from every account, and leaves in every purse. */
export interface Loads {
  readonly of: readonly Load[];
  /** The accounts as the plan leaves them. */
  readonly after: readonly AccountFacts[];
  readonly purses: readonly Money[];
}

export function loadsOf(desk: Desk, candidates: readonly Candidate[], placed: ReadonlyMap<string, Option>): Loads {
  const of: Load[] = desk.facts.accounts.map(() => ({ count: 0, amount: 0n, charges: 0n }));
  const purses = [...desk.purses];
  for (const { row, payout } of candidates) {
    const option = placed.get(row.id);
    const load = option && of[option.account];
    if (!option || !load) continue;
    of[option.account] = { count: load.count + 1, amount: load.amount + payout.amount, charges: load.charges + option.charges };
    purses[payout.purse] = (purses[payout.purse] ?? 0n) - option.extra;
  }
  return { of, after: desk.facts.accounts.map((account, at) => afterLoad(account, of[at])), purses };
}

/** An account as it is once these withdrawals were approved. */
function afterLoad(account: AccountFacts, load: Load | undefined): AccountFacts {
  if (!load || load.count === 0) return account;
  const moved = load.amount + load.charges;
  const { rate } = account;
  return {
    ...account,
    balance: account.balance - moved,
    daily_used: account.daily_used + moved,
    monthly_used: account.monthly_used + moved,
    rate: rate && {
      ...rate,
      used_count: rate.used_count + load.count,
      used_amount: moneyText(money(rate.used_amount) + load.amount),
    },
  };
}
