import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { Dashboard, dashboardRoutes, DayFigures } from "../../contract/dashboard.ts";
import { amountText, money, moneyText } from "../../values/money.ts";
import type { StaffCall } from "../call.ts";
import type { Scoped } from "../db/scope.ts";
import { inTenant } from "../db/scope.ts";
import type { Handlers } from "../handlers.ts";
import { isCritical } from "../payments/critical.ts";
import { operatorsOf } from "../payments/notifications.ts";
import { settingsOf } from "../settings/settings.ts";

/** Most rows of a table on the dashboard. */
const most = 9;
/** Edges of the age bars, in tenths of the time after which a row is red; the last bar is open. */
const tenths = [0, 1, 2, 3, 4, 5, 6, 7, 8, 10] as const;

/** The current day in the currency's zone, its start, and the start of the day before. */
interface Day {
  readonly day: string;
  readonly start: RawBuilder<Date>;
  readonly before: RawBuilder<Date>;
  /** Minutes east of UTC. */
  readonly zone: number;
}

async function dayOf(db: Scoped, { currencyFacts: { zoneMinutes } }: StaffCall): Promise<Day> {
  const zone = Math.trunc(zoneMinutes);
  const { rows } = await sql<{ day: string }>`select local_day(now(), ${zone}::integer)::text as day`.execute(db);
  const day = rows[0]?.day ?? "";
  const start = sql<Date>`day_start(${day}::date, ${zone}::integer)`;
  return { day, zone, start, before: sql<Date>`(${start} - interval '1 day')` };
}

/** Decided withdrawals or approved deposits since `since`; uses the index on the last action. */
function decided({ tenant, currency }: StaffCall, kind: "deposit" | "withdrawal", since: RawBuilder<Date>) {
  return sql`transactions t where t.tenant_id = ${tenant} and t.currency = ${currency} and t.kind = ${sql.lit(kind)}
    and t.last_action_at >= ${since} and t.status in ('approved', 'completed', 'rejected')
    and coalesce(t.approved_at, t.rejected_at) >= ${since}`;
}

interface HourRow {
  kind: "deposit" | "withdrawal";
  today: boolean;
  hour: number;
  count: number;
  amount: string;
  median: number | null;
  p95: number | null;
}

const seconds = sql`extract(epoch from t.approved_at - t.created_at)`;
const medianOf = sql<number | null>`(percentile_disc(0.5) within group (order by ${seconds}))::integer`;
const p95Of = sql<number | null>`(percentile_disc(0.95) within group (order by ${seconds}))::integer`;

async function hoursOf(db: Scoped, call: StaffCall, { start, before, zone }: Day): Promise<HourRow[]> {
  const one = (kind: "deposit" | "withdrawal") => sql<HourRow>`
    select ${sql.lit(kind)}::text as kind, t.approved_at >= ${start} as today,
      extract(hour from (t.approved_at at time zone 'UTC') + make_interval(mins => ${zone}::integer))::integer as hour,
      count(*)::integer as count, sum(t.amount)::text as amount, ${medianOf} as median, ${p95Of} as p95
    from ${decided(call, kind, before)} and t.approved_at is not null and t.status <> 'rejected' group by 1, 2, 3`;
  const { rows } = await sql<HourRow>`${one("deposit")} union all ${one("withdrawal")}`.execute(db);
  return rows;
}

/** The figures of today up to now, and of yesterday up to the same time. */
async function figuresOf(db: Scoped, call: StaffCall, { start, before }: Day): Promise<{ today: DayFigures; yesterday: DayFigures }> {
  interface Row {
    kind: "deposit" | "withdrawal";
    today: boolean;
    count: number;
    amount: string | null;
    fees: string | null;
    rejected: number;
    median: number | null;
    p95: number | null;
  }
  const one = (kind: "deposit" | "withdrawal") => sql<Row>`
    select ${sql.lit(kind)}::text as kind, coalesce(t.approved_at, t.rejected_at) >= ${start} as today,
      count(*) filter (where t.status <> 'rejected')::integer as count,
      (sum(t.amount) filter (where t.status <> 'rejected'))::text as amount,
      (sum(t.fee) filter (where t.status <> 'rejected'))::text as fees,
      count(*) filter (where t.status = 'rejected')::integer as rejected, ${medianOf} as median, ${p95Of} as p95
    from ${decided(call, kind, before)}
      and (coalesce(t.approved_at, t.rejected_at) >= ${start} or coalesce(t.approved_at, t.rejected_at) < now() - interval '1 day')
    group by 1, 2`;
  const { rows } = await sql<Row>`${one("deposit")} union all ${one("withdrawal")}`.execute(db);
  const of = (today: boolean): DayFigures => {
    const [deposits, withdrawals] = (["deposit", "withdrawal"] as const).map((kind) =>
      rows.find((row) => row.kind === kind && row.today === today),
    );
    const sum = (...texts: (string | null | undefined)[]) => moneyText(texts.reduce((total, text) => total + money(text ?? "0"), 0n));
    return {
      deposits: { count: deposits?.count ?? 0, amount: sum(deposits?.amount) },
      withdrawals: { count: withdrawals?.count ?? 0, amount: sum(withdrawals?.amount) },
      fees: sum(deposits?.fees, withdrawals?.fees),
      approval_rate: percent(withdrawals?.count ?? 0, (withdrawals?.count ?? 0) + (withdrawals?.rejected ?? 0)),
      rejected: withdrawals?.rejected ?? 0,
      median_seconds: withdrawals?.median ?? null,
      p95_seconds: withdrawals?.p95 ?? null,
    };
  };
  return { today: of(true), yesterday: of(false) };
}

/** Percent with one decimal; null: nothing to divide by. */
const percent = (part: number, whole: number): number | null => (whole === 0 ? null : Math.round((part / whole) * 1000) / 10);

async function queueOf(db: Scoped, { tenant, currency }: StaffCall): Promise<Dashboard["queue"]> {
  const { sla } = await settingsOf(db, tenant);
  const { rows } = await sql<{ at: Date }>`select created_at as at from transactions
    where tenant_id = ${tenant} and currency = ${currency} and kind = 'withdrawal' and status in ('pending', 'process')
    order by created_at`.execute(db);
  const now = Date.now();
  const minutes = rows.map(({ at }) => (now - at.getTime()) / 60_000);
  const edges = tenths.map((tenth) => (tenth * sla.red_minutes) / 10);
  return {
    open: rows.length,
    oldest_at: rows[0]?.at.toISOString() ?? null,
    amber_minutes: sla.amber_minutes,
    red_minutes: sla.red_minutes,
    ages: edges.map((from, at) => {
      const to = edges[at + 1] ?? null;
      return { from, to, count: minutes.filter((age) => age >= from && (to === null || age < to)).length };
    }),
  };
}

async function merchantsOf(db: Scoped, call: StaffCall, { start }: Day): Promise<Dashboard["merchants"]> {
  const { rows } = await sql<{ uuid: string; name: string; count: number; amount: string; decided: number }>`
    with of_day as (
      select t.merchant_id, t.amount, t.status from ${decided(call, "deposit", start)}
      union all select t.merchant_id, t.amount, t.status from ${decided(call, "withdrawal", start)}
    )
    select m.id as uuid, m.name, count(*) filter (where d.status <> 'rejected')::integer as count, count(*)::integer as decided,
      coalesce(sum(d.amount) filter (where d.status <> 'rejected'), 0)::text as amount
    from of_day d join merchants m on m.tenant_id = ${call.tenant} and m.id = d.merchant_id
    group by m.id, m.name order by coalesce(sum(d.amount) filter (where d.status <> 'rejected'), 0) desc, m.name limit ${most}`.execute(db);
  return rows.map(({ decided: all, ...row }) => ({ ...row, amount: amountText(row.amount), approval_rate: percent(row.count, all) }));
}

async function accountsOf(db: Scoped, { tenant, currency }: StaffCall): Promise<Dashboard["accounts"]> {
  const { rows } = await sql<{ uuid: string; code: string; balance: string; threshold: string; since: Date | null }>`
    select a.id as uuid, a.code, l.balance::text, a.threshold::text, a.critical_since as since
    from payment_accounts a join ledger_accounts l on l.tenant_id = a.tenant_id and l.id = a.ledger_account_id
    where a.tenant_id = ${tenant} and a.currency = ${currency} and ${isCritical}
    order by a.critical_since nulls last, a.code limit ${most}`.execute(db);
  return rows.map((row) => ({
    ...row,
    balance: amountText(row.balance),
    threshold: amountText(row.threshold),
    since: row.since?.toISOString() ?? null,
  }));
}

/** Callbacks of 24 hours by merchant; outbox ids begin with their time, so a day is a range of the primary key. */
async function callbacksOf(db: Scoped, { tenant, currency }: StaffCall): Promise<Dashboard["callbacks"]> {
  const { rows } = await sql<{
    uuid: string;
    name: string;
    sent: number;
    tried: number;
    first: number;
    waiting: number;
    oldest: Date | null;
  }>`
    select m.id as uuid, m.name, count(*) filter (where o.state = 'delivered')::integer as sent,
      count(*) filter (where o.attempts > 0)::integer as tried,
      count(*) filter (where o.state = 'delivered' and o.attempts = 1)::integer as first,
      count(*) filter (where o.state in ('pending', 'failed') and o.attempts > 0)::integer as waiting,
      min(o.created_at) filter (where o.state in ('pending', 'failed') and o.attempts > 0) as oldest
    from outbox o join merchants m on m.tenant_id = o.tenant_id and m.id = o.merchant_id and m.currency = ${currency}
    where o.tenant_id = ${tenant} and o.id >= uuidv7(interval '-24 hours') and o.state <> 'cancelled'
    group by m.id, m.name order by 6 desc, 3 desc, m.name limit ${most}`.execute(db);
  return rows.map(({ uuid, name, sent, tried, first, waiting, oldest }) => ({
    uuid,
    name,
    sent,
    first_try: percent(first, tried),
    waiting,
    oldest_at: oldest?.toISOString() ?? null,
  }));
}

async function dashboard(db: Scoped, call: StaffCall): Promise<Dashboard> {
  const day = await dayOf(db, call);
  // one after the other, because they share one connection
  const rows = await hoursOf(db, call, day);
  const of = (kind: HourRow["kind"], hour: number, today: boolean) =>
    rows.find((row) => row.kind === kind && row.hour === hour && row.today === today);
  const flow = (row: HourRow | undefined) => ({ count: row?.count ?? 0, amount: amountText(row?.amount ?? "0") });
  return {
    day: day.day,
    as_of: new Date().toISOString(),
    ...(await figuresOf(db, call, day)),
    hours: Array.from({ length: 24 }, (_, hour) => {
      const withdrawals = of("withdrawal", hour, true);
      return {
        hour,
        deposits: flow(of("deposit", hour, true)),
        withdrawals: flow(withdrawals),
        deposits_yesterday: flow(of("deposit", hour, false)).amount,
        median_seconds: withdrawals?.median ?? null,
        p95_seconds: withdrawals?.p95 ?? null,
      };
    }),
    queue: await queueOf(db, call),
    merchants: await merchantsOf(db, call, day),
    accounts: await accountsOf(db, call),
    callbacks: await callbacksOf(db, call),
    operators: await operatorsOf(db, call),
  };
}

/** The dashboard: what the day brought, what is waiting, and where it is stuck (dashboard.view). */
export const dashboardHandlers: Handlers<typeof dashboardRoutes, StaffCall> = {
  async readDashboard(call) {
    return { data: await inTenant(call.deps.database, call.tenant, (db) => dashboard(db, call)) };
  },
};
