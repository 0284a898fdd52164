import { sql } from "kysely";
import type { z } from "zod";
import type { PayingAccount } from "../../contract/transactions.ts";
import type { Money } from "../../values/money.ts";
import { money, moneyText, percentOf, roundToMinorUnit } from "../../values/money.ts";
import type { Scoped } from "../db/scope.ts";
import type { TransactionKind } from "../db/tables/kinds.ts";
import type { Unfit } from "./account-lines.ts";
import { linesOf, unfitness } from "./account-lines.ts";
import type { MemberReach, MemberUse } from "./limits.ts";
import { memberUses } from "./limits.ts";

type Paying = z.output<typeof PayingAccount>;

const amounts = [
  "hold_amount",
  "reserve_amount",
  "pending_out",
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
  /** What its pending transfers and settlements will take. */
  readonly pending_out: string;
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

/** A payment account with everything that decides whether it may take a transaction of one kind. */
export type AccountFacts = {
  readonly [K in keyof AccountRow]: K extends AmountName ? (null extends AccountRow[K] ? Money | null : Money) : AccountRow[K];
};

/** JSON from the database: amounts are text. */
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

/** The transaction an account is needed for. */
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
  /** The bank's charges. */
  readonly charges: Money;
  readonly balanceAfter: Money;
}

/** The current payment accounts of the currency, or of a merchant's payment groups, in order of preference for `kind`. */
export async function loadAccounts(
  db: Scoped,
  scope: { currency: string; kind: TransactionKind; zoneMinutes: number; merchant?: string },
): Promise<AccountFacts[]> {
  const { currency, kind, zoneMinutes, merchant } = scope;
  const { rows } = await sql<AccountRow>`
    select w.*, p.critical, account_pending_out(p.tenant_id, p.id) as pending_out
      from weigh_accounts(${currency}, ${kind}, ${zoneMinutes}, ${merchant ?? null}) w
      join payment_accounts p on p.tenant_id = current_tenant() and p.id = w.id`.execute(db);
  return rows.map(factsOf).toSorted(byPreference);
}

function factsOf(row: AccountRow): AccountFacts {
  const read = amounts.map((name) => [name, row[name] === null ? null : money(row[name])]);
  return { ...row, ...(Object.fromEntries(read) as Pick<AccountFacts, AmountName>) }; // null stays where the row may have it
}

/** The customers' transactions that count against the accounts' limits per member; reads nothing when no account has such a limit. */
export async function loadMemberUses(
  db: Scoped,
  kind: TransactionKind,
  accounts: readonly AccountFacts[],
  members: readonly { merchant_id: string; member: string }[],
): Promise<MemberUse[]> {
  const reach = reachOf(accounts);
  return reach === null || members.length === 0 ? [] : memberUses(db, kind, members, reach);
}

/** How far member uses must be read for all accounts: groups with a count by the largest count, the others by the largest turnover. */
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

/** As account_payable computes it in the database. */
export const payableOf = ({ balance, hold_amount, reserve_amount, pending_out }: AccountFacts): Money =>
  balance - hold_amount - reserve_amount - pending_out;

/** The bank's charges for paying an amount, in whole minor units. */
export function chargesOf(
  { charges_type, charges_value }: Pick<AccountFacts, "charges_type" | "charges_value">,
  amount: Money,
  minorDigits: number,
): Money {
  return charges_type === "percent" ? percentOf(amount, charges_value, minorDigits) : roundToMinorUnit(charges_value, minorDigits);
}

/** An account judged for a transaction: the first reason why it may not take it, and the balance it would leave. */
function weigh(account: AccountFacts, need: Need): Weighed {
  const payable = payableOf(account);
  // incoming money has no charges
  const charges = need.kind === "withdrawal" ? chargesOf(account, need.amount, need.minorDigits) : 0n;
  const change = need.kind === "withdrawal" ? -(need.amount + charges) : need.amount;
  const unfit = unfitness(linesOf({ account, payable, charges }, need));
  return { account, payable, charges, balanceAfter: account.balance + change, unfit };
}

const typeOrder = { normal: 0, atm: 1, backup: 2 } as const;

/** Normal before atm before backup; within a type, the least used today first. */
function byPreference(a: AccountFacts, b: AccountFacts): number {
  const [usedA, usedB] = [a.daily_used, b.daily_used];
  return typeOrder[a.type] - typeOrder[b.type] || (usedA < usedB ? -1 : usedA > usedB ? 1 : a.code < b.code ? -1 : 1);
}

/** Judges all accounts, in the order of loadAccounts; the first fit one is the suggestion. */
export function weighAll(accounts: readonly AccountFacts[], need: Need): Weighed[] {
  return accounts.map((account) => weigh(account, need));
}

export const suggestionOf = (weighed: readonly Weighed[]): Weighed | undefined => weighed.find(({ unfit }) => unfit === null);

/** The account to report when none fits: the first that is meant for such transactions at all. */
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
