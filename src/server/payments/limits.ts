import { sql } from "kysely";
import { Refusal } from "../../contract/problems.ts";
import type { Money } from "../../values/money.ts";
import { moneyText } from "../../values/money.ts";
import type { Scoped } from "../db/scope.ts";
import { sqlState } from "../db/scope.ts";
import type { TransactionKind } from "../db/tables.ts";

/** The day of an instant in a currency's zone: "2026-11-21". Limits count amounts by it, and by its month. */
export function localDay(at: Date, zoneMinutes: number): string {
  return new Date(at.getTime() + zoneMinutes * 60_000).toISOString().slice(0, 10);
}

/** A move that takes a limit raises CH002 when it is used up. */
export function limitRefusal(error: unknown): unknown {
  return sqlState(error) === "CH002" ? new Refusal("payment-account.over-limit") : error;
}

/** One transaction of a customer, as rate limits count it. */
export interface MemberUse {
  readonly id: string;
  readonly merchant_id: string;
  readonly member: string;
  readonly amount: string;
  readonly createdAt: Date;
  /** Since it was approved; null: it is open, and counts as if it were approved now. */
  readonly minutesAgo: number | null;
}

/** How far customers' uses are read: of the longest window, until no limit could have room left. */
export interface MemberReach {
  readonly minutes: number;
  readonly count: number;
  readonly amount: Money;
}

/** What customers had approved within a window and what they have open; rejected and expired do not count. */
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

/**
 * Serialises those who count one account's and one customer's trailing windows, until the transaction ends. Advisory locks, taken
 * always in this order: a lock on the account's row would be taken before ledger accounts here and after them by `critical`.
 */
export async function lockRates(db: Scoped, account: string, member: { merchant_id: string; member: string }): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`rate member ${member.merchant_id} ${member.member}`}, 0))`.execute(db);
  await sql`select pg_advisory_xact_lock(hashtextextended(${`rate account ${account}`}, 0))`.execute(db);
}
