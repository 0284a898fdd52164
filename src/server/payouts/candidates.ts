import type { PayoutRequest } from "../../contract/payouts.ts";
import type { Money } from "../../values/money.ts";
import { money } from "../../values/money.ts";
import type { AccountFacts, Need, Weighed } from "../payments/accounts.ts";
import { payableOf, weighAll } from "../payments/accounts.ts";
import type { KnownWithdrawal } from "../payments/transaction-rows.ts";
import { isDecided } from "../payments/transition.ts";
import type { DecisionFacts } from "../payments/withdrawal-rows.ts";
import { needOf } from "../payments/withdrawal-rows.ts";
import type { Option, Payout, Room } from "./planner/problem.ts";

/** What a plan is made from: the accounts, what each has room for, and what the operator asked of them. */
export interface Desk {
  readonly facts: DecisionFacts;
  /** Whether each of the accounts may be used. */
  readonly inPlan: readonly boolean[];
  readonly rooms: readonly Room[];
  /** Merchant → its place among the purses. */
  readonly purseOf: ReadonlyMap<string, number>;
  readonly purses: readonly Money[];
  /** Withdrawal → the account it is pinned to. */
  readonly pins: ReadonlyMap<string, string>;
}

/** A withdrawal judged for each of the accounts, as if it were the only one. */
export interface Candidate {
  readonly row: KnownWithdrawal;
  readonly need: Need;
  readonly weighed: readonly Weighed[];
  readonly payout: Payout;
}

export function deskOf(facts: DecisionFacts, request: PayoutRequest, rows: readonly KnownWithdrawal[]): Desk {
  const without = new Set(request.without.accounts);
  const wallets = new Map(rows.map((row) => [row.merchant_id, money(row.wallet ?? "0")]));
  return {
    facts,
    inPlan: facts.accounts.map(({ id }) => !without.has(id)),
    rooms: facts.accounts.map(roomOf),
    purseOf: new Map([...wallets.keys()].map((merchant, at) => [merchant, at])),
    purses: [...wallets.values()],
    pins: new Map(request.pins.map(({ uuid, account }) => [uuid, account])),
  };
}

/** The lines of account-lines.ts that other withdrawals use up, as what is left of them. */
export function roomOf(account: AccountFacts): Room {
  const { daily_limit, daily_used, monthly_limit, monthly_used, rate } = account;
  const ofDay = daily_limit === null ? [] : [daily_limit - daily_used];
  const ofMonth = monthly_limit === null ? [] : [monthly_limit - monthly_used];
  const windowed = rate?.account_window_minutes == null ? null : rate;
  return {
    money: [...ofDay, ...ofMonth].reduce((least, left) => (left < least ? left : least), payableOf(account)),
    turnover: windowed?.account_turnover == null ? null : money(windowed.account_turnover) - money(windowed.used_amount),
    count: windowed?.account_max_count == null ? null : windowed.account_max_count - windowed.used_count,
  };
}

/** What an approval from this account takes of the merchant's wallet above what is held for the withdrawal. */
export function extraOf(row: KnownWithdrawal, { charges }: Pick<Weighed, "charges">): Money {
  const borne = row.charges_borne_by === "merchant" ? charges : 0n;
  const extra = money(row.amount) + money(row.fee) + borne - money(row.merchant_amount);
  return extra > 0n ? extra : 0n;
}

export function candidateOf(row: KnownWithdrawal, desk: Desk): Candidate {
  const need = needOf(row, desk.facts);
  const weighed = isDecided(row) ? [] : weighAll(desk.facts.accounts, need);
  const purse = desk.purseOf.get(row.merchant_id) ?? 0;
  const pin = desk.pins.get(row.id);
  const bank = bankKey(row.bank ?? "");
  const options = weighed.flatMap((one, at): Option[] => {
    const { account, charges, unfit } = one;
    if (unfit !== null || !desk.inPlan[at] || (pin !== undefined && pin !== account.id)) return [];
    const extra = extraOf(row, one);
    return extra > (desk.purses[purse] ?? 0n)
      ? []
      : [{ account: at, charges, moved: need.amount + charges, extra, near: bankKey(account.bank) === bank }];
  });
  return { row, need, weighed, payout: { amount: need.amount, purse, pinned: pin !== undefined, options } };
}

const bankKey = (bank: string): string => bank.trim().toLowerCase();
