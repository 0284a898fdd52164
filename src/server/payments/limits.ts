import { sql } from "kysely";
import { Refusal } from "../../contract/problems.ts";
import type { RateRule, RateScope } from "../../contract/rate-limit-groups.ts";
import type { Money } from "../../values/money.ts";
import { amountText, moneyText } from "../../values/money.ts";
import type { Scoped } from "../db/scope.ts";
import { sqlState } from "../db/errors.ts";
import type { TransactionKind } from "../db/tables/kinds.ts";

/** The day of an instant in a currency's zone: "2026-11-21". Limits count by this day and its month. */
export function localDay(at: Date, zoneMinutes: number): string {
  return new Date(at.getTime() + zoneMinutes * 60_000).toISOString().slice(0, 10);
}

/** The refusal of a move that exceeds a limit (CH002); any other error unchanged. */
export function limitRefusal(error: unknown): unknown {
  return sqlState(error) === "CH002" ? new Refusal("payment-account.over-limit") : error;
}

/** A customer's transaction, as rate limits count it. */
export interface MemberUse {
  readonly id: string;
  readonly merchant_id: string;
  readonly member: string;
  readonly amount: string;
  readonly createdAt: Date;
  /** Minutes since its approval; null: it is open and counts as if approved now. */
  readonly minutesAgo: number | null;
}

/** How far back customers' uses are read: over the longest window, until every limit is used up. */
export interface MemberReach {
  readonly minutes: number;
  readonly count: number;
  readonly amount: Money;
}

/** The customers' transactions that are open or were approved within the window; rejected and expired ones do not count. */
export async function memberUses(
  db: Scoped,
  kind: TransactionKind,
  members: readonly { merchant_id: string; member: string }[],
  { minutes, count, amount }: MemberReach,
): Promise<MemberUse[]> {
  const merchants = members.map(({ merchant_id }) => merchant_id);
  const names = members.map(({ member }) => member);
  const { rows } = await sql<Omit<MemberUse, "createdAt" | "minutesAgo"> & { created_at: Date; minutes_ago: number | null }>`
    select u.id, w.merchant_id, w.member, u.amount, u.created_at, u.minutes_ago
    from (select distinct * from unnest(${merchants}::uuid[], ${names}::text[]) as w (merchant_id, member)) w,
      lateral member_uses(${kind}, w.merchant_id, w.member, ${minutes}, ${count}, ${moneyText(amount)}::numeric) u`.execute(db);
  return rows.map(({ created_at, minutes_ago, ...use }) => ({ ...use, createdAt: created_at, minutesAgo: minutes_ago }));
}

interface RateStop {
  readonly scope: RateScope;
  readonly rule: RateRule;
  readonly maximum: string;
  readonly minutes: number;
  readonly frees_at: Date | null;
}

/**
 * Why nothing but rate limits keeps accounts from a deposit: the limit of the account that is free again first, of its limits the one that
 * stands longest. null: they do not, or no account could take it otherwise.
 */
export async function rateRefusal(
  db: Scoped,
  merchant: string,
  { member, amount }: { readonly member: string; readonly amount: string },
  weighed: readonly { readonly account: { readonly id: string }; readonly unfit: { readonly code: string } | null }[],
): Promise<Refusal | null> {
  const able = weighed.filter(({ unfit }) => unfit === null || rateCodes.includes(unfit.code)).map(({ account }) => account.id);
  if (able.length === 0) return null;
  const { rows } = await sql<RateStop>`select s.* from (
      select distinct on (a.id) r.* from unnest(${able}::uuid[]) a (id), rate_stops(a.id, 'deposit', ${merchant}::uuid, ${member}, ${amount}::numeric) r
        order by a.id, r.frees_at desc nulls first, r.scope, r.rule) s
    order by s.frees_at nulls last, s.scope, s.rule, s.maximum desc limit 1`.execute(db);
  const [stop] = rows;
  if (!stop) return null;
  const { scope, rule, maximum, minutes, frees_at } = stop;
  return new Refusal("deposit.rate-limited", {
    scope,
    limit: rule,
    maximum: rule === "max_count" ? String(Number(maximum)) : amountText(maximum),
    window_minutes: minutes,
    resets_at: frees_at && frees_at.toISOString(),
  });
}

const rateCodes: readonly string[] = ["rate", "rate-amount"];

/**
 * Locks the trailing windows of one account and one customer until the transaction ends. Advisory locks in this order, because an account's
 * row would be locked before ledger accounts here but after them when `critical` is set.
 */
export async function lockRates(db: Scoped, account: string, member: { merchant_id: string; member: string }): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`rate member ${member.merchant_id} ${member.member}`}, 0))`.execute(db);
  await sql`select pg_advisory_xact_lock(hashtextextended(${`rate account ${account}`}, 0))`.execute(db);
}
