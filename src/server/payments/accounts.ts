import { sql } from "kysely";
import type { z } from "zod";
import type { PayingAccount } from "../../contract/transactions.ts";
import type { Money } from "../../values/money.ts";
import { money, moneyText, percentOf, roundToMinorUnit } from "../../values/money.ts";
import type { Scoped } from "../db/scope.ts";
import type { TransactionKind } from "../db/tables.ts";
import type { MemberReach, MemberUse } from "./limits.ts";
import { memberUses } from "./limits.ts";

type Paying = z.output<typeof PayingAccount>;
type Unfit = NonNullable<Paying["unfit"]>;

const amounts = [
  "hold_amount",
  "reserve_amount",
  "charges_value",
  "balance",
  "minimum",
  "maximum",
  "daily_limit",
  "monthly_limit",
  "daily_used",
  "monthly_used",
] as const;
type AmountName = (typeof amounts)[number];

interface AccountRow {
  readonly id: string;
  readonly code: string;
  readonly bank: string;
  readonly account_number: string;
  readonly holder: string;
  readonly type: "normal" | "atm" | "backup";
  readonly purpose: "deposit" | "withdrawal" | "both";
  readonly method: string;
  readonly status: "active" | "inactive" | "suspend";
  readonly critical: boolean;
  readonly hold_amount: string;
  readonly reserve_amount: string;
  readonly charges_type: "fixed" | "percent";
  readonly charges_value: string;
  readonly ledger_account_id: string;
  readonly balance: string;
  readonly minimum: string | null;
  readonly maximum: string | null;
  readonly daily_limit: string | null;
  readonly monthly_limit: string | null;
  readonly daily_used: string;
  readonly monthly_used: string;
  /** null: no rate-limit group */
  readonly rate: RateFacts | null;
}

/** A payment account with all that decides whether it may take a transaction of one kind. */
export type AccountFacts = {
  readonly [K in keyof AccountRow]: K extends AmountName ? (null extends AccountRow[K] ? Money | null : Money) : AccountRow[K];
};

/** JSON made by the database: amounts are text. */
interface RateFacts {
  readonly account_window_minutes: number | null;
  readonly account_max_count: number | null;
  readonly account_turnover: string | null;
  readonly account_max_amount: string | null;
  readonly member_window_minutes: number | null;
  readonly member_max_count: number | null;
  readonly member_turnover: string | null;
  readonly member_max_amount: string | null;
  readonly used_count: number;
  readonly used_amount: string;
}

/** What must be moved, and for whom. */
export interface Need {
  readonly kind: TransactionKind;
  readonly id: string | null;
  /** null: it is about to be created. */
  readonly createdAt: Date | null;
  readonly amount: Money;
  readonly method: string;
  readonly minorDigits: number;
  readonly merchant_id: string;
  readonly member: string;
  readonly memberUses: readonly MemberUse[];
}

export interface Weighed {
  readonly account: AccountFacts;
  /** null: it may take the transaction. */
  readonly unfit: Unfit | null;
  readonly payable: Money;
  /** What the bank takes for it. */
  readonly charges: Money;
  readonly balanceAfter: Money;
}

/** Every payment account of the currency, or those of a merchant's payment groups, as of now, in order of preference for `kind`. */
export async function loadAccounts(
  db: Scoped,
  scope: { currency: string; kind: TransactionKind; zoneMinutes: number; merchant?: string },
): Promise<AccountFacts[]> {
  const { currency, kind, zoneMinutes, merchant } = scope;
  const { rows } = await sql<AccountRow>`
    select w.*, p.critical from weigh_accounts(${currency}, ${kind}, ${zoneMinutes}, ${merchant ?? null}) w
      join payment_accounts p on p.tenant_id = current_tenant() and p.id = w.id`.execute(db);
  return rows.map(factsOf).toSorted(byPreference);
}

function factsOf(row: AccountRow): AccountFacts {
  const read = amounts.map((name) => [name, row[name] === null ? null : money(row[name])]);
  return { ...row, ...(Object.fromEntries(read) as Pick<AccountFacts, AmountName>) }; // null stays where the row may have it
}

/** The customers' transactions that the accounts' member-scope limits count; nothing is read when there is none. */
export async function loadMemberUses(
  db: Scoped,
  kind: TransactionKind,
  accounts: readonly AccountFacts[],
  members: readonly { merchant_id: string; member: string }[],
): Promise<MemberUse[]> {
  const reach = reachOf(accounts);
  return reach === null || members.length === 0 ? [] : memberUses(db, kind, members, reach);
}

/** A group with a count is decided by it; one without, by its turnover. What satisfies the largest of each decides them all. */
function reachOf(accounts: readonly AccountFacts[]): MemberReach | null {
  const counting = accounts.flatMap(({ rate }) => (rate && (rate.member_max_count ?? rate.member_turnover) !== null ? [rate] : []));
  if (counting.length === 0) return null;
  const sums = counting.flatMap((rate) =>
    rate.member_max_count === null && rate.member_turnover !== null ? [money(rate.member_turnover)] : [],
  );
  return {
    minutes: Math.max(...counting.map((rate) => rate.member_window_minutes ?? 0)),
    count: Math.max(0, ...counting.map((rate) => rate.member_max_count ?? 0)),
    amount: sums.reduce((most, sum) => (sum > most ? sum : most), 0n),
  };
}

const payableOf = ({ balance, hold_amount, reserve_amount }: AccountFacts): Money => balance - hold_amount - reserve_amount;

/** What an account's bank takes for paying an amount, in whole minor units. */
export function chargesOf(
  { charges_type, charges_value }: Pick<AccountFacts, "charges_type" | "charges_value">,
  amount: Money,
  minorDigits: number,
): Money {
  return charges_type === "percent" ? percentOf(amount, charges_value, minorDigits) : roundToMinorUnit(charges_value, minorDigits);
}

/** Whether an account may take a transaction, the first reason why not, and where it would leave the account. */
function weigh(account: AccountFacts, need: Need): Weighed {
  const payable = payableOf(account);
  // money coming in costs nothing
  const charges = need.kind === "withdrawal" ? chargesOf(account, need.amount, need.minorDigits) : 0n;
  const change = need.kind === "withdrawal" ? -(need.amount + charges) : need.amount;
  return { account, payable, charges, balanceAfter: account.balance + change, unfit: unfitness(account, need, payable, charges) };
}

function unfitness(account: AccountFacts, need: Need, payable: Money, charges: Money): Unfit | null {
  const { kind, amount } = need;
  const no = (code: Unfit["code"], values: Record<string, Money | string> = {}): Unfit => ({ code, values: texts(values) });
  // limits count what the account gains or loses
  const over = (limit: Money | null, used: Money) => limit !== null && used + amount + charges > limit;
  if (account.status === "inactive") return no("inactive");
  if (account.status === "suspend") return no("suspended");
  if (account.purpose !== "both" && account.purpose !== kind) return no("purpose", { purpose: account.purpose });
  if (account.method !== need.method) return no("method", { method: account.method, wanted: need.method });
  const { minimum, maximum, daily_limit, daily_used, monthly_limit, monthly_used } = account;
  if (minimum !== null && amount < minimum) return no("minimum", { amount, minimum });
  if (maximum !== null && amount > maximum) return no("maximum", { amount, maximum });
  if (over(daily_limit, daily_used)) return no("daily", { amount: amount + charges, used: daily_used, limit: daily_limit ?? 0n });
  if (over(monthly_limit, monthly_used)) return no("monthly", { amount: amount + charges, used: monthly_used, limit: monthly_limit ?? 0n });
  if (kind === "withdrawal" && payable < amount + charges) return no("balance", { payable, needed: amount + charges });
  return rateUnfitness(account, need, no);
}

function rateUnfitness(
  account: AccountFacts,
  need: Need,
  no: (code: Unfit["code"], values: Record<string, Money | string>) => Unfit,
): Unfit | null {
  const { account: accountRate, member } = ratesOf(account, need);
  for (const rate of [accountRate, member]) {
    if (!rate) continue;
    if (rate.maxAmount !== null && need.amount > rate.maxAmount) return no("rate-amount", { amount: need.amount, maximum: rate.maxAmount });
    if (rate.maxCount !== null && rate.count + 1 > rate.maxCount) {
      return no("rate", { scope: rate.scope, count: String(rate.count), max_count: String(rate.maxCount), minutes: String(rate.minutes) });
    }
    if (rate.turnover !== null && rate.amount + need.amount > rate.turnover) {
      return no("rate", { scope: rate.scope, used: rate.amount, turnover: rate.turnover, minutes: String(rate.minutes) });
    }
  }
  return null;
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

/** What the account's rate-limit group says of both scopes, as used now; null where it sets no window. */
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

/** Of several open ones the earlier go first: each counts against those after it, so that none waits for one that waits for it. */
function isBefore(use: MemberUse, { id, createdAt }: Need): boolean {
  if (id === null || createdAt === null) return true;
  return use.id !== id && (use.createdAt < createdAt || (use.createdAt.getTime() === createdAt.getTime() && use.id < id));
}

const typeOrder = { normal: 0, atm: 1, backup: 2 } as const;

/** Normal before atm before backup; within one type the least used today. */
function byPreference(a: AccountFacts, b: AccountFacts): number {
  const [usedA, usedB] = [a.daily_used, b.daily_used];
  return typeOrder[a.type] - typeOrder[b.type] || (usedA < usedB ? -1 : usedA > usedB ? 1 : a.code < b.code ? -1 : 1);
}

/** Accounts as loadAccounts has them; the first fit one is the suggestion. */
export function weighAll(accounts: readonly AccountFacts[], need: Need): Weighed[] {
  return accounts.map((account) => weigh(account, need));
}

export const suggestionOf = (weighed: readonly Weighed[]): Weighed | undefined => weighed.find(({ unfit }) => unfit === null);

/** The account to speak of when none fits: the first that at least is meant for this. */
export function nearestOf(weighed: readonly Weighed[]): Weighed | undefined {
  return weighed.find(({ unfit }) => !["inactive", "suspended", "purpose", "method"].includes(unfit?.code ?? ""));
}

export function payingView({ account, unfit, payable, balanceAfter }: Weighed, suggested: boolean): Paying {
  const { id, code, holder, bank, type, critical } = account;
  const limit = (amount: Money | null) => (amount === null ? null : moneyText(amount));
  return {
    uuid: id,
    code,
    holder,
    bank,
    type,
    suggested,
    critical,
    unfit,
    payable: moneyText(payable),
    balance: moneyText(account.balance),
    balance_after: moneyText(balanceAfter),
    daily_used: moneyText(account.daily_used),
    daily_limit: limit(account.daily_limit),
    monthly_used: moneyText(account.monthly_used),
    monthly_limit: limit(account.monthly_limit),
  };
}

/** Amounts as text beside texts. */
export function texts(values: Readonly<Record<string, Money | string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, typeof value === "bigint" ? moneyText(value) : value]));
}
