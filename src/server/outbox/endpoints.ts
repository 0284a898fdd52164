import { sql } from "kysely";
import type { Database, Scoped } from "../db/scope.ts";

/** A merchant's endpoint with due callbacks that can be sent now. */
export interface Endpoint {
  readonly tenant_id: string;
  readonly merchant_id: string;
  /** Its last attempt failed. */
  readonly failing: boolean;
}

/** A callback leased to this process, with what is needed to send it. */
export interface Leased {
  readonly tenant_id: string;
  readonly merchant_id: string;
  readonly id: string;
  readonly url: string | null;
  readonly body: string;
  readonly attempts: number;
  /** The user who requested this attempt; null: it was scheduled. */
  readonly by: string | null;
  readonly secret: Buffer;
  readonly previous_secret: Buffer | null;
  readonly settings: unknown;
}

/** Most callbacks sent at once to an endpoint that accepts them; a new endpoint begins with two. */
const mostRoom = 16;
/**
 * Consecutive failures after which an endpoint is paused and then probed with one callback; more than a mostly working endpoint has by
 * chance. A time-out counts as several, because it occupies a place all the while.
 */
const [tolerated, hungWeight] = [9, 3];
const [firstPause, longestPause] = [5, 300];
/** Longer than an attempt's time-out and storing its result. */
const leaseSeconds = 45;
/** An endpoint that takes nothing for so long is sent nothing more of itself; its callbacks wait until it is enabled. */
const disabledAfter = "5 days";
/** Longer than the whole schedule of attempts: callbacks that got no turn at a dead endpoint for so long are given up. */
const givenUpAfter = "76 hours";

/**
 * Endpoints of all tenants with due callbacks and free places. Failing endpoints come last; tenants take turns, each with the endpoint that
 * has waited longest.
 */
export async function findEndpoints({ worker }: Database, limit: number): Promise<Endpoint[]> {
  const { rows } = await sql<Endpoint>`
    with recursive waiting (tenant_id, merchant_id) as (
      (select tenant_id, merchant_id from outbox where state = 'pending' and next_attempt_at is not null
        order by tenant_id, merchant_id limit 1)
      union all
      select n.tenant_id, n.merchant_id from waiting w cross join lateral (
        select o.tenant_id, o.merchant_id from outbox o where o.state = 'pending' and o.next_attempt_at is not null
          and (o.tenant_id, o.merchant_id) > (w.tenant_id, w.merchant_id) order by o.tenant_id, o.merchant_id limit 1) n),
    ready as (
      select w.tenant_id, w.merchant_id, coalesce(e.failures, 0) > 0 as failing, e.turn_at
      from waiting w
      left join callback_endpoints e on e.tenant_id = w.tenant_id and e.merchant_id = w.merchant_id
      cross join lateral (select count(*) as sending from outbox o where o.tenant_id = w.tenant_id and o.merchant_id = w.merchant_id
        and o.leased_until > now()) l
      where l.sending < coalesce(e.room, 2) and (e.paused_until is null or e.paused_until <= now()) and e.disabled_at is null
        and exists (select from outbox o where o.tenant_id = w.tenant_id and o.merchant_id = w.merchant_id and o.state = 'pending'
          and o.next_attempt_at <= now() and (o.leased_until is null or o.leased_until < now()))
      or l.sending <= coalesce(e.room, 2)
        and exists (select from outbox o where o.tenant_id = w.tenant_id and o.merchant_id = w.merchant_id and o.requested_by is not null
          and o.state = 'pending' and o.next_attempt_at <= now() and (o.leased_until is null or o.leased_until < now())))
    select tenant_id, merchant_id, failing from ready
    order by failing, row_number() over (partition by tenant_id, failing order by turn_at nulls first), turn_at nulls first limit ${limit}`.execute(
    worker,
  );
  return rows;
}

/**
 * Leases up to `want` due callbacks of an endpoint, those a user requested first. A callback waits while an earlier one of its transaction
 * is being sent. The endpoint's row is locked meanwhile, so that all processes together respect its limit.
 */
export async function leaseCallbacks(db: Scoped, { tenant_id, merchant_id }: Endpoint, want: number): Promise<Leased[]> {
  // a lease lost in a crash is taken again, like any that lapses
  await sql`set local synchronous_commit = off`.execute(db);
  const endpoint = await sql<{ room: number; paused: boolean }>`
    insert into callback_endpoints as e (tenant_id, merchant_id) values (${tenant_id}, ${merchant_id})
    on conflict (tenant_id, merchant_id) do update set turn_at = now()
    returning room, coalesce(paused_until > now(), false) or disabled_at is not null as paused`.execute(db);
  const [{ room, paused } = { room: 2, paused: false }] = endpoint.rows;
  // a statement of its own, because it must see leases committed before the lock was ours
  const counted = await sql<{ sending: number }>`select count(*)::integer as sending from outbox
    where tenant_id = ${tenant_id} and merchant_id = ${merchant_id} and leased_until > now()`.execute(db);
  const free = room - (counted.rows[0]?.sending ?? 0);
  // a requested callback may exceed the limit by one, and is sent during a pause
  const most = Math.min(want, Math.max(paused ? 0 : free, free >= 0 ? 1 : 0));
  if (most <= 0) return [];
  const askedOnly = paused || free <= 0;
  const { rows } = await sql<Leased>`
    with taken as (
      select o.id from outbox o
      where o.tenant_id = ${tenant_id} and o.merchant_id = ${merchant_id} and o.state = 'pending' and o.next_attempt_at <= now()
        and (o.leased_until is null or o.leased_until < now()) and (o.requested_by is not null or not ${askedOnly}::boolean)
        and not exists (select from outbox e where e.tenant_id = o.tenant_id and e.transaction_id = o.transaction_id
          and e.event_n < o.event_n and e.leased_until > now())
      order by o.requested_by is null, o.next_attempt_at limit ${most} for update of o skip locked)
    update outbox o set leased_until = now() + make_interval(secs => ${leaseSeconds}), url = m.callback_url, requested_by = null
    from taken, merchants m, tenants t
    where o.tenant_id = ${tenant_id} and o.id = taken.id and m.tenant_id = o.tenant_id and m.id = o.merchant_id and t.id = o.tenant_id
    returning o.tenant_id, o.id, o.merchant_id, o.url, o.body, o.attempts, old.requested_by as by, m.secret,
      case when m.previous_secret_until > now() then m.previous_secret end as previous_secret, t.settings`.execute(db);
  return rows;
}

/** The result of an attempt; "hung": it timed out. */
export type AttemptResult = "taken" | "refused" | "hung";

/**
 * Records the result of an attempt at its endpoint. Failures of attempts begun before a pause do not prolong it. Answers whether this one
 * disabled the endpoint.
 */
export async function noteAttempt(
  db: Scoped,
  { tenant_id, merchant_id }: Pick<Endpoint, "tenant_id" | "merchant_id">,
  result: AttemptResult,
): Promise<boolean> {
  if (result === "taken") {
    await sql`update callback_endpoints set failures = 0, failing_since = null, disabled_at = null, paused_until = null,
        room = least(room + 1, ${mostRoom})
      where tenant_id = ${tenant_id} and merchant_id = ${merchant_id} and (failures > 0 or room < ${mostRoom})`.execute(db);
    return false;
  }
  const weight = result === "hung" ? hungWeight : 1;
  const { rows } = await sql<{ failures: number; disabled: boolean }>`
    update callback_endpoints set failures = failures + ${weight}::integer, failing_since = case when failures > 0 then coalesce(failing_since, now()) else now() end,
      disabled_at = coalesce(disabled_at, case when failures > 0 and failing_since <= now() - ${disabledAfter}::interval then now() end),
      room = case when failures + ${weight}::integer >= ${tolerated} then 1 else greatest(${result === "hung" ? sql`room / 2` : sql`room - 1`}, 1) end,
      paused_until = case when failures + ${weight}::integer >= ${tolerated} then now() + make_interval(secs =>
        least(${firstPause} * power(2, least((failures + ${weight}::integer - ${tolerated}::integer) / ${hungWeight}::integer, 10)), ${longestPause})
          * (0.8 + 0.4 * random())) end
    where tenant_id = ${tenant_id} and merchant_id = ${merchant_id} and (paused_until is null or paused_until <= now())
    returning failures, old.disabled_at is null and disabled_at is not null as disabled`.execute(db);
  const disabled = rows[0]?.disabled ?? false;
  if ((rows[0]?.failures ?? 0) < tolerated) return disabled;
  await sql`update outbox set state = 'failed', next_attempt_at = null
    where tenant_id = ${tenant_id} and id in (select id from outbox where tenant_id = ${tenant_id} and merchant_id = ${merchant_id}
      and state = 'pending' and next_attempt_at < now() - ${givenUpAfter}::interval and (leased_until is null or leased_until < now())
      limit 1000 for update skip locked)`.execute(db);
  return disabled;
}

/** Forgets an endpoint whose address has changed, because another server answers there. */
export async function forgetEndpoint(db: Scoped, tenant: string, merchant: string): Promise<void> {
  await sql`delete from callback_endpoints where tenant_id = ${tenant} and merchant_id = ${merchant}`.execute(db);
}
