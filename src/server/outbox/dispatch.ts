import { sql } from "kysely";
import type { Deps } from "../call.ts";
import { isDevelopment } from "../config.ts";
import type { Scoped } from "../db/scope.ts";
import { inTenant } from "../db/scope.ts";
import { skipFailure } from "../jobs/record.ts";
import { completeAfterCallback } from "../payments/lapses.ts";
import { merchantSecretPlace } from "../secrets/secrets.ts";
import { readSettings } from "../settings/settings.ts";
import { findEndpoints, leaseCallbacks, noteAttempt } from "./endpoints.ts";
import { tellDisabled } from "./health.ts";
import type { Endpoint, Leased } from "./endpoints.ts";
import { postCallback, timedOut } from "./post.ts";
import type { RequestGuard } from "./guarded-request.ts";
import type { Posted } from "./post.ts";
import { nextDelay } from "./schedule.ts";
import { signCallback } from "./sign.ts";

interface Dispatcher {
  /** Starts sending due callbacks as far as there is room; resolves when they have been started. */
  round(): Promise<void>;
  /** Waits for the callbacks being sent; after `patienceMs` they are cut off, and sent again when their lease has lapsed. */
  stop(patienceMs?: number): Promise<void>;
  /** Resolves when nothing is being sent. */
  idle(): Promise<void>;
}

export interface DispatchOptions {
  readonly timeoutMs?: number;
  readonly resolve?: RequestGuard["resolve"];
}

/** Callbacks one process sends at once; each has a network connection and, while it waits, no database connection. */
const concurrency = 512;
/**
 * Of these, those to one tenant's endpoints, and those to failing endpoints. While half of the places, or of a tenant's, are taken, an
 * endpoint gets one at a time.
 */
const [tenantLimit, failingLimit] = [concurrency / 2, concurrency / 4];
/** Endpoints read per round, and how many of them are leased from concurrently. */
const [endpointsPerRound, workers] = [256, 4];
const nextRoundMs = 20;

/**
 * Delivers callbacks in fair turns of the endpoints. A callback is leased before it is sent, so that two processes never send it at once,
 * and no transaction waits for the network.
 */
export function createDispatcher(deps: Deps, options: DispatchOptions = {}): Dispatcher {
  const sending = new Map<string, { leased: Endpoint; done: Promise<void> }>();
  const cutOff = new AbortController();
  let stopped = false;
  let running: Promise<void> | undefined;
  let nextRound: NodeJS.Timeout | undefined;

  const round = () => (running ??= leaseDue().finally(() => (running = undefined)));

  async function leaseDue(): Promise<void> {
    if (stopped || sending.size >= concurrency) return;
    const endpoints = await findEndpoints(deps.database, endpointsPerRound);
    const next = endpoints.values();
    const worker = async () => {
      for (const endpoint of next) await leaseFrom(endpoint, Math.ceil(concurrency / endpoints.length));
    };
    await Promise.all(Array.from({ length: workers }, worker));
  }

  async function leaseFrom(endpoint: Endpoint, share: number): Promise<void> {
    const want = Math.min(share, freePlaces(endpoint));
    if (stopped || want <= 0) return;
    const { tenant_id, merchant_id } = endpoint;
    const leased = await skipFailure(deps, "callbacks", { tenant: tenant_id, merchant: merchant_id }, () =>
      inTenant(deps.database, tenant_id, (db) => leaseCallbacks(db, endpoint, want)),
    );
    for (const one of leased ?? []) {
      const of = { tenant: tenant_id, merchant: merchant_id, callback: one.id };
      // on failure the result is not stored, and its lease lapses
      const done = skipFailure(deps, "callbacks", of, () => deliver(one)).finally(() => {
        sending.delete(one.id);
        scheduleRound();
      });
      sending.set(one.id, { leased: endpoint, done });
    }
  }

  /** How many more callbacks this process may send to an endpoint, apart from the endpoint's own limit. */
  function freePlaces({ tenant_id, merchant_id, failing }: Endpoint): number {
    const all = [...sending.values()];
    const count = (those: (one: Endpoint) => boolean) => all.filter(({ leased }) => those(leased)).length;
    const tenants = count((one) => one.tenant_id === tenant_id);
    const first = count((one) => one.tenant_id === tenant_id && one.merchant_id === merchant_id) === 0;
    return Math.min(
      concurrency - all.length,
      tenantLimit - tenants,
      failing ? failingLimit - count((one) => one.failing) : concurrency,
      Math.max(Math.min(concurrency / 2 - all.length, tenantLimit / 2 - tenants), first ? 1 : 0),
    );
  }

  /** A place is free, so more callbacks are leased before the next sweep. */
  function scheduleRound(): void {
    if (stopped || nextRound) return;
    nextRound = setTimeout(() => {
      nextRound = undefined;
      round().catch((error: unknown) => deps.log.warn({ err: error }, "looking for callbacks failed; the next sweep looks again"));
    }, nextRoundMs).unref();
  }

  async function deliver(leased: Leased): Promise<void> {
    const posted = await send(leased);
    if (cutOff.signal.aborted) return;
    const completed = await inTenant(deps.database, leased.tenant_id, (db) => store(db, deps, leased, posted));
    deps.publisher.changed(leased.tenant_id, "callback", [leased.id]);
    if (completed) deps.publisher.changed(leased.tenant_id, completed.kind === "deposit" ? "deposit" : "withdraw", [completed.id]);
  }

  /** A callback that cannot be prepared counts as a failed attempt, so that it is given up in the end like others. */
  async function send({ tenant_id, merchant_id, id, url, body, secret, previous_secret, settings }: Leased): Promise<Posted> {
    const failed = (error: string): Posted => ({ status: null, milliseconds: 0, answer: null, error });
    if (url === null) return failed("the merchant has no callback URL");
    const ready = await skipFailure(deps, "callbacks", { tenant: tenant_id, merchant: merchant_id, callback: id }, async () => {
      const place = merchantSecretPlace(tenant_id, merchant_id);
      const secrets = [secret, previous_secret].filter((sealed) => sealed !== null).map((sealed) => deps.secrets.open(sealed, place));
      return {
        headers: signCallback(secrets, id, new Date(), body),
        // the stored setting may come from a copy of a development database
        loopback: isDevelopment(deps.config) && readSettings(settings).loopback_callbacks,
      };
    });
    if (!ready) return failed("the merchant's secret or the tenant's settings cannot be read");
    return postCallback(url, body, ready.headers, { ...options, loopback: ready.loopback, signal: cutOff.signal });
  }

  const idle = async () => {
    await Promise.all([...sending.values()].map(({ done }) => done));
  };
  return {
    round,
    idle,
    async stop(patienceMs = 5_000) {
      stopped = true;
      clearTimeout(nextRound);
      await running?.catch(() => undefined); // the sweep handles its error
      const timer = setTimeout(() => cutOff.abort(), patienceMs).unref();
      await idle();
      clearTimeout(timer);
    },
  };
}

/** Stores the attempt and its effects; answers the transaction it completed. */
async function store(
  db: Scoped,
  deps: Deps,
  leased: Leased,
  posted: Posted,
): Promise<{ kind: "deposit" | "withdrawal"; id: string } | null> {
  const { tenant_id, id, attempts, by } = leased;
  // the transaction is locked before its callback, as everywhere, because the opposite order would deadlock
  const { rows } = await sql<{ transaction_id: string; event_n: number }>`
    select o.transaction_id, o.event_n from outbox o
    join transactions t on t.tenant_id = o.tenant_id and t.id = o.transaction_id
    where o.tenant_id = ${tenant_id} and o.id = ${id} and o.attempts = ${attempts} and o.leased_until is not null
    for update of t`.execute(db);
  const [row] = rows;
  // its lease has lapsed and another process has stored an attempt since
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
  // a failed repetition after delivery changes nothing
  const state = delivered ? "delivered" : delay === null ? "failed" : "pending";
  // a repetition requested meanwhile stays due; a callback cancelled or superseded meanwhile is not sent again
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
  // last, because all attempts at an endpoint lock its row
  const disabled = await noteAttempt(db, leased, taken ? "taken" : posted.error === timedOut ? "hung" : "refused");
  if (disabled) await tellDisabled(db, deps, leased);
  return completed;
}
