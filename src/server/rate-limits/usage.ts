import { sql } from "kysely";
import type { RateLimitsReached, RateLimitUsage, RateScope, RateUsage } from "../../contract/rate-limit-groups.ts";
import { mostUsage } from "../../contract/rate-limit-groups.ts";
import { amountText, money, moneyText } from "../../values/money.ts";
import type { StaffCall } from "../call.ts";
import type { Scoped } from "../db/scope.ts";
import type { TransactionKind } from "../db/tables/kinds.ts";

/** One scope's limits; undefined and null: none. */
interface Limits {
  readonly minutes: number | null;
  readonly count: number | null;
  readonly turnover: string | null;
  readonly amount: string | null;
}

type AnyLimits = {
  readonly [K in `${RateScope}_${"window_minutes" | "max_count"}`]?: number | null | undefined;
} & { readonly [K in `${RateScope}_${"turnover" | "max_amount"}`]?: string | null | undefined };

const limitsOf = (scope: RateScope, all: AnyLimits): Limits => ({
  minutes: all[`${scope}_window_minutes`] ?? null,
  count: all[`${scope}_max_count`] ?? null,
  turnover: all[`${scope}_turnover`] ?? null,
  amount: all[`${scope}_max_amount`] ?? null,
});

interface UsedRow {
  readonly uuid: string;
  readonly kind: TransactionKind;
  readonly name: string;
  readonly of: string;
  readonly used_count: number;
  readonly open_count: number;
  readonly used_amount: string;
  readonly oldest_at: Date | null;
  readonly last_at: Date;
}

const atLeastNothing = (left: bigint): bigint => (left < 0n ? 0n : left);

function usageView({ minutes, count, turnover }: Limits, row: UsedRow): RateUsage {
  const leftCount = count === null ? null : Math.max(0, count - row.used_count);
  const leftAmount = turnover === null ? null : atLeastNothing(money(turnover) - money(row.used_amount));
  return {
    uuid: row.uuid,
    kind: row.kind,
    name: row.name,
    of: row.of,
    count: row.used_count,
    open: row.open_count,
    amount: amountText(row.used_amount),
    left_count: leftCount,
    left_amount: leftAmount === null ? null : moneyText(leftAmount),
    reached: leftCount === 0 || leftAmount === 0n,
    resets_at: row.oldest_at && new Date(row.oldest_at.getTime() + (minutes ?? 0) * 60_000).toISOString(),
    last_at: row.last_at.toISOString(),
  };
}

async function accountsUsed(db: Scoped, accounts: readonly string[], minutes: number): Promise<UsedRow[]> {
  const { rows } = await sql<UsedRow>`select u.account_id as uuid, u.kind, a.code as name, a.holder as "of", u.used_count, u.open_count,
      u.used_amount, u.oldest_at, u.last_at
    from rate_account_usage(${accounts}::uuid[], ${minutes}::integer) u
    join payment_accounts a on a.tenant_id = current_tenant() and a.id = u.account_id
    order by u.last_at desc, a.code, u.kind`.execute(db);
  return rows;
}

async function membersUsed(db: Scoped, accounts: readonly string[], minutes: number, most: number): Promise<UsedRow[]> {
  const { rows } = await sql<UsedRow>`select m.id || ' ' || u.member as uuid, u.kind, u.member as name, m.name as "of", u.used_count,
      u.open_count, u.used_amount, u.oldest_at, u.last_at
    from rate_member_usage(${accounts}::uuid[], ${minutes}::integer, ${most}::integer) u
    join merchants m on m.tenant_id = current_tenant() and m.id = u.merchant_id
    order by u.last_at desc, u.member, u.kind`.execute(db);
  return rows;
}

/** What of a group's windows is used, per account and per customer, the latest use first; nothing of a scope without a window. */
export async function usageOf(
  db: Scoped,
  _: StaffCall,
  group: AnyLimits & { readonly accounts: readonly string[] },
): Promise<RateLimitUsage> {
  const [account, member] = [limitsOf("account", group), limitsOf("member", group)];
  const accounts = account.minutes === null ? [] : await accountsUsed(db, group.accounts, account.minutes);
  const members = member.minutes === null ? [] : await membersUsed(db, group.accounts, member.minutes, mostUsage + 1);
  const part = (limits: Limits, rows: readonly UsedRow[]) => ({
    rows: rows.slice(0, mostUsage).map((row) => usageView(limits, row)),
    more: rows.length > mostUsage,
  });
  return { accounts: part(account, accounts), members: part(member, members), at: new Date().toISOString() };
}

/** Most customers looked at for what limits would refuse: beyond them the number is a lower bound. */
const mostMembers = 5_000;

/** What limits would refuse now if they held for these accounts of the currency. */
export async function limitsReached(
  db: Scoped,
  { tenant, currency }: StaffCall,
  all: AnyLimits,
  asked: readonly string[],
): Promise<RateLimitsReached> {
  const [account, member] = [limitsOf("account", all), limitsOf("member", all)];
  const { rows } = await sql<{ id: string }>`select id from payment_accounts
    where tenant_id = ${tenant} and currency = ${currency} and id = any(${asked}::uuid[])`.execute(db);
  const accounts = rows.map(({ id }) => id);
  const isReached = (limits: Limits) => (row: UsedRow) => usageView(limits, row).reached;
  const overAccounts = account.minutes === null ? [] : (await accountsUsed(db, accounts, account.minutes)).filter(isReached(account));
  const overMembers =
    member.minutes === null ? [] : (await membersUsed(db, accounts, member.minutes, mostMembers)).filter(isReached(member));
  const codes = [...new Set(overAccounts.map(({ name }) => name))].toSorted();
  return {
    accounts: { count: codes.length, codes: codes.slice(0, 10) },
    members: new Set(overMembers.map(({ uuid }) => uuid)).size,
    larger: await largerThan(db, accounts, [account, member]),
  };
}

/** The open transactions of these accounts, and those approved within a window, that are larger than one may be. */
async function largerThan(db: Scoped, accounts: readonly string[], scopes: readonly Limits[]): Promise<number> {
  const bounds = scopes.filter(({ amount, minutes }) => amount !== null && minutes !== null);
  const smallest = bounds
    .map(({ amount }) => money(amount ?? "0"))
    .reduce<bigint | null>((least, one) => (least === null || one < least ? one : least), null);
  if (smallest === null) return 0;
  const minutes = Math.max(...bounds.map((limits) => limits.minutes ?? 0));
  const { rows } = await sql<{ n: number }>`select count(*)::integer as n
    from unnest(${accounts}::uuid[]) a (id) cross join (values ('deposit'), ('withdrawal')) k (kind)
    cross join lateral account_window(a.id, k.kind, ${minutes}::integer) w where w.amount > ${moneyText(smallest)}::numeric`.execute(db);
  return rows[0]?.n ?? 0;
}
