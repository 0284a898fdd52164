import type { PayoutAccount } from "../../contract/payouts.ts";
import type { Money } from "../../values/money.ts";
import { amountText, money, moneyText } from "../../values/money.ts";
import type { Unfit } from "../payments/account-lines.ts";
import type { AccountFacts } from "../payments/accounts.ts";
import { payableOf } from "../payments/accounts.ts";
import type { Candidate, Desk } from "./candidates.ts";
import type { Loads } from "./loads.ts";

/** The accounts as they are and as the plan leaves them. */
export const accountViews = (desk: Desk, candidates: readonly Candidate[], loads: Loads): PayoutAccount[] =>
  desk.facts.accounts.map((account, at) => {
    const after = loads.after[at] ?? account;
    const load = loads.of[at] ?? { count: 0, amount: 0n, charges: 0n };
    return {
      uuid: account.id,
      code: account.code,
      bank: account.bank,
      holder: account.holder,
      type: account.type,
      critical: account.critical,
      left_out: !desk.inPlan[at],
      unfit: unfitOfAll(candidates, at),
      count: load.count,
      amount: moneyText(load.amount),
      charges: moneyText(load.charges),
      balance: moneyText(account.balance),
      balance_after: moneyText(after.balance),
      hold: moneyText(account.hold_amount + account.pending_out),
      reserve: moneyText(account.reserve_amount),
      payable: moneyText(payableOf(account)),
      payable_after: moneyText(payableOf(after)),
      daily_limit: maybe(account.daily_limit),
      daily_used: moneyText(account.daily_used),
      daily_left_after: leftOf(after.daily_limit, after.daily_used),
      monthly_limit: maybe(account.monthly_limit),
      monthly_used: moneyText(account.monthly_used),
      monthly_left_after: leftOf(after.monthly_limit, after.monthly_used),
      rate: rateOf(after),
    };
  });

const maybe = (amount: Money | null): string | null => (amount === null ? null : moneyText(amount));
const leftOf = (limit: Money | null, used: Money): string | null => (limit === null ? null : moneyText(limit - used));

function rateOf({ rate }: AccountFacts): PayoutAccount["rate"] {
  if (rate?.account_window_minutes == null) return null;
  return {
    minutes: rate.account_window_minutes,
    count: rate.used_count,
    max_count: rate.account_max_count,
    turnover: moneyText(money(rate.used_amount)),
    max_turnover: rate.account_turnover === null ? null : amountText(rate.account_turnover),
  };
}

/** Why an account can take none of the withdrawals: the reason most of them meet; null: it can take one, or there is none. */
function unfitOfAll(candidates: readonly Candidate[], at: number): Unfit | null {
  const all: Unfit[] = [];
  for (const { weighed } of candidates) {
    const unfit = weighed[at]?.unfit ?? null;
    if (unfit === null) return null;
    all.push(unfit);
  }
  const groups = [...Map.groupBy(all, ({ code }) => code).values()];
  return groups.reduce((most, group) => (group.length > most.length ? group : most), [] as Unfit[])[0] ?? null;
}
