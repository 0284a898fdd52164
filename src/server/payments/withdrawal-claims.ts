import { sql } from "kysely";
import { Refusal } from "../../contract/problems.ts";
import type { RowRef } from "../../contract/wire.ts";
import type { Withdrawal, WithdrawalDetail } from "../../contract/withdrawals.ts";
import { actorOf, record } from "../audit/record.ts";
import type { StaffCall } from "../call.ts";
import type { Scoped } from "../db/scope.ts";
import type { Effect } from "../idempotency.ts";
import type { TenantSettings } from "../settings/settings.ts";
import { leaseSeconds, settingsOf } from "../settings/settings.ts";
import type { KnownWithdrawal } from "./transaction-rows.ts";
import { findWithdrawal } from "./transaction-rows.ts";
import { isDecided, transition, unclaimed } from "./transition.ts";
import { loadDecisionFacts, lostWithdrawal, withdrawalDetail, withdrawalView } from "./withdrawal-rows.ts";

/** Minutes "take next" skips a withdrawal for the user who deferred it. */
const deferMinutes = 10;

export interface Locked {
  readonly row: KnownWithdrawal;
  readonly settings: TenantSettings;
}

/** The locked row with the tenant's settings. Refuses not-found. */
export async function lockWithdrawal(db: Scoped, { tenant, currency }: StaffCall, ref: RowRef): Promise<Locked> {
  const found = await findWithdrawal(db, { tenant, uuid: ref.uuid, currency }, "lock");
  if (!found) throw new Refusal("not-found");
  return found;
}

/** Refuses transaction.stale when the row has changed since the caller read it. */
export async function requireFresh(db: Scoped, { row, settings }: Locked, ref: RowRef): Promise<void> {
  if (row.version !== ref.version) throw await lostWithdrawal(db, "transaction.stale", row, settings);
}

export const isHeldByAnother = (row: KnownWithdrawal, user: string): boolean =>
  row.claimed_by !== null && row.claimed_by !== user && (row.claim_until ?? row.now) > row.now;

export async function effectOf(db: Scoped, row: KnownWithdrawal, settings: TenantSettings): Promise<Effect<Withdrawal>> {
  return { answer: withdrawalView(row, await loadDecisionFacts(db, [row], settings)), transactionId: row.id, eventN: row.events };
}

export function leaseOf(row: KnownWithdrawal, user: string) {
  return {
    claimed_by: user,
    claimed_at: row.now,
    claim_until: new Date(row.now.getTime() + leaseSeconds * 1000),
    processed_at: row.now,
    processed_by: user,
    deferred_by: null,
    deferred_until: null,
  };
}

/** How many claims the caller has and may have; concurrent requests of the caller wait for each other here. */
async function claimsOf(db: Scoped, { tenant, caller }: StaffCall): Promise<{ open: number; limit: number }> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`claims ${tenant} ${caller.id}`}, 0))`.execute(db);
  const { claim_limit: limit } = await settingsOf(db, tenant);
  const { open } = await db
    .selectFrom("transactions")
    .select(({ fn }) => fn.countAll<string>().as("open"))
    .where("tenant_id", "=", tenant)
    .where("claimed_by", "=", caller.id)
    .executeTakeFirstOrThrow();
  return { open: Number(open), limit };
}

async function requireFreeClaim(db: Scoped, call: StaffCall): Promise<void> {
  const { open, limit } = await claimsOf(db, call);
  if (open >= limit) throw new Refusal("withdrawal.claim-limit", { open, limit });
}

/** Whether the caller may claim one more. */
export async function mayClaimMore(db: Scoped, call: StaffCall): Promise<boolean> {
  const { open, limit } = await claimsOf(db, call);
  return open < limit;
}

/** Claims the oldest free withdrawal, skipping those others are just claiming, so that two operators never get the same. */
export async function takeNext(db: Scoped, call: StaffCall, skip: readonly string[]): Promise<Effect<WithdrawalDetail>> {
  const { tenant, currency, caller } = call;
  await requireFreeClaim(db, call);
  const { rows } = await sql<{ id: string }>`select id from transactions
    where tenant_id = ${tenant} and currency = ${currency} and kind = 'withdrawal' and status = 'pending' and id <> all(${skip}::uuid[])
      and (deferred_until is null or deferred_by <> ${caller.id} or deferred_until <= now())
      and (expires_at is null or expires_at > now())
    order by created_at, id limit 1 for update skip locked`.execute(db);
  const [next] = rows;
  if (!next) throw new Refusal("withdrawal.none-free");
  const { row, settings } = await lockWithdrawal(db, call, { uuid: next.id, version: 1 });
  const claimed = await transition(db, row, actorOf(call), { act: "claim", to: "process", set: leaseOf(row, caller.id) });
  return { answer: await withdrawalDetail(db, claimed, settings), transactionId: row.id, eventN: claimed.events };
}

/** A repeated claim of the caller's own withdrawal changes nothing. */
export async function claim(db: Scoped, call: StaffCall, ref: RowRef): Promise<Effect<Withdrawal>> {
  const locked = await lockWithdrawal(db, call, ref);
  const { row, settings } = locked;
  if (isDecided(row)) throw await lostWithdrawal(db, "withdrawal.not-open", row, settings);
  if (isHeldByAnother(row, call.caller.id)) throw await lostWithdrawal(db, "withdrawal.claimed", row, settings);
  if (row.claimed_by === call.caller.id) return effectOf(db, row, settings);
  if (row.first_approved_by !== null) throw await lostWithdrawal(db, "withdrawal.second-needed", row, settings);
  await requireFresh(db, locked, ref);
  await requireFreeClaim(db, call);
  const claimed = await transition(db, row, actorOf(call), { act: "claim", to: "process", set: leaseOf(row, call.caller.id) });
  return effectOf(db, claimed, settings);
}

/** Extends the caller's leases without an event or a new version, because the record does not change. */
export async function renew(
  db: Scoped,
  { tenant, currency, caller }: StaffCall,
  uuids: readonly string[],
): Promise<{ held: { uuid: string; until: string }[]; lost: string[] }> {
  const { rows } = await sql<{ id: string; claim_until: Date }>`
    update transactions set claim_until = clock_timestamp() + make_interval(secs => ${leaseSeconds})
    where tenant_id = ${tenant} and currency = ${currency} and claimed_by = ${caller.id} and id = any(${uuids}::uuid[])
    returning id, claim_until`.execute(db);
  const held = rows.map(({ id, claim_until }) => ({ uuid: id, until: claim_until.toISOString() }));
  return { held, lost: uuids.filter((uuid) => !held.some((one) => one.uuid === uuid)) };
}

export async function release(db: Scoped, call: StaffCall, ref: RowRef): Promise<Effect<Withdrawal>> {
  const locked = await lockWithdrawal(db, call, ref);
  const { row, settings } = locked;
  if (row.status !== "process") throw await lostWithdrawal(db, "withdrawal.not-process", row, settings);
  if (row.claimed_by !== call.caller.id) throw await lostWithdrawal(db, "withdrawal.not-claimed", row, settings);
  await requireFresh(db, locked, ref);
  return effectOf(db, await transition(db, row, actorOf(call), { act: "release", to: "pending", set: unclaimed }), settings);
}

/** Releases the withdrawal; the caller's "take next" skips it for a while. */
export async function defer(db: Scoped, call: StaffCall, ref: RowRef): Promise<Effect<Withdrawal>> {
  const locked = await lockWithdrawal(db, call, ref);
  const { row, settings } = locked;
  const { caller, tenant } = call;
  if (isDecided(row) || row.first_approved_by !== null) throw await lostWithdrawal(db, "withdrawal.not-open", row, settings);
  if (isHeldByAnother(row, caller.id)) throw await lostWithdrawal(db, "withdrawal.claimed", row, settings);
  await requireFresh(db, locked, ref);
  const deferred = { deferred_by: caller.id, deferred_until: new Date(row.now.getTime() + deferMinutes * 60_000) };
  const actor = actorOf(call);
  if (row.status === "process") {
    const released = await transition(db, row, actor, { act: "release", to: "pending", set: { ...unclaimed, ...deferred } });
    return effectOf(db, released, settings);
  }
  await db
    .updateTable("transactions")
    .set({ ...deferred, version: row.version + 1 })
    .where("tenant_id", "=", tenant)
    .where("id", "=", row.id)
    .execute();
  await record(db, tenant, actor, { act: "withdrawal.defer", entity: "withdrawal", entityId: row.id, after: deferred });
  return effectOf(db, { ...row, ...deferred, version: row.version + 1 }, settings);
}

export async function takeOver(db: Scoped, call: StaffCall, ref: RowRef, reason: string | undefined): Promise<Effect<Withdrawal>> {
  const locked = await lockWithdrawal(db, call, ref);
  const { row, settings } = locked;
  if (row.status !== "process") throw await lostWithdrawal(db, "withdrawal.not-process", row, settings);
  if (row.claimed_by === call.caller.id) return effectOf(db, row, settings);
  if (row.first_approved_by !== null) throw await lostWithdrawal(db, "withdrawal.second-needed", row, settings);
  await requireFresh(db, locked, ref);
  await requireFreeClaim(db, call);
  const taken = await transition(db, row, actorOf(call), {
    act: "take-over",
    to: "process",
    set: leaseOf(row, call.caller.id),
    reason: reason ?? null,
  });
  return effectOf(db, taken, settings);
}
