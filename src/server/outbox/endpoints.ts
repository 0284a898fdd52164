import { sql } from "kysely";
import type { Database, Scoped } from "../db/scope.ts";

/** A merchant's endpoint with callbacks due that it may be sent now. */
export interface Endpoint {
  readonly tenant_id: string;
  readonly merchant_id: string;
  /** Its last attempt failed. */
  readonly failing: boolean;
}

/** A callback leased to this process, with what sending it takes. */
export interface Leased {
  readonly tenant_id: string;
  readonly merchant_id: string;
  readonly id: string;
  readonly url: string | null;
  readonly body: string;
  readonly attempts: number;
  /** Who asked for this attempt, where somebody did. */
  readonly by: string | null;
  readonly secret: Buffer;
  readonly previous_secret: Buffer | null;
  readonly settings: unknown;
}

/** An endpoint that takes what it is sent is sent so many at once; one not known yet begins with two. */
const mostRoom = 16;
/**
 * Failures in a row after which an endpoint is left alone for a while, then probed with one callback: more than one that takes most of
 * what it is sent has by chance. A time-out weighs as several, because it holds a place all the while.
 */
const [tolerated, weightOfHung] = [9, 3];
const [firstPause, longestPause] = [5, 300];
/** Longer than the time-out of an attempt and of storing what came of it. */
const leaseSeconds = 45;
/** Longer than the whole schedule of attempts: what got no turn for so long at a dead endpoint is given up. */
const givenUpAfter = "76 hours";

/**
 * Endpoints with something due that have room, over all tenants: of each tenant those first that waited longest for a turn, tenants
 * beside each other, and those that fail after all others.
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
      where l.sending < coalesce(e.room, 2) and (e.paused_until is null or e.paused_until <= now())
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
 * Takes up to `want` due callbacks of an endpoint, what a person asked for first. Of one transaction an earlier callback that is being
 * sent is waited for. The endpoint's row is locked meanwhile, so that several processes together keep to its room.
 */
export async function leaseCallbacks(db: Scoped, { tenant_id, merchant_id }: Endpoint, want: number): Promise<Leased[]> {
  // lost in a crash it is leased again, as after any lease that lapses
  await sql`set local synchronous_commit = off`.execute(db);
  const endpoint = await sql<{ room: number; paused: boolean }>`
    insert into callback_endpoints as e (tenant_id, merchant_id) values (${tenant_id}, ${merchant_id})
    on conflict (tenant_id, merchant_id) do update set turn_at = now()
    returning room, coalesce(paused_until > now(), false) as paused`.execute(db);
  const [{ room, paused } = { room: 2, paused: false }] = endpoint.rows;
  // counted in a statement of its own, which sees what those before us at the lock have leased
  const counted = await sql<{ sending: number }>`select count(*)::integer as sending from outbox
    where tenant_id = ${tenant_id} and merchant_id = ${merchant_id} and leased_until > now()`.execute(db);
  const free = room - (counted.rows[0]?.sending ?? 0);
  // one that a person asked for goes beside a full room, or into a pause
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

/** What an attempt says of its endpoint: "hung" is one that ended with its time-out. */
export type Came = "taken" | "refused" | "hung";

/** Keeps what an attempt says of its endpoint. Failures of attempts begun before a pause say nothing new in it. */
export async function noteAttempt(
  db: Scoped,
  { tenant_id, merchant_id }: Pick<Endpoint, "tenant_id" | "merchant_id">,
  came: Came,
): Promise<void> {
  if (came === "taken") {
    await sql`update callback_endpoints set failures = 0, paused_until = null, room = least(room + 1, ${mostRoom})
      where tenant_id = ${tenant_id} and merchant_id = ${merchant_id} and (failures > 0 or room < ${mostRoom})`.execute(db);
    return;
  }
  const weight = came === "hung" ? weightOfHung : 1;
  const { rows } = await sql<{ failures: number }>`
    update callback_endpoints set failures = failures + ${weight}::integer,
      room = case when failures + ${weight}::integer >= ${tolerated} then 1 else greatest(${came === "hung" ? sql`room / 2` : sql`room - 1`}, 1) end,
      paused_until = case when failures + ${weight}::integer >= ${tolerated} then now() + make_interval(secs =>
        least(${firstPause} * power(2, least((failures + ${weight}::integer - ${tolerated}::integer) / ${weightOfHung}::integer, 10)), ${longestPause})
          * (0.8 + 0.4 * random())) end
    where tenant_id = ${tenant_id} and merchant_id = ${merchant_id} and (paused_until is null or paused_until <= now())
    returning failures`.execute(db);
  if ((rows[0]?.failures ?? 0) < tolerated) return;
  await sql`update outbox set state = 'failed', next_attempt_at = null
    where tenant_id = ${tenant_id} and id in (select id from outbox where tenant_id = ${tenant_id} and merchant_id = ${merchant_id}
      and state = 'pending' and next_attempt_at < now() - ${givenUpAfter}::interval and (leased_until is null or leased_until < now())
      limit 1000 for update skip locked)`.execute(db);
}

/** At another address another endpoint answers, of which nothing is known. */
export async function forgetEndpoint(db: Scoped, tenant: string, merchant: string): Promise<void> {
  await sql`delete from callback_endpoints where tenant_id = ${tenant} and merchant_id = ${merchant}`.execute(db);
}
