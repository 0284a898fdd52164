import { sql } from "kysely";
import { Refusal } from "../../contract/problems.ts";
import type { RowRef } from "../../contract/wire.ts";
import { actorOf, record } from "../audit/record.ts";
import type { StaffCall } from "../call.ts";
import type { Scoped } from "../db/scope.ts";
import type { Effect } from "../idempotency.ts";
import { sendCallback } from "./callbacks.ts";
import { effectOf, isHeldByAnother, lockOne, requireFresh } from "./claims.ts";
import type { DecisionKind } from "./decision-kind.ts";
import { codeOf, lost, waitingStatus } from "./decision-kind.ts";
import { reasonOf } from "./reasons.ts";
import type { Known, KnownTransaction } from "./transaction-rows.ts";
import { isDecided, transition, unclaimed } from "./transition.ts";

/** Refuses a transaction already decided, with who decided it, or changed since the caller read it. */
export async function requireOpen<Row extends KnownTransaction, View>(
  db: Scoped,
  kind: DecisionKind<Row, View>,
  known: Known<Row>,
  ref: RowRef,
): Promise<void> {
  if (isDecided(known.row)) throw await lost(db, kind, "transaction.already-decided", known);
  await requireFresh(db, kind, known, ref);
}

/** Refuses a first approval unless the transaction is open and the caller has claimed it. */
export async function requireClaimed<Row extends KnownTransaction, View>(
  db: Scoped,
  kind: DecisionKind<Row, View>,
  { caller }: StaffCall,
  known: Known<Row>,
  ref: RowRef,
): Promise<void> {
  const { row } = known;
  await requireOpen(db, kind, known, ref);
  if (row.status !== "process") throw await lost(db, kind, "not-process", known);
  if (row.first_approved_by !== null) throw await lost(db, kind, "second-needed", known);
  if (row.claimed_by === null) throw await lost(db, kind, "not-claimed", known);
  if (row.claimed_by !== caller.id) throw await lost(db, kind, "claimed", known);
}

/** Refuses unless the transaction awaits a second person and the caller is not the first. */
export async function requireSecond<Row extends KnownTransaction, View>(
  db: Scoped,
  kind: DecisionKind<Row, View>,
  { caller }: StaffCall,
  known: Known<Row>,
): Promise<void> {
  const { row } = known;
  if (row.status !== "process" || row.first_approved_by === null) throw await lost(db, kind, "second-not-awaited", known);
  if (row.first_approved_by === caller.id) throw new Refusal(codeOf(kind, "second-same-person"));
}

/** The columns of a first approval, cleared. */
export const notApproved = { first_approved_by: null, first_approved_at: null, first_account_id: null } as const;

export async function reject<Row extends KnownTransaction, View>(
  db: Scoped,
  kind: DecisionKind<Row, View>,
  call: StaffCall,
  ref: RowRef,
  reason: { code: string; text?: string | undefined },
): Promise<Effect<View>> {
  const known = await lockOne(db, kind, call, ref);
  const { row, settings } = known;
  if (isHeldByAnother(row, call.caller.id)) throw await lost(db, kind, "claimed", known);
  await requireOpen(db, kind, known, ref);
  // whoever may not reject may still refuse what waits for them as the second person (domain.md, 4: tiers)
  if (!call.caller.permissions.has(`pas.transaction.${kind.name}s.reject`)) await requireSecond(db, kind, call, known);
  const { rejectReason, eventReason } = reasonOf(reason, settings);
  const rejected = await transition(db, row, actorOf(call), {
    act: "reject",
    to: "rejected",
    set: {
      ...unclaimed,
      ...kind.undone(row).set,
      rejected_at: row.now,
      rejected_by: call.caller.id,
      reject_reason: rejectReason,
    },
    reason: eventReason,
    decision: "rejected",
    ...(kind.name === "deposit" && { limit: "release" as const }),
  });
  await kind.atRejection?.(db, row, call.caller.id);
  return effectOf(db, kind, rejected, settings);
}

/** A second person undoes a first approval: anybody can claim the transaction again, and it needs both persons anew. */
export async function handBack<Row extends KnownTransaction, View>(
  db: Scoped,
  kind: DecisionKind<Row, View>,
  call: StaffCall,
  ref: RowRef,
  reason: string,
): Promise<Effect<View>> {
  const known = await lockOne(db, kind, call, ref);
  const { row, settings } = known;
  await requireOpen(db, kind, known, ref);
  await requireSecond(db, kind, call, known);
  const { set, limit } = kind.undone(row);
  const back = await transition(db, row, actorOf(call), {
    act: "hand-back",
    to: waitingStatus[kind.name],
    set: { ...unclaimed, ...notApproved, ...set },
    reason,
    ...(limit && { limit }),
  });
  return effectOf(db, kind, back, settings);
}

/** The approved row within the tenant's recall window, its callback cancelled. */
export async function lockRecallable<Row extends KnownTransaction, View>(
  db: Scoped,
  kind: DecisionKind<Row, View>,
  call: StaffCall,
  ref: RowRef,
): Promise<Known<Row>> {
  const known = await lockOne(db, kind, call, ref);
  const { row } = known;
  if (row.status !== "approved") throw await lost(db, kind, "not-approved", known);
  await requireFresh(db, kind, known, ref);
  if (row.recallable_until === null || row.recallable_until <= row.now || !(await cancelCallback(db, row))) {
    throw await lost(db, kind, "recall-closed", known);
  }
  return known;
}

/** The columns of an approval, cleared by a recall. */
export const recalled = (row: KnownTransaction) =>
  ({ ...notApproved, approved_at: null, approved_by: null, recallable_until: null, recalls: row.recalls + 1 }) as const;

/** Cancels the callback; false when it has been sent or is being sent. */
async function cancelCallback(db: Scoped, row: KnownTransaction): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`update outbox set state = 'cancelled', next_attempt_at = null
    where tenant_id = ${row.tenant_id} and transaction_id = ${row.id} and event_n = ${row.events}
      and state = 'pending' and attempts = 0 and (leased_until is null or leased_until < clock_timestamp())
    returning id`.execute(db);
  return rows.length > 0;
}

/** Until when an approval made now can be recalled. */
export const recallableUntil = ({ now }: { readonly now: Date }, { recall_seconds }: { readonly recall_seconds: number }): Date | null =>
  recall_seconds === 0 ? null : new Date(now.getTime() + recall_seconds * 1000);

export async function remark<Row extends KnownTransaction, View>(
  db: Scoped,
  kind: DecisionKind<Row, View>,
  call: StaffCall,
  ref: RowRef,
  text: string,
): Promise<Effect<View>> {
  const known = await lockOne(db, kind, call, ref);
  await requireFresh(db, kind, known, ref);
  const { row, settings } = known;
  const changed = { remark: text === "" ? null : text, version: row.version + 1 };
  await db.updateTable("transactions").set(changed).where("tenant_id", "=", call.tenant).where("id", "=", row.id).execute();
  await record(db, call.tenant, actorOf(call), {
    act: `${kind.name}.remark`,
    entity: kind.name,
    entityId: row.id,
    before: { remark: row.remark },
    after: { remark: changed.remark },
  });
  return effectOf(db, kind, { ...row, ...changed }, settings);
}

export async function resendCallback<Row extends KnownTransaction, View>(
  db: Scoped,
  kind: DecisionKind<Row, View>,
  call: StaffCall,
  ref: RowRef,
): Promise<Effect<View>> {
  const known = await lockOne(db, kind, call, ref);
  await requireFresh(db, kind, known, ref);
  await sendCallback(db, known.row, actorOf(call));
  return effectOf(db, kind, known.row, known.settings);
}
