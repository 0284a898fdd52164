import type { z } from "zod";
import type { Deposit } from "../../contract/deposits.ts";
import { depositRoutes } from "../../contract/deposits.ts";
import { Refusal } from "../../contract/problems.ts";
import type { RowRef } from "../../contract/wire.ts";
import { amountText } from "../../values/money.ts";
import { actorOf } from "../audit/record.ts";
import type { StaffCall } from "../call.ts";
import type { Scoped } from "../db/scope.ts";
import { inTenant } from "../db/scope.ts";
import type { Handlers } from "../handlers.ts";
import type { Effect } from "../idempotency.ts";
import { creditLegs, post } from "../ledger/ledger.ts";
import { settingsOf } from "../settings/settings.ts";
import type { Touched } from "./acts.ts";
import { onRows } from "./acts.ts";
import { sendCallback } from "./callbacks.ts";
import { localDay } from "./limits.ts";
import { reasonOf } from "./reasons.ts";
import { anyRow, listTransactions } from "./transaction-list.ts";
import type { KnownTransaction } from "./transaction-rows.ts";
import { callbackOf, findTransaction, historyOf, transactionView } from "./transaction-rows.ts";
import { isDecided, lostRace, transition } from "./transition.ts";

type DepositView = z.output<typeof Deposit>;

function depositView(row: KnownTransaction): DepositView {
  return {
    ...transactionView(row),
    merchant_receive: amountText(row.merchant_amount),
    expires_at: row.expires_at && row.expires_at.toISOString(),
  };
}

const lostDeposit = (code: Refusal["code"], row: KnownTransaction) => lostRace(code, row, depositView(row));
const effectOf = (row: KnownTransaction): Effect<DepositView> => ({ answer: depositView(row), transactionId: row.id, eventN: row.events });

async function lockDeposit(db: Scoped, { tenant, currency }: StaffCall, ref: RowRef): Promise<KnownTransaction> {
  const row = await findTransaction(db, { tenant, uuid: ref.uuid, kind: "deposit", currency }, "lock");
  if (!row) throw new Refusal("not-found");
  return row;
}

function requireFresh(row: KnownTransaction, ref: RowRef): void {
  if (row.version !== ref.version) throw lostDeposit("transaction.stale", row);
}

function requireOpen(row: KnownTransaction, ref: RowRef): void {
  if (isDecided(row)) throw lostDeposit("transaction.already-decided", row);
  requireFresh(row, ref);
}

async function process(db: Scoped, call: StaffCall, ref: RowRef): Promise<Effect<DepositView>> {
  const row = await lockDeposit(db, call, ref);
  requireOpen(row, ref);
  if (row.status !== "pending") throw lostDeposit("deposit.not-pending", row);
  return effectOf(
    await transition(db, row, actorOf(call), {
      act: "process",
      to: "process",
      set: { processed_at: row.now, processed_by: call.caller.id },
    }),
  );
}

/** Credits the merchant. The posting comes first, because the row stores the wallet's balance before it. */
async function approve(db: Scoped, call: StaffCall, ref: RowRef, touched: Touched): Promise<Effect<DepositView>> {
  const row = await lockDeposit(db, call, ref);
  requireOpen(row, ref);
  if (row.status !== "process") throw lostDeposit("deposit.not-process", row);
  const account = await db
    .selectFrom("payment_accounts")
    .select("ledger_account_id")
    .where("tenant_id", "=", call.tenant)
    .where("id", "=", row.payment_account_id)
    .executeTakeFirst();
  if (!account) throw new Refusal("payment-account.unfit");
  const posted = await post(db, {
    kind: "deposit",
    currency: row.currency,
    transaction: row.id,
    by: call.caller.id,
    legs: creditLegs(row, account.ledger_account_id),
  });
  for (const id of posted.flipped) touched.add(id);
  const wallet = posted.entries.find(({ kind }) => kind === "wallet");
  const approved = await transition(db, row, actorOf(call), {
    act: "approve",
    to: "approved",
    set: { approved_at: row.now, approved_by: call.caller.id, previous_balance: wallet?.previous ?? null },
    decision: "approved",
  });
  return effectOf(approved);
}

async function reject(
  db: Scoped,
  call: StaffCall,
  ref: RowRef,
  reason: { code: string; text?: string | undefined },
): Promise<Effect<DepositView>> {
  const row = await lockDeposit(db, call, ref);
  requireOpen(row, ref);
  const { rejectReason, eventReason } = reasonOf(reason, await settingsOf(db, call.tenant));
  return effectOf(
    await transition(db, row, actorOf(call), {
      act: "reject",
      to: "rejected",
      set: { rejected_at: row.now, rejected_by: call.caller.id, reject_reason: rejectReason },
      reason: eventReason,
      decision: "rejected",
      limit: "release",
    }),
  );
}

/**
 * Reopens an expired deposit for late money and counts it today even above the limits, because it has arrived. The expiry's decision and
 * callback stay in the history.
 */
async function reopen(db: Scoped, call: StaffCall, ref: RowRef, reason: string): Promise<Effect<DepositView>> {
  const row = await lockDeposit(db, call, ref);
  if (row.status !== "expired") throw lostDeposit("deposit.not-expired", row);
  requireFresh(row, ref);
  return effectOf(
    await transition(db, row, actorOf(call), {
      act: "reopen",
      to: "process",
      set: {
        processed_at: row.now,
        processed_by: call.caller.id,
        expired_at: null,
        limit_day: localDay(row.now, row.zone_minutes),
        // the next decision belongs to the next round
        recalls: row.recalls + 1,
      },
      reason,
      limit: "count",
    }),
  );
}

async function resendCallback(db: Scoped, call: StaffCall, ref: RowRef): Promise<Effect<DepositView>> {
  const row = await lockDeposit(db, call, ref);
  requireFresh(row, ref);
  await sendCallback(db, row, actorOf(call));
  return effectOf(row);
}

export const depositHandlers: Handlers<typeof depositRoutes, StaffCall> = {
  async listDeposits({ deps, tenant, currency }, { query }) {
    return inTenant(deps.database, tenant, async (db) => {
      const { rows, meta } = await listTransactions<KnownTransaction>(
        db,
        { tenant, currency, kind: "deposit" },
        query,
        [anyRow],
        "-created_at",
      );
      return { data: rows.map(depositView), meta };
    });
  },

  async readDeposit({ deps, tenant, currency }, { params: { uuid } }) {
    return inTenant(deps.database, tenant, async (db) => {
      const row = await findTransaction(db, { tenant, uuid, kind: "deposit", currency }, "read");
      if (!row) throw new Refusal("not-found");
      return { data: { row: depositView(row), history: await historyOf(db, tenant, uuid), callback: await callbackOf(db, row) } };
    });
  },

  processDeposits: (call, { body: { rows } }) => onRows(call, "deposit", rows, (db, ref) => process(db, call, ref)),

  approveDeposits: (call, { body: { rows } }) => onRows(call, "deposit", rows, (db, ref, touched) => approve(db, call, ref, touched)),

  rejectDeposits: (call, { body: { rows, reason } }) => onRows(call, "deposit", rows, (db, ref) => reject(db, call, ref, reason)),

  reopenDeposits: (call, { body: { rows, reason } }) => onRows(call, "deposit", rows, (db, ref) => reopen(db, call, ref, reason)),

  sendDepositCallbacks: (call, { body: { rows } }) => onRows(call, "deposit", rows, (db, ref) => resendCallback(db, call, ref)),
};
