import type { Updateable } from "kysely";
import type { ProblemCode } from "../../contract/problems.ts";
import { Refusal } from "../../contract/problems.ts";
import type { Transfer } from "../../contract/transfers.ts";
import type { RowRef } from "../../contract/wire.ts";
import { amountText, money, parseMoney } from "../../values/money.ts";
import type { Actor, AuditFact } from "../audit/record.ts";
import { actorOf } from "../audit/record.ts";
import { audit, differences } from "../audit/records.ts";
import { releaseTransferLines } from "../bank-lines/undo-match.ts";
import type { StaffCall } from "../call.ts";
import type { Scoped } from "../db/scope.ts";
import type { Tables } from "../db/tables.ts";
import type { Effect } from "../idempotency.ts";
import { post, reversalOf } from "../ledger/ledger.ts";
import type { Touched } from "../payments/acts.ts";
import { recallableUntil } from "../payments/decisions.ts";
import { lostRace } from "../payments/transition.ts";
import type { TenantSettings } from "../settings/settings.ts";
import { settingsOf } from "../settings/settings.ts";
import { lockParties, partiesOf, releaseLimits, usesOf } from "./accounts.ts";
import { holdTransfer, postTransfer, requireCovered } from "./legs.ts";
import { requireWhole } from "./clearing.ts";
import type { TransferRow, TransferScope } from "./transfer-rows.ts";
import { findTransfer, lockTransfer, transferView } from "./transfer-rows.ts";

/** The acts a transfer's history knows besides its creation. */
type Act =
  | "approve"
  | "first-approve"
  | "second-approve"
  | "hand-back"
  | "reject"
  | "recall"
  | "match"
  | "unmatch"
  | "remark"
  | "receipt-add"
  | "receipt-remove";

export type Changes = Updateable<Tables["transfers"]>;

/** Changes a locked transfer: nothing else does. One new version and one audit row an act; who acted and when stay with the row. */
export async function change(
  db: Scoped,
  row: TransferRow,
  actor: Actor,
  act: Act,
  set: Changes,
  reason: string | null = null,
  more: Pick<AuditFact, "before" | "after"> = {},
): Promise<TransferRow> {
  const { tenant_id: tenant, id, currency } = row;
  const columns = {
    ...set,
    version: row.version + 1,
    last_action_at: row.now,
    last_action_by: actor.kind === "user" ? actor.id : null,
    last_actor: actor.name,
    updated_at: row.now,
  };
  await db.updateTable("transfers").set(columns).where("tenant_id", "=", tenant).where("id", "=", id).execute();
  const now = await findTransfer(db, { tenant, currency }, id);
  const changed = differences(facts(row), facts(now));
  const fact = { before: { ...changed?.before, ...more.before }, after: { ...changed?.after, ...more.after }, reason };
  await audit(db, { tenant, entity: "transfer", id }, actor, act, fact);
  return now;
}

/** What an act may change, as the audit log shows it. */
function facts(row: TransferRow) {
  const { status, awaits, remark, lines } = transferView(row);
  return { status, awaits, remark, lines_matched: lines.matched };
}

const lost = (code: ProblemCode, row: TransferRow): Refusal => lostRace(code, row, transferView(row));

/** The row, locked, pending, and of the version its caller saw. */
async function lockPending(db: Scoped, scope: TransferScope, ref: RowRef): Promise<TransferRow> {
  const row = await lockTransfer(db, scope, ref.uuid);
  if (row.status !== "pending") throw lost("transaction.already-decided", row);
  requireFresh(row, ref);
  return row;
}

function requireFresh(row: TransferRow, ref: RowRef): void {
  if (row.version !== ref.version) throw lost("transaction.stale", row);
}

export interface ApproveRef extends RowRef {
  readonly confirmed?: { readonly amount: string } | undefined;
}

function requireConfirmed(row: TransferRow, { confirmed }: ApproveRef): void {
  if (row.tier === 1 || (confirmed && parseMoney(confirmed.amount) === money(row.amount))) return;
  throw new Refusal("transfer.confirm-needed", { tier: row.tier, amount: amountText(row.amount) });
}

/** What an approval writes, posted before, because the row keeps the balance it found. */
export async function settle(db: Scoped, row: TransferRow, actor: Actor, settings: TenantSettings, touched: Touched): Promise<Changes> {
  const scope = { tenant: row.tenant_id, currency: row.currency };
  const { source, target } = await lockParties(db, scope, { source: row.source_id, target: row.target_id, merchant: row.merchant_id });
  if (row.kind === "clearing") requireWhole(row, source);
  const by = actor.kind === "user" ? actor.id : null;
  const ledgers = { source: source?.ledger_account_id ?? null, target: target?.ledger_account_id ?? null };
  const { previous, flipped } = await postTransfer(db, row, ledgers, by, false);
  for (const id of [...flipped, row.source_id, row.target_id]) if (id !== null) touched.add(id);
  const isProven = row.lines_needed > 0 && row.lines_matched === row.lines_needed;
  return {
    status: isProven ? "completed" : "approved",
    approved_at: row.now,
    approved_by: by,
    // what the bank's lines prove is no longer taken back
    recallable_until: isProven ? null : recallableUntil(row, settings),
    ...(isProven && { completed_at: row.now }),
    ...(row.previous_balance === null && { previous_balance: previous }),
  };
}

/** Says that the bank has done what was pending, or approves anew, as the first person, what a second has handed back. */
export async function approve(db: Scoped, call: StaffCall, ref: ApproveRef, touched: Touched): Promise<Effect<Transfer>> {
  const row = await lockPending(db, call, ref);
  if (row.awaits === "second") throw lost("transfer.second-needed", row);
  requireConfirmed(row, ref);
  touched.add(row.id);
  if (row.awaits === "first") {
    const first = { first_approved_by: call.caller.id, first_approved_at: row.now };
    return { answer: transferView(await change(db, row, actorOf(call), "first-approve", first)) };
  }
  const set = await settle(db, row, actorOf(call), await settingsOf(db, call.tenant), touched);
  return { answer: transferView(await change(db, row, actorOf(call), "approve", set)) };
}

/** The row, which waits for a second person, who is not the first. */
async function lockForSecond(db: Scoped, call: StaffCall, ref: RowRef): Promise<TransferRow> {
  const row = await lockPending(db, call, ref);
  if (row.awaits !== "second") throw lost("transfer.second-not-awaited", row);
  if (row.first_approved_by === call.caller.id) throw new Refusal("transfer.second-same-person");
  return row;
}

export async function secondApprove(db: Scoped, call: StaffCall, ref: ApproveRef, touched: Touched): Promise<Effect<Transfer>> {
  const row = await lockForSecond(db, call, ref);
  requireConfirmed(row, ref);
  touched.add(row.id);
  const set = await settle(db, row, actorOf(call), await settingsOf(db, call.tenant), touched);
  return { answer: transferView(await change(db, row, actorOf(call), "second-approve", set)) };
}

export async function handBack(db: Scoped, call: StaffCall, ref: RowRef, reason: string, touched: Touched): Promise<Effect<Transfer>> {
  const row = await lockForSecond(db, call, ref);
  touched.add(row.id);
  const back = await change(db, row, actorOf(call), "hand-back", { first_approved_by: null, first_approved_at: null }, reason);
  return { answer: transferView(back) };
}

export async function reject(db: Scoped, call: StaffCall, ref: RowRef, reason: string, touched: Touched): Promise<Effect<Transfer>> {
  // whoever may not reject may still refuse what waits for them as the second person (domain.md, 4: tiers)
  const lock = call.caller.permissions.has("pas.transaction.transfers.reject") ? lockPending : lockForSecond;
  return { answer: transferView(await end(db, await lock(db, call, ref), call, "reject", reason, touched)) };
}

/** Ends a pending one: gives back what it reserved, held and counted. */
async function end(
  db: Scoped,
  row: TransferRow,
  call: StaffCall,
  act: "reject" | "recall",
  reason: string,
  touched: Touched,
): Promise<TransferRow> {
  await free(db, row, touched);
  await releaseTransferLines(db, row, actorOf(call), reason);
  await holdTransfer(db, row, call.caller.id, "release");
  const set = { ...rejected(row, call, reason), limit_day: null };
  return change(db, row, actorOf(call), act, set, reason);
}

const rejected = (row: TransferRow, { caller }: StaffCall, reason: string): Changes => ({
  status: "rejected",
  rejected_at: row.now,
  rejected_by: caller.id,
  reject_reason: reason,
});

/** Takes it off its accounts' limits. */
async function free(db: Scoped, row: TransferRow, touched: Touched): Promise<void> {
  if (row.limit_day !== null) await releaseLimits(db, row.limit_day, usesOf(row));
  for (const id of [row.id, row.source_id, row.target_id]) if (id !== null) touched.add(id);
}

/** The columns of an approval, cleared. */
const notApproved = {
  approved_at: null,
  approved_by: null,
  recallable_until: null,
  approved_by_lines: false,
} as const satisfies Changes;

/** How a recall is written where nobody says why. */
const recallReason = "recalled";

/**
 * Undoes the last step. What is pending is taken back whole. What is posted is reversed within the tenant's recall window: what had waited for
 * its confirmation or its second person is pending again, what was posted when it was made is taken back whole.
 */
export async function recall(db: Scoped, call: StaffCall, ref: RowRef, touched: Touched): Promise<Effect<Transfer>> {
  const row = await lockTransfer(db, call, ref.uuid);
  if (row.status === "rejected") throw lost("transaction.already-decided", row);
  requireFresh(row, ref);
  if (row.status === "pending") return { answer: transferView(await end(db, row, call, "recall", recallReason, touched)) };
  if (row.status !== "approved" || row.recallable_until === null || row.recallable_until <= row.now)
    throw lost("transfer.recall-closed", row);
  const hadWaited = row.kind === "transfer" || row.kind === "settlement" || row.tier === 3;
  if (!hadWaited) {
    await free(db, row, touched);
    await releaseTransferLines(db, row, actorOf(call), recallReason);
  }
  await reverse(db, row, call, touched);
  const set = hadWaited ? ({ status: "pending" } as const) : { ...rejected(row, call, recallReason), limit_day: null };
  const back = await change(db, row, actorOf(call), "recall", { ...notApproved, ...set, recalls: row.recalls + 1 });
  return { answer: transferView(back) };
}

/** Reverses the posting, entry by entry. Refuses when an account or a wallet has spent the money. */
async function reverse(db: Scoped, row: TransferRow, call: StaffCall, touched: Touched): Promise<void> {
  await lockParties(db, call, { source: row.source_id, target: row.target_id, merchant: row.merchant_id });
  const { legs } = await reversalOf(db, row);
  const { flipped, entries } = await post(db, {
    kind: `${row.kind}.recall`,
    currency: row.currency,
    transaction: row.id,
    by: call.caller.id,
    legs,
  });
  // what is pending on the account that received it stays reserved
  const target = row.target_id === null ? undefined : (await partiesOf(db, call, [row.target_id]))[0];
  requireCovered(entries);
  if (target && money(target.payable) + money(target.hold_amount) + money(target.reserve_amount) < 0n)
    throw new Refusal("payment-account.insufficient");
  for (const id of [...flipped, row.id, row.source_id, row.target_id]) if (id !== null) touched.add(id);
}

export async function remark(db: Scoped, call: StaffCall, ref: RowRef, text: string, touched: Touched): Promise<Effect<Transfer>> {
  const row = await lockTransfer(db, call, ref.uuid);
  requireFresh(row, ref);
  touched.add(row.id);
  return { answer: transferView(await change(db, row, actorOf(call), "remark", { remark: text === "" ? null : text })) };
}
