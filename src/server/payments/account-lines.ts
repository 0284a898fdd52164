import type { z } from "zod";
import type { Check, PayingAccount } from "../../contract/transactions.ts";
import type { Money } from "../../values/money.ts";
import { money, moneyText } from "../../values/money.ts";
import type { AccountFacts, Need, Weighed } from "./accounts.ts";
import type { MemberUse } from "./limits.ts";

export type Unfit = NonNullable<z.output<typeof PayingAccount>["unfit"]>;
type Values = Readonly<Record<string, Money | string>>;

/** A condition of a line. Values are functions, because a list checks thousands of accounts and needs the values of few. */
interface Condition {
  readonly code: Unfit["code"];
  readonly holds: boolean;
  /** The values of the reason's text. */
  readonly values: () => Values;
}

/** One line of what an account must satisfy to take a transaction; it passes when all its conditions hold. */
interface Line {
  /** The check under which the line is shown. */
  readonly name: AccountCheck | "standing";
  readonly values: () => Values;
  readonly conditions: readonly Condition[];
}

const none = (): Values => ({});

/** The lines shown as checks. Not "standing": an account that fails it is meant for other transactions. */
export const accountCheckNames = [
  "per-transaction",
  "daily-headroom",
  "monthly-headroom",
  "account-balance",
  "rate-account",
  "rate-member",
] as const satisfies readonly Check["name"][];
type AccountCheck = (typeof accountCheckNames)[number];

/**
 * The lines that decide whether an account may take a transaction, before the transaction is written. With the counters locked, the
 * database checks limits (limit_take) and a deposit's rate limits (deposit_within_rates) again, because others may have used them up since
 * the account was read.
 */
export function* linesOf({ account, payable, charges }: Pick<Weighed, "account" | "payable" | "charges">, need: Need): Generator<Line> {
  const { kind, amount } = need;
  // limits count the change of the account's balance
  const moved = amount + charges;
  const { code, status, purpose, method, minimum, maximum } = account;
  yield {
    name: "standing",
    values: none,
    conditions: [
      { code: "inactive", holds: status !== "inactive", values: none },
      { code: "suspended", holds: status !== "suspend", values: none },
      { code: "purpose", holds: purpose === "both" || purpose === kind, values: () => ({ purpose }) },
      { code: "method", holds: method === need.method, values: () => ({ method, wanted: need.method }) },
    ],
  };
  const perTransaction: Condition[] = [];
  if (minimum !== null) perTransaction.push({ code: "minimum", holds: amount >= minimum, values: () => ({ amount, minimum }) });
  if (maximum !== null) perTransaction.push({ code: "maximum", holds: amount <= maximum, values: () => ({ amount, maximum }) });
  yield {
    name: "per-transaction",
    values: () => ({ amount, account: code, ...(minimum !== null && { minimum }), ...(maximum !== null && { maximum }) }),
    conditions: perTransaction,
  };
  yield headroom("daily", code, moved, account.daily_used, account.daily_limit);
  yield headroom("monthly", code, moved, account.monthly_used, account.monthly_limit);
  if (kind === "withdrawal") {
    yield {
      name: "account-balance",
      values: () => ({ account: code, payable, needed: moved, after: payable - moved }),
      conditions: [{ code: "balance", holds: payable >= moved, values: () => ({ payable, needed: moved }) }],
    };
  }
  const rates = ratesOf(account, need);
  yield rateLine("rate-account", amount, rates.account);
  yield rateLine("rate-member", amount, rates.member);
}

function headroom(code: "daily" | "monthly", account: string, amount: Money, used: Money, limit: Money | null): Line {
  const after = used + amount;
  return {
    name: code === "daily" ? "daily-headroom" : "monthly-headroom",
    values: () => ({ account, used, after, ...(limit !== null && { limit, left: limit - after }) }),
    conditions: limit === null ? [] : [{ code, holds: after <= limit, values: () => ({ amount, used, limit }) }],
  };
}

function rateLine(name: "rate-account" | "rate-member", amount: Money, rate: Rate | null): Line {
  if (!rate) return { name, values: none, conditions: [] };
  const { scope, maxCount, turnover, maxAmount } = rate;
  const minutes = String(rate.minutes);
  const [count, after] = [rate.count + 1, rate.amount + amount];
  const conditions: Condition[] = [];
  if (maxAmount !== null) {
    conditions.push({ code: "rate-amount", holds: amount <= maxAmount, values: () => ({ amount, maximum: maxAmount }) });
  }
  if (maxCount !== null) {
    const values = () => ({ scope, count: String(rate.count), max_count: String(maxCount), minutes });
    conditions.push({ code: "rate", holds: count <= maxCount, values });
  }
  if (turnover !== null) {
    conditions.push({ code: "rate", holds: after <= turnover, values: () => ({ scope, used: rate.amount, turnover, minutes }) });
  }
  return {
    name,
    values: () => ({
      minutes,
      count: String(count),
      turnover: after,
      ...(maxCount !== null && { max_count: String(maxCount) }),
      ...(turnover !== null && { max_turnover: turnover }),
      ...(maxAmount !== null && { maximum: maxAmount }),
    }),
    conditions,
  };
}

/** The first reason why an account may not take a transaction; null: none. Later lines are not evaluated. */
export function unfitness(lines: Iterable<Line>): Unfit | null {
  for (const { conditions } of lines) {
    const failed = conditions.find(({ holds }) => !holds);
    if (failed) return { code: failed.code, values: texts(failed.values()) };
  }
  return null;
}

/** The lines as checks for the operator. */
export function checksOfLines(lines: Iterable<Line>): Check[] {
  return [...lines].flatMap(({ name, values, conditions }) =>
    name === "standing" ? [] : [{ name, result: conditions.every(({ holds }) => holds) ? "pass" : "fail", values: texts(values()) }],
  );
}

export interface Rate {
  readonly scope: "account" | "member";
  readonly minutes: number;
  readonly count: number;
  readonly amount: Money;
  readonly maxCount: number | null;
  readonly turnover: Money | null;
  readonly maxAmount: Money | null;
}

/** The limits of the account's rate-limit group with their current use, per account and per member; null: no window is set. */
export function ratesOf({ rate }: AccountFacts, need: Need): { account: Rate | null; member: Rate | null } {
  const amountOf = (text: string | null) => (text === null ? null : money(text));
  const account =
    rate?.account_window_minutes == null
      ? null
      : {
          scope: "account" as const,
          minutes: rate.account_window_minutes,
          count: rate.used_count,
          amount: money(rate.used_amount),
          maxCount: rate.account_max_count,
          turnover: amountOf(rate.account_turnover),
          maxAmount: amountOf(rate.account_max_amount),
        };
  const window = rate?.member_window_minutes ?? null;
  if (!rate || window === null) return { account, member: null };
  const uses = need.memberUses.filter(
    (use) =>
      use.merchant_id === need.merchant_id &&
      use.member === need.member &&
      (use.minutesAgo === null ? isBefore(use, need) : use.minutesAgo < window),
  );
  return {
    account,
    member: {
      scope: "member",
      minutes: window,
      count: uses.length,
      amount: uses.reduce((sum, use) => sum + money(use.amount), 0n),
      maxCount: rate.member_max_count,
      turnover: amountOf(rate.member_turnover),
      maxAmount: amountOf(rate.member_max_amount),
    },
  };
}

/**
 * Whether an open transaction counts before this one. Only earlier ones count against later ones, because otherwise two could wait for each
 * other.
 */
function isBefore(use: MemberUse, { id, createdAt }: Need): boolean {
  if (id === null || createdAt === null) return true;
  return use.id !== id && (use.createdAt < createdAt || (use.createdAt.getTime() === createdAt.getTime() && use.id < id));
}

/** The values as texts. */
export function texts(values: Readonly<Record<string, Money | string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, typeof value === "bigint" ? moneyText(value) : value]));
}
