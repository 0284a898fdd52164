import { sql } from "kysely";
import type { Deps } from "../call.ts";
import { isDevelopment } from "../config.ts";
import type { Scoped } from "../db/scope.ts";
import { inTenant } from "../db/scope.ts";
import { passingBy } from "../jobs/record.ts";
import { completeAfterCallback } from "../payments/lapses.ts";
import { merchantSecretPlace } from "../secrets/secrets.ts";
import { readSettings } from "../settings/settings.ts";
import { findEndpoints, leaseCallbacks, noteAttempt } from "./endpoints.ts";
import type { Endpoint, Leased } from "./endpoints.ts";
import { postCallback, timedOut } from "./post.ts";
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

/** Callbacks one process sends at once: a connection each, and nothing of the database while it waits. */
const room = 512;
/** Of it, what one tenant takes; and what goes to endpoints that fail. While half of the room, or of a tenant's, is taken, an endpoint is sent one at once. */
const [ofTenant, ofFailing] = [room / 2, room / 4];
/** Endpoints looked up at once, and leased from beside each other. */
const [atOnce, leasing] = [256, 4];
const refillMs = 20;

/**
 * Delivers callbacks, endpoint by endpoint in fair turns. A callback is leased before it is sent, so that several processes never send
 * the same one at once, and the network is never waited for inside a transaction.
 */
export function createDispatcher(deps: Deps, options: DispatchOptions = {}): Dispatcher {
  const sending = new Map<string, { leased: Endpoint; done: Promise<void> }>();
  const cut = new AbortController();
  let stopped = false;
  let looking: Promise<void> | undefined;
  let refill: NodeJS.Timeout | undefined;

  const round = () => (looking ??= look().finally(() => (looking = undefined)));

  async function look(): Promise<void> {
    if (stopped || sending.size >= room) return;
    const endpoints = await findEndpoints(deps.database, atOnce);
    const next = endpoints.values();
    const turns = async () => {
      for (const endpoint of next) await turn(endpoint, Math.ceil(room / endpoints.length));
    };
    await Promise.all(Array.from({ length: leasing }, turns));
  }

  async function turn(endpoint: Endpoint, share: number): Promise<void> {
    const want = Math.min(share, roomFor(endpoint));
    if (stopped || want <= 0) return;
    const { tenant_id, merchant_id } = endpoint;
    const leased = await passingBy(deps, "callbacks", { tenant: tenant_id, merchant: merchant_id }, () =>
      inTenant(deps.database, tenant_id, (db) => leaseCallbacks(db, endpoint, want)),
    );
    for (const one of leased ?? []) {
      const of = { tenant: tenant_id, merchant: merchant_id, callback: one.id };
      // what came of it is not stored then, and its lease lapses
      const done = passingBy(deps, "callbacks", of, () => deliver(one)).finally(() => {
        sending.delete(one.id);
        lookSoon();
      });
      sending.set(one.id, { leased: endpoint, done });
    }
  }

  /** How many more this process may send to an endpoint, whatever the endpoint itself takes. */
  function roomFor({ tenant_id, merchant_id, failing }: Endpoint): number {
    const all = [...sending.values()];
    const count = (those: (one: Endpoint) => boolean) => all.filter(({ leased }) => those(leased)).length;
    const tenants = count((one) => one.tenant_id === tenant_id);
    const first = count((one) => one.tenant_id === tenant_id && one.merchant_id === merchant_id) === 0;
    return Math.min(
      room - all.length,
      ofTenant - tenants,
      failing ? ofFailing - count((one) => one.failing) : room,
      Math.max(Math.min(room / 2 - all.length, ofTenant / 2 - tenants), first ? 1 : 0),
    );
  }

  /** Room was made, and where one was due there may be more: no need to wait for the next sweep. */
  function lookSoon(): void {
    if (stopped || refill) return;
    refill = setTimeout(() => {
      refill = undefined;
      round().catch((error: unknown) => deps.log.warn({ err: error }, "looking for callbacks failed; the next sweep looks again"));
    }, refillMs).unref();
  }

  async function deliver(leased: Leased): Promise<void> {
    const posted = await send(leased);
    if (cut.signal.aborted) return;
    const completed = await inTenant(deps.database, leased.tenant_id, (db) => store(db, leased, posted));
    if (completed) deps.publisher.changed(leased.tenant_id, completed.kind === "deposit" ? "deposit" : "withdraw", [completed.id]);
  }

  /** One that cannot even be made ready is a failed attempt, so that it is given up in the end as others are. */
  async function send({ tenant_id, merchant_id, id, url, body, secret, previous_secret, settings }: Leased): Promise<Posted> {
    const failed = (error: string): Posted => ({ status: null, milliseconds: 0, answer: null, error });
    if (url === null) return failed("the merchant has no callback URL");
    const ready = await passingBy(deps, "callbacks", { tenant: tenant_id, merchant: merchant_id, callback: id }, async () => {
      const place = merchantSecretPlace(tenant_id, merchant_id);
      const secrets = [secret, previous_secret].filter((sealed) => sealed !== null).map((sealed) => deps.secrets.open(sealed, place));
      return {
        headers: signCallback(secrets, id, new Date(), body),
        // the stored switch may come from a copy of a development database
        loopback: isDevelopment(deps.config) && readSettings(settings).loopback_callbacks,
      };
    });
    if (!ready) return failed("the merchant's secret or the tenant's settings cannot be read");
    return postCallback(url, body, ready.headers, { ...options, loopback: ready.loopback, signal: cut.signal });
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

/** Keeps the attempt and what follows from it; answers the transaction it completed. */
async function store(db: Scoped, leased: Leased, posted: Posted): Promise<{ kind: "deposit" | "withdrawal"; id: string } | null> {
  const { tenant_id, id, attempts, by } = leased;
  // the transaction before its callback, as everywhere: two in the other order would wait for each other
  const { rows } = await sql<{ transaction_id: string; event_n: number }>`
    select o.transaction_id, o.event_n from outbox o
    join transactions t on t.tenant_id = o.tenant_id and t.id = o.transaction_id
    where o.tenant_id = ${tenant_id} and o.id = ${id} and o.attempts = ${attempts} and o.leased_until is not null
    for update of t`.execute(db);
  const [row] = rows;
  // its lease lapsed and another process has stored an attempt since
  if (!row) return null;
  const locked = await sql<{ attempts: number; asked: boolean; delivered: boolean }>`
    select attempts, requested_by is not null as asked, delivered_at is not null as delivered
    from outbox where tenant_id = ${tenant_id} and id = ${id} for update`.execute(db);
  const [was] = locked.rows;
  if (!was || was.attempts !== attempts) return null;
  const made = attempts + 1;
  const taken = posted.status !== null && posted.status >= 200 && posted.status < 300;
  await db
    .insertInto("callback_attempts")
    .values({ tenant_id, outbox_id: id, n: made, ...posted, by_user: by })
    .execute();
  const delivered = taken || was.delivered;
  const delay = delivered ? null : nextDelay(made, Math.random());
  // a repetition asked for after delivery changes nothing when it fails
  const state = delivered ? "delivered" : delay === null ? "failed" : "pending";
  // one asked for while this was on its way is due as it was; what was cancelled or superseded meanwhile is sent no more
  await sql`update outbox set attempts = ${made}, leased_until = null,
      state = case when state = 'cancelled' or (state = 'pending' and ${was.asked}) then state
        when state = 'pending' or ${delivered} then ${state} else state end,
      next_attempt_at = case when state <> 'pending' or ${was.asked} then next_attempt_at
        when ${delay}::integer is not null then now() + make_interval(secs => ${delay}::float8 / 1000) end,
      delivered_at = case when ${taken} then coalesce(delivered_at, now()) else delivered_at end
    where tenant_id = ${tenant_id} and id = ${id}`.execute(db);
  const completed = taken
    ? await completeAfterCallback(db, { tenant: tenant_id, transactionId: row.transaction_id, eventN: row.event_n })
    : null;
  // last, because all attempts at an endpoint share its row
  await noteAttempt(db, leased, taken ? "taken" : posted.error === timedOut ? "hung" : "refused");
  return completed;
}
