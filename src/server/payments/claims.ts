import { sql } from "kysely";
import { Refusal } from "../../contract/problems.ts";
import type { RowRef } from "../../contract/wire.ts";
import { actorOf, record } from "../audit/record.ts";
import type { StaffCall } from "../call.ts";
import type { Scoped } from "../db/scope.ts";
import type { Effect } from "../idempotency.ts";
import type { TenantSettings } from "../settings/settings.ts";
import { leaseSeconds, settingsOf } from "../settings/settings.ts";
import type { DecisionKind } from "./decision-kind.ts";
import { codeOf, lost, waitingStatus } from "./decision-kind.ts";
import type { Known, KnownTransaction } from "./transaction-rows.ts";
import { isDecided, transition, unclaimed } from "./transition.ts";

/** Minutes "take next" skips a transaction for the user who deferred it. */
const deferMinutes = 10;

/** The locked row with the tenant's settings. Refuses not-found. */
export async function lockOne<Row extends KnownTransaction, View>(
  db: Scoped,
  kind: DecisionKind<Row, View>,
  { tenant, currency }: StaffCall,
  ref: RowRef,
): Promise<Known<Row>> {
  const found = await kind.find(db, { tenant, uuid: ref.uuid, currency }, "lock");
  if (!found) throw new Refusal("not-found");
  return found;
}

/** Refuses transaction.stale when the row has changed since the caller read it. */
export async function requireFresh<Row extends KnownTransaction, View>(
  db: Scoped,
  kind: DecisionKind<Row, View>,
  known: Known<Row>,
  ref: RowRef,
): Promise<void> {
  if (known.row.version !== ref.version) throw await lost(db, kind, "transaction.stale", known);
}

export const isHeldByAnother = (row: KnownTransaction, user: string): boolean =>
  row.claimed_by !== null && row.claimed_by !== user && (row.claim_until ?? row.now) > row.now;

export async function effectOf<Row extends KnownTransaction, View>(
  db: Scoped,
  kind: DecisionKind<Row, View>,
  row: Row,
  settings: TenantSettings,
): Promise<Effect<View>> {
  return { answer: await kind.view(db, row, settings), transactionId: row.id, eventN: row.events };
}

export function leaseOf<Row extends KnownTransaction, View>(kind: DecisionKind<Row, View>, row: Row, user: string) {
  return {
    claimed_by: user,
    claimed_at: row.now,
    claim_until: new Date(row.now.getTime() + leaseSeconds * 1000),
    deferred_by: null,
    deferred_until: null,
    deferred_reason: null,
    ...kind.atClaim(row, user),
  };
}

/** How many claims, of both kinds, the caller has and may have; concurrent requests of the caller wait for each other here. */
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

async function requireFreeClaim(db: Scoped, kind: Parameters<typeof codeOf>[0], call: StaffCall): Promise<void> {
  const { open, limit } = await claimsOf(db, call);
  if (open >= limit) throw new Refusal(codeOf(kind, "claim-limit"), { open, limit });
}

/** Whether the caller may claim one more. */
export async function mayClaimMore(db: Scoped, call: StaffCall): Promise<boolean> {
  const { open, limit } = await claimsOf(db, call);
  return open < limit;
}

/** Claims the oldest free transaction, skipping those others are just claiming, so that two operators never get the same. */
export async function takeNext<Row extends KnownTransaction, View, Detail>(
  db: Scoped,
  kind: DecisionKind<Row, View, Detail>,
  call: StaffCall,
  skip: readonly string[],
): Promise<Effect<Detail>> {
  const { tenant, currency, caller } = call;
  await requireFreeClaim(db, kind, call);
  const waiting = waitingStatus[kind.name];
  const { rows } = await sql<{ id: string }>`select id from transactions
    where tenant_id = ${tenant} and currency = ${currency} and kind = ${sql.lit(kind.name)} and status = ${sql.lit(waiting)}
      and claimed_by is null and first_approved_by is null and id <> all(${skip}::uuid[])
      and (deferred_until is null or deferred_by <> ${caller.id} or deferred_until <= now())
      ${waiting === "pending" ? sql`and (expires_at is null or expires_at > now())` : sql``}
    order by created_at, id limit 1 for update skip locked`.execute(db);
  const [next] = rows;
  if (!next) throw new Refusal(codeOf(kind, "none-free"));
  const { row, settings } = await lockOne(db, kind, call, { uuid: next.id, version: 1 });
  const claimed = await transition(db, row, actorOf(call), { act: "claim", to: "process", set: leaseOf(kind, row, caller.id) });
  return { answer: await kind.detail(db, claimed, settings), transactionId: row.id, eventN: claimed.events };
}

/**
 * A repeated claim of the caller's own transaction changes nothing. `passing`: the same database transaction ends the claim, so that it does
 * not count among the caller's.
 */
export async function claim<Row extends KnownTransaction, View>(
  db: Scoped,
  kind: DecisionKind<Row, View>,
  call: StaffCall,
  ref: RowRef,
  passing = false,
): Promise<Effect<View>> {
  const known = await lockOne(db, kind, call, ref);
  const { row, settings } = known;
  if (isDecided(row)) throw await lost(db, kind, "not-open", known);
  if (isHeldByAnother(row, call.caller.id)) throw await lost(db, kind, "claimed", known);
  if (row.claimed_by === call.caller.id) return effectOf(db, kind, row, settings);
  if (row.first_approved_by !== null) throw await lost(db, kind, "second-needed", known);
  await requireFresh(db, kind, known, ref);
  await requireWorkable(db, kind, known);
  if (!passing) await requireFreeClaim(db, kind, call);
  const claimed = await transition(db, row, actorOf(call), { act: "claim", to: "process", set: leaseOf(kind, row, call.caller.id) });
  return effectOf(db, kind, claimed, settings);
}

/** Refuses what waits for somebody else than an operator: a deposit for its customer. */
async function requireWorkable<Row extends KnownTransaction, View>(
  db: Scoped,
  kind: DecisionKind<Row, View>,
  known: Known<Row>,
): Promise<void> {
  if (known.row.status === "pending" && waitingStatus[kind.name] === "process") throw await lost(db, kind, "not-process", known);
}

/** Extends the caller's leases without an event or a new version, because the record does not change. */
export async function renew(
  db: Scoped,
  { name }: Parameters<typeof codeOf>[0],
  { tenant, currency, caller }: StaffCall,
  uuids: readonly string[],
): Promise<{ held: { uuid: string; until: string }[]; lost: string[] }> {
  const { rows } = await sql<{ id: string; claim_until: Date }>`
    update transactions set claim_until = clock_timestamp() + make_interval(secs => ${leaseSeconds})
    where tenant_id = ${tenant} and currency = ${currency} and kind = ${name} and claimed_by = ${caller.id} and id = any(${uuids}::uuid[])
    returning id, claim_until`.execute(db);
  const held = rows.map(({ id, claim_until }) => ({ uuid: id, until: claim_until.toISOString() }));
  return { held, lost: uuids.filter((uuid) => !held.some((one) => one.uuid === uuid)) };
}

export async function release<Row extends KnownTransaction, View>(
  db: Scoped,
  kind: DecisionKind<Row, View>,
  call: StaffCall,
  ref: RowRef,
): Promise<Effect<View>> {
  const known = await lockOne(db, kind, call, ref);
  const { row, settings } = known;
  if (row.status !== "process") throw await lost(db, kind, "not-process", known);
  if (row.claimed_by !== call.caller.id) throw await lost(db, kind, "not-claimed", known);
  await requireFresh(db, kind, known, ref);
  const released = await transition(db, row, actorOf(call), { act: "release", to: waitingStatus[kind.name], set: unclaimed });
  return effectOf(db, kind, released, settings);
}

/** Releases the transaction; the caller's "take next" skips it for a while. `reason`: why, if it was said. */
export async function defer<Row extends KnownTransaction, View>(
  db: Scoped,
  kind: DecisionKind<Row, View>,
  call: StaffCall,
  ref: RowRef,
  reason: string | undefined,
): Promise<Effect<View>> {
  const known = await lockOne(db, kind, call, ref);
  const { row, settings } = known;
  const { caller, tenant } = call;
  if (isDecided(row) || row.first_approved_by !== null) throw await lost(db, kind, "not-open", known);
  if (isHeldByAnother(row, caller.id)) throw await lost(db, kind, "claimed", known);
  await requireFresh(db, kind, known, ref);
  await requireWorkable(db, kind, known);
  const why = reason ?? null;
  const until = new Date(row.now.getTime() + deferMinutes * 60_000);
  const deferred = { deferred_by: caller.id, deferred_until: until, deferred_reason: why };
  const actor = actorOf(call);
  if (row.claimed_by !== null) {
    const set = { ...unclaimed, ...deferred };
    return effectOf(
      db,
      kind,
      await transition(db, row, actor, { act: "release", to: waitingStatus[kind.name], set, reason: why }),
      settings,
    );
  }
  await db
    .updateTable("transactions")
    .set({ ...deferred, version: row.version + 1 })
    .where("tenant_id", "=", tenant)
    .where("id", "=", row.id)
    .execute();
  await record(db, tenant, actor, { act: `${kind.name}.defer`, entity: kind.name, entityId: row.id, after: deferred, reason: why });
  return effectOf(db, kind, { ...row, ...deferred, version: row.version + 1 }, settings);
}

export async function takeOver<Row extends KnownTransaction, View>(
  db: Scoped,
  kind: DecisionKind<Row, View>,
  call: StaffCall,
  ref: RowRef,
  reason: string | undefined,
): Promise<Effect<View>> {
  const known = await lockOne(db, kind, call, ref);
  const { row, settings } = known;
  if (row.status !== "process") throw await lost(db, kind, "not-process", known);
  if (row.claimed_by === call.caller.id) return effectOf(db, kind, row, settings);
  if (row.first_approved_by !== null) throw await lost(db, kind, "second-needed", known);
  await requireFresh(db, kind, known, ref);
  await requireFreeClaim(db, kind, call);
  const taken = await transition(db, row, actorOf(call), {
    act: "take-over",
    to: "process",
    set: leaseOf(kind, row, call.caller.id),
    reason: reason ?? null,
  });
  return effectOf(db, kind, taken, settings);
}
