import { sql } from "kysely";
import type { House } from "../call.ts";
import { isDevelopment } from "../config.ts";
import type { Scoped } from "../db/scope.ts";
import { inTenant } from "../db/scope.ts";
import { completeAfterCallback } from "../payments/lapses.ts";
import { merchantSecretPlace } from "../secrets/secrets.ts";
import { readSettings } from "../settings/settings.ts";
import { postCallback } from "./post.ts";
import type { Posted, PostOptions } from "./post.ts";
import { nextDelay } from "./schedule.ts";
import { signCallback } from "./sign.ts";

interface Dispatcher {
  /** Starts what is due, as far as there is room; resolves when it has been started. */
  round(): Promise<void>;
  /** Waits for what is being sent; after `patienceMs` it is cut off and sent again by whoever finds the lease lapsed. */
  stop(patienceMs?: number): Promise<void>;
  /** Resolves when nothing is being sent. */
  idle(): Promise<void>;
}

export interface DispatchOptions {
  readonly timeoutMs?: number;
  readonly resolve?: PostOptions["resolve"];
}

const room = 32;
/** Due callbacks looked up at once; each is asked again when it is leased. */
const atOnce = 128;
/** One endpoint that hangs takes no more than this of the room. */
const perMerchant = 6;
/** Longer than the time-out of an attempt and of storing what came of it. */
const leaseSeconds = 45;
const refillMs = 40;

interface Due {
  readonly tenant_id: string;
  readonly id: string;
  readonly merchant_id: string;
}

/** A callback leased to this process, with what sending it takes. */
interface Leased extends Due {
  readonly url: string | null;
  readonly body: string;
  readonly attempts: number;
  readonly secret: Buffer;
  readonly previous_secret: Buffer | null;
  readonly settings: unknown;
}

/**
 * Delivers callbacks. Of one transaction the earlier goes first; a callback is leased before it is sent, so that
 * several processes never send the same one at once, and the network is never waited for inside a transaction.
 */
export function createDispatcher(house: House, options: DispatchOptions = {}): Dispatcher {
  const sending = new Map<string, { merchant: string; done: Promise<void> }>();
  const cut = new AbortController();
  let stopped = false;

  let found: Due[] = [];
  let looking: Promise<void> | undefined;
  let refill: NodeJS.Timeout | undefined;

  const round = () => (looking ??= look().finally(() => (looking = undefined)));

  async function look(): Promise<void> {
    if (stopped || sending.size >= room) return;
    if (found.length === 0) found = await findDue(house, [...sending.keys()]);
    while (found.length > 0 && sending.size < room) {
      const one = found.shift();
      if (!one) return;
      const ofMerchant = [...sending.values()].filter(({ merchant }) => merchant === one.merchant_id).length;
      if (stopped || ofMerchant >= perMerchant) continue;
      const leased = await inTenant(house.database, one.tenant_id, (db) => lease(db, one));
      if (!leased) continue;
      const done = deliver(leased)
        .catch((error: unknown) =>
          house.log.error({ err: error, callback: leased.id }, "callback attempt not stored; its lease will lapse"),
        )
        .finally(() => {
          sending.delete(leased.id);
          lookSoon();
        });
      sending.set(leased.id, { merchant: leased.merchant_id, done });
    }
  }

  /** Room was made, and where one was due there may be more: no need to wait for the next sweep. */
  function lookSoon(): void {
    if (stopped || refill) return;
    refill = setTimeout(() => {
      refill = undefined;
      round().catch((error: unknown) => house.log.warn({ err: error }, "looking for callbacks failed; the next sweep looks again"));
    }, refillMs).unref();
  }

  async function deliver(leased: Leased): Promise<void> {
    const place = merchantSecretPlace(leased.tenant_id, leased.merchant_id);
    const secrets = [leased.secret, leased.previous_secret]
      .filter((sealed) => sealed !== null)
      .map((sealed) => house.secrets.open(sealed, place));
    const posted: Posted = leased.url
      ? await postCallback(leased.url, leased.body, signCallback(secrets, leased.id, new Date(), leased.body), {
          ...options,
          // the stored switch may come from a copy of a development database
          loopback: isDevelopment(house.config) && readSettings(leased.settings).loopback_callbacks,
          signal: cut.signal,
        })
      : { status: null, milliseconds: 0, answer: null, error: "the merchant has no callback URL" };
    if (cut.signal.aborted) return;
    const completed = await inTenant(house.database, leased.tenant_id, (db) => store(db, leased, posted));
    if (completed) house.publisher.changed(leased.tenant_id, completed.kind === "deposit" ? "deposit" : "withdraw", [completed.id]);
  }

  const idle = async () => {
    await Promise.all([...sending.values()].map(({ done }) => done));
  };
  return {
    round,
    idle,
    async stop(patienceMs = 5_000) {
      stopped = true;
      clearTimeout(refill);
      await looking?.catch(() => undefined); // the sweep has heard of it
      const timer = setTimeout(() => cut.abort(), patienceMs).unref();
      await idle();
      clearTimeout(timer);
    },
  };
}

/** Due callbacks over all tenants, without those whose transaction has an earlier one still under way. */
async function findDue({ database }: House, sending: readonly string[]): Promise<Due[]> {
  const { rows } = await sql<Due>`
    select o.tenant_id, o.id, o.merchant_id from (
      select d.*, row_number() over (partition by d.merchant_id order by d.next_attempt_at) as place from (
        select * from outbox where state = 'pending' and next_attempt_at <= now() and (leased_until is null or leased_until < now())
          and id <> all(${sending}::uuid[])
        order by next_attempt_at limit 500) d
      where not exists (select from outbox e where e.tenant_id = d.tenant_id and e.transaction_id = d.transaction_id
        and e.event_n < d.event_n and e.state = 'pending' and e.next_attempt_at is not null)) o
    where o.place <= ${perMerchant}
    order by o.next_attempt_at limit ${atOnce}`.execute(database.worker);
  return rows;
}

async function lease(db: Scoped, { tenant_id, id }: Due): Promise<Leased | undefined> {
  const { rows } = await sql<Leased>`
    with taken as (
      -- coalesce: found by its id, never by the index of what is due, however few those were when this was planned
      select o.tenant_id, o.id from outbox o where o.tenant_id = ${tenant_id} and o.id = ${id} and coalesce(
        o.state = 'pending' and o.next_attempt_at <= now() and (o.leased_until is null or o.leased_until < now()), false)
      for update skip locked)
    update outbox o set leased_until = now() + make_interval(secs => ${leaseSeconds}), url = coalesce(o.url, m.callback_url)
    from taken, merchants m, tenants t
    where o.tenant_id = taken.tenant_id and o.id = taken.id and m.tenant_id = o.tenant_id and m.id = o.merchant_id and t.id = o.tenant_id
    returning o.tenant_id, o.id, o.merchant_id, o.url, o.body, o.attempts, m.secret,
      case when m.previous_secret_until > now() then m.previous_secret end as previous_secret, t.settings`.execute(db);
  return rows[0];
}

/** Keeps the attempt and what follows from it; answers the transaction it completed. */
async function store(
  db: Scoped,
  { tenant_id, id, attempts }: Leased,
  posted: Posted,
): Promise<{ kind: "deposit" | "withdrawal"; id: string } | null> {
  // the transaction before its callback, as everywhere: two in the other order would wait for each other
  const { rows } = await sql<{ transaction_id: string; event_n: number; requested_by: string | null; delivered_at: Date | null }>`
    select o.transaction_id, o.event_n, o.requested_by, o.delivered_at from outbox o
    join transactions t on t.tenant_id = o.tenant_id and t.id = o.transaction_id
    where o.tenant_id = ${tenant_id} and o.id = ${id} and o.attempts = ${attempts} and o.leased_until is not null
    for update of t`.execute(db);
  const [row] = rows;
  // its lease lapsed and another process has stored an attempt since
  if (!row) return null;
  const locked = await sql<{
    attempts: number;
  }>`select attempts from outbox where tenant_id = ${tenant_id} and id = ${id} for update`.execute(db);
  if (locked.rows[0]?.attempts !== attempts) return null;
  const made = attempts + 1;
  const taken = posted.status !== null && posted.status >= 200 && posted.status < 300;
  await db
    .insertInto("callback_attempts")
    .values({ tenant_id, outbox_id: id, n: made, ...posted, by_user: row.requested_by })
    .execute();
  const delay = taken || row.delivered_at ? null : nextDelay(made, Math.random());
  // a repetition asked for after delivery changes nothing when it fails
  const state = taken || row.delivered_at ? "delivered" : delay === null ? "failed" : "pending";
  await sql`update outbox set attempts = ${made}, leased_until = null, requested_by = null,
      state = case when state = 'cancelled' then state else ${state} end,
      next_attempt_at = case when ${delay}::integer is not null and state <> 'cancelled' then now() + make_interval(secs => ${delay}::float8 / 1000) end,
      delivered_at = case when ${taken} then coalesce(delivered_at, now()) else delivered_at end
    where tenant_id = ${tenant_id} and id = ${id}`.execute(db);
  return taken ? completeAfterCallback(db, { tenant: tenant_id, transactionId: row.transaction_id, eventN: row.event_n }) : null;
}
