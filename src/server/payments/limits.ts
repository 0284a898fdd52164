import { sql } from "kysely";
import { Refusal } from "../../contract/problems.ts";
import type { Scoped } from "../db/scope.ts";
import { sqlState } from "../db/scope.ts";
import type { TransactionKind } from "../db/tables.ts";
import type { LimitUse } from "../ledger/ledger.ts";

/** The day of an instant in a currency's zone: "2026-11-21". Limits count amounts by it, and by its month. */
export function localDay(at: Date, zoneMinutes: number): string {
  return new Date(at.getTime() + zoneMinutes * 60_000).toISOString().slice(0, 10);
}

/** Counts an amount against a payment account's daily and monthly limits in one conditional write; false when it does not fit. */
export async function takeLimit(db: Scoped, { account, kind, day, amount }: LimitUse): Promise<boolean> {
  const { rows } = await sql<{ taken: boolean }>`select limit_take(${account}, ${kind}, ${day}::date, ${amount}::numeric) as taken`.execute(
    db,
  );
  return rows[0]?.taken ?? false;
}

/** A move that takes a limit raises CH002 when it is used up. */
export function limitRefusal(error: unknown): unknown {
  return sqlState(error) === "CH002" ? new Refusal("payment-account.over-limit") : error;
}

/** One earlier transaction of a customer, as rate limits count them. */
export interface MemberUse {
  readonly id: string;
  readonly merchant_id: string;
  readonly member: string;
  readonly amount: string;
  readonly minutesAgo: number;
}

/**
 * What customers have open or done within the longest window asked for: pending, process, approved and completed count, rejected
 * and expired do not.
 */
export async function memberUses(
  db: Scoped,
  tenant: string,
  kind: TransactionKind,
  members: readonly { merchant_id: string; member: string }[],
  minutes: number,
): Promise<MemberUse[]> {
  const merchants = members.map(({ merchant_id }) => merchant_id);
  const names = members.map(({ member }) => member);
  const { rows } = await sql<Omit<MemberUse, "minutesAgo"> & { minutes_ago: number }>`
    select t.id, t.merchant_id, t.member, t.amount, extract(epoch from clock_timestamp() - t.created_at)::float8 / 60 as minutes_ago
    from (select distinct * from unnest(${merchants}::uuid[], ${names}::text[]) as w (merchant_id, member)) w
    join transactions t on t.tenant_id = ${tenant} and t.merchant_id = w.merchant_id and t.member = w.member
      and t.created_at > statement_timestamp() - make_interval(mins => ${minutes})
    where t.kind = ${kind} and t.status not in ('rejected', 'expired')`.execute(db);
  return rows.map(({ minutes_ago, ...use }) => ({ ...use, minutesAgo: minutes_ago }));
}

/**
 * Serialises those who count one account's and one customer's trailing windows, until the transaction ends. Advisory locks, taken
 * always in this order: a lock on the account's row would be taken before ledger accounts here and after them by `critical`.
 */
export async function lockRates(db: Scoped, account: string, member: { merchant_id: string; member: string }): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`rate member ${member.merchant_id} ${member.member}`}, 0))`.execute(db);
  await sql`select pg_advisory_xact_lock(hashtextextended(${`rate account ${account}`}, 0))`.execute(db);
}
