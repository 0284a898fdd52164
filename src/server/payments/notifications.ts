import { sql } from "kysely";
import type { NotificationDetails } from "../../contract/notifications.ts";
import type { notificationRoutes } from "../../contract/notifications.ts";
import { counterPermissions, eventPermissions } from "../../contract/notifications.ts";
import { Refusal } from "../../contract/problems.ts";
import type { StaffCall } from "../call.ts";
import type { Database, Scoped } from "../db/scope.ts";
import { inTenant } from "../db/scope.ts";
import type { TransactionKind } from "../db/tables/kinds.ts";
import { currentDowntimes } from "../game-provider/downtime-rows.ts";
import { alarmedWatchers } from "../game-provider/watching.ts";
import type { Handlers } from "../handlers.ts";
import { authorizeChannel } from "../realtime/auth.ts";
import { tenantOfChannel, tenantOfRightsChannel } from "../realtime/protocol.ts";
import type { Counts } from "../realtime/publish.ts";
import { shiftHours } from "../../contract/shifts.ts";
import { settingsOf } from "../settings/settings.ts";
import { isCritical } from "./critical.ts";
import { kindsSeen } from "./kinds-seen.ts";
import { waitingStatus } from "./decision-kind.ts";

/** Minutes of a counter's trend, one point each. */
const trendMinutes = 15;

async function read(db: Scoped, tenant: string, currency: string | null): Promise<Counts[]> {
  const { rows } = await sql<{ currency: string; deposits: number; withdrawals: number; accounts: number }>`
    select c.code as currency,
      (select count(*)::integer from transactions t where t.tenant_id = c.tenant_id and t.currency = c.code and t.kind = 'deposit'
        and t.status = 'process') as deposits,
      (select count(*)::integer from transactions t where t.tenant_id = c.tenant_id and t.currency = c.code and t.kind = 'withdrawal'
        and t.status = 'pending') as withdrawals,
      (select count(*)::integer from payment_accounts a where a.tenant_id = c.tenant_id and a.currency = c.code and ${isCritical}) as accounts
    from currencies c where c.tenant_id = ${tenant} ${currency === null ? sql`` : sql`and c.code = ${currency}`} order by c.position`.execute(
    db,
  );
  return rows.map((row) => ({
    currency: row.currency,
    processDepositCount: row.deposits,
    pendingWithdrawalCount: row.withdrawals,
    criticalAccountCount: row.accounts,
  }));
}

/** A tenant's current counters, one entry per currency. */
export async function countsOfTenant(database: Database, tenant: string): Promise<Counts[]> {
  return inTenant(database, tenant, (db) => read(db, tenant, null));
}

export async function counts(database: Database, tenant: string, currency: string): Promise<Counts> {
  const [found] = await inTenant(database, tenant, (db) => read(db, tenant, currency));
  return found ?? { currency, processDepositCount: 0, pendingWithdrawalCount: 0, criticalAccountCount: 0 };
}

type Trend = NonNullable<NotificationDetails["deposits"]>;

/** Computed backwards: the count at the end of a minute is the current one, less rows added since, plus rows removed since. */
async function trendOf(db: Scoped, { tenant, currency }: StaffCall, kind: TransactionKind, count: number): Promise<Trend> {
  const status = waitingStatus[kind];
  const { rows } = await sql<{ minutes_ago: number; change: number }>`
    select least(floor(extract(epoch from clock_timestamp() - e.at) / 60), ${trendMinutes - 1})::integer as minutes_ago,
      sum(case when e.to_status = ${status} then 1 else -1 end)::integer as change
    from transaction_events e
    join transactions t on t.tenant_id = e.tenant_id and t.id = e.transaction_id and t.currency = ${currency}
    where e.tenant_id = ${tenant} and e.at > statement_timestamp() - make_interval(mins => ${trendMinutes}) and e.kind = ${kind}
      and (e.to_status = ${status}) <> (e.from_status = ${status})
    group by 1`.execute(db);
  const oldest = await sql<{ at: Date }>`select created_at as at from transactions
    where tenant_id = ${tenant} and currency = ${currency} and kind = ${sql.lit(kind)} and status = ${status}
    order by created_at limit 1`.execute(db);
  const changes = new Map(rows.map(({ minutes_ago, change }) => [minutes_ago, change]));
  return { ...trend(count, (minute) => changes.get(minute) ?? 0), oldest_at: oldest.rows[0]?.at.toISOString() ?? null };
}

/** `changed(n)`: the change between n + 1 and n minutes ago. */
function trend(count: number, changed: (minutesAgo: number) => number): { change: number; points: number[] } {
  const points = [count];
  let then = count;
  for (let minute = 0; minute < trendMinutes; minute++) {
    then -= changed(minute);
    if (minute < trendMinutes - 1) points.unshift(then);
  }
  return { change: count - then, points };
}

async function accountTrend(db: Scoped, { tenant, currency }: StaffCall, count: number): Promise<Trend> {
  const { rows } = await sql<{ minutes_ago: number; at: Date }>`
    select floor(extract(epoch from clock_timestamp() - critical_since) / 60)::integer as minutes_ago, critical_since as at
    from payment_accounts a where a.tenant_id = ${tenant} and a.currency = ${currency} and ${isCritical}
      and critical_since is not null order by critical_since`.execute(db);
  return {
    ...trend(count, (minute) => rows.filter(({ minutes_ago }) => minutes_ago === minute).length),
    oldest_at: rows[0]?.at.toISOString() ?? null,
  };
}

async function disabledEndpoints(db: Scoped, tenant: string, currency: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::integer as count from callback_endpoints e
    join merchants m on m.tenant_id = e.tenant_id and m.id = e.merchant_id and m.currency = ${currency} and m.callback_url is not null
    where e.tenant_id = ${tenant} and e.disabled_at is not null`.execute(db);
  return rows[0]?.count ?? 0;
}

/** What each operator has claimed, and how many they decided within the last hour, of the kinds the caller may see. */
export async function operatorsOf(db: Scoped, call: StaffCall): Promise<NonNullable<NotificationDetails["operators"]>> {
  const { tenant, currency } = call;
  const kinds = kindsSeen(call);
  const { rows } = await sql<{ name: string; doing: string | null; decided: number }>`
    with holding as (
      select distinct on (claimed_by) claimed_by as id, txn_no from transactions
      where tenant_id = ${tenant} and currency = ${currency} and claimed_by is not null and claim_until > statement_timestamp()
        and kind = any(${kinds}::text[])
      order by claimed_by, claimed_at desc
    ), deciding as (
      select e.by_user as id, count(*)::integer as decided from transaction_events e
      join transactions t on t.tenant_id = e.tenant_id and t.id = e.transaction_id and t.currency = ${currency}
      where e.tenant_id = ${tenant} and e.at > statement_timestamp() - interval '60 minutes' and e.by_user is not null
        and e.kind = any(${kinds}::text[]) and e.act in ('approve', 'first-approve', 'second-approve', 'reject')
      group by 1
    )
    select u.name, h.txn_no as doing, coalesce(d.decided, 0) as decided
    from holding h full join deciding d on d.id = h.id join users u on u.id = coalesce(h.id, d.id)
    order by h.txn_no is null, decided desc, u.name limit 50`.execute(db);
  return rows;
}

/** The withdrawals decided since the currency's day began. */
async function todayOf(db: Scoped, call: StaffCall): Promise<NonNullable<NotificationDetails["today"]>> {
  const { tenant, currency, currencyFacts } = call;
  const start = sql`day_start(local_day(now(), ${currencyFacts.zoneMinutes}::integer), ${currencyFacts.zoneMinutes}::integer)`;
  const today = sql`from transactions t where t.tenant_id = ${tenant} and t.currency = ${currency} and t.kind = 'withdrawal'
    and t.last_action_at >= ${start} and coalesce(t.approved_at, t.rejected_at) >= ${start}`;
  const totals = await sql<{ decided: number; median: number | null; p95: number | null; rejected: number }>`
    select count(*)::integer as decided, count(t.rejected_at)::integer as rejected,
      percentile_disc(0.5) within group (order by extract(epoch from t.approved_at - t.created_at))::integer as median,
      percentile_disc(0.95) within group (order by extract(epoch from t.approved_at - t.created_at))::integer as p95
    ${today} and t.status in ('approved', 'rejected', 'completed')`.execute(db);
  const reasons = await sql<{ code: string; count: number }>`select t.reject_reason as code, count(*)::integer as count
    ${today} and t.status = 'rejected' group by 1 order by 2 desc`.execute(db);
  const recalled = await sql<{ count: number }>`select count(*)::integer as count from transaction_events e
    join transactions t on t.tenant_id = e.tenant_id and t.id = e.transaction_id and t.currency = ${currency}
    where e.tenant_id = ${tenant} and e.at >= ${start} and e.act = 'recall' and e.kind = 'withdrawal'`.execute(db);
  const { reject_reasons } = await settingsOf(db, tenant);
  const presets = new Map<string, number>();
  for (const { code, count } of reasons.rows) {
    const name = reject_reasons.some((preset) => preset.code === code) ? code : "other";
    presets.set(name, (presets.get(name) ?? 0) + count);
  }
  const total = totals.rows[0];
  return {
    decided: total?.decided ?? 0,
    median_seconds: total?.median ?? null,
    p95_seconds: total?.p95 ?? null,
    recalled: recalled.rows[0]?.count ?? 0,
    rejected: total?.rejected ?? 0,
    reasons: [...presets].map(([code, count]) => ({ code, count })),
  };
}

/** Hand-overs of the last hours that the caller has not seen. */
async function unreadHandOvers(db: Scoped, { tenant, caller }: StaffCall): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::integer as n from hand_overs h
    where h.tenant_id = ${tenant} and h.created_at > now() - make_interval(hours => ${shiftHours}) and h.by_user <> ${caller.id}
      and not exists (select from hand_over_readers r where r.tenant_id = h.tenant_id and r.hand_over_id = h.id and r.user_id = ${caller.id})`.execute(
    db,
  );
  return rows[0]?.n ?? 0;
}

async function details(db: Scoped, call: StaffCall): Promise<NotificationDetails> {
  const { caller, tenant, currency } = call;
  const may = (event: keyof typeof counterPermissions) => caller.permissions.has(counterPermissions[event]);
  const [now] = await read(db, tenant, currency);
  const deposits = may("deposit") ? (now?.processDepositCount ?? 0) : null;
  const withdrawals = may("withdraw") ? (now?.pendingWithdrawalCount ?? 0) : null;
  const accounts = may("paymentAccount") ? (now?.criticalAccountCount ?? 0) : null;
  const open = await sql<{ open: number }>`select count(*)::integer as open from transactions
    where tenant_id = ${tenant} and claimed_by = ${caller.id}`.execute(db);
  const disabled = caller.permissions.has("pas.merchant.merchants.view") ? await disabledEndpoints(db, tenant, currency) : undefined;
  return {
    ...(disabled !== undefined && { disabledEndpointCount: disabled }),
    ...(caller.permissions.has(eventPermissions.scoreWatcher) && { alarmedWatcherCount: await alarmedWatchers(db, tenant, currency) }),
    ...(caller.permissions.has(eventPermissions.downtime) && { downtimes: await currentDowntimes(db, tenant, currency) }),
    // counters the caller may not see are 0
    processDepositCount: deposits ?? 0,
    pendingWithdrawalCount: withdrawals ?? 0,
    criticalAccountCount: accounts ?? 0,
    ...(deposits !== null && { deposits: await trendOf(db, call, "deposit", deposits) }),
    ...(accounts !== null && { accounts: await accountTrend(db, call, accounts) }),
    ...(withdrawals !== null && {
      withdrawals: await trendOf(db, call, "withdrawal", withdrawals),
      today: await todayOf(db, call),
    }),
    ...((deposits !== null || withdrawals !== null) && {
      claims: { open: open.rows[0]?.open ?? 0, limit: (await settingsOf(db, tenant)).claim_limit },
      operators: await operatorsOf(db, call),
      unreadHandOverCount: await unreadHandOvers(db, call),
    }),
  };
}

export const notificationHandlers: Handlers<typeof notificationRoutes, StaffCall> = {
  async readNotificationDetails(call) {
    return { data: await inTenant(call.deps.database, call.tenant, (db) => details(db, call)) };
  },

  authorizeChannel: (call, { body }) => signed(call, body, tenantOfChannel),
  // a hosted service would tell of nobody's rights
  authorizeRightsChannel: (call, { body }) => signed(call, body, call.deps.realtime.embedded ? tenantOfRightsChannel : () => null),
};

async function signed(
  { deps, caller, tenant }: StaffCall,
  { socket_id, channel_name }: { socket_id: string; channel_name: string },
  tenantOf: (channel: string) => string | null,
): Promise<{ data: { auth: string } }> {
  const data = await authorizeChannel(
    { pool: deps.database.pool, service: deps.realtime },
    { socketId: socket_id, channel: channel_name, caller: { userId: caller.id, tenantId: tenant, sessionId: caller.session } },
    tenantOf,
  );
  if (!data) throw new Refusal("realtime.refused");
  return { data };
}
