import type { Deposit } from "../../contract/deposits.ts";
import { Refusal } from "../../contract/problems.ts";
import type { RowRef } from "../../contract/wire.ts";
import { amountText, money, parseMoney } from "../../values/money.ts";
import type { Actor } from "../audit/record.ts";
import { actorOf } from "../audit/record.ts";
import type { StaffCall } from "../call.ts";
import type { Scoped } from "../db/scope.ts";
import type { Effect } from "../idempotency.ts";
import { creditLegs, post, reversalOf } from "../ledger/ledger.ts";
import type { TenantSettings } from "../settings/settings.ts";
import type { AccountFacts } from "./accounts.ts";
import type { Touched } from "./acts.ts";
import { effectOf, leaseOf, lockOne, mayClaimMore, requireFresh } from "./claims.ts";
import { lost } from "./decision-kind.ts";
import { lockRecallable, recallableUntil, recalled, requireClaimed, requireOpen, requireSecond } from "./decisions.ts";
import { arrivedAmounts } from "./deposit-amounts.ts";
import { depositKind } from "./deposit-kind.ts";
import type { DepositAmounts } from "./deposit-rows.ts";
import { judgeDeposit, loadDepositFacts } from "./deposit-rows.ts";
import { localDay } from "./limits.ts";
import type { KnownDeposit } from "./transaction-rows.ts";
import { transition, unclaimed } from "./transition.ts";

interface Confirmed {
  readonly amount: string;
  readonly payer: string;
}
interface ApproveRef extends RowRef {
  readonly amount?: string | undefined;
  readonly reason?: string | undefined;
  readonly confirmed?: Confirmed | undefined;
}

/** pending → process: the customer's payment is reported. */
export async function process(
  db: Scoped,
  call: StaffCall,
  ref: RowRef & { readonly reference_no?: string | undefined },
): Promise<Effect<Deposit>> {
  const known = await lockOne(db, depositKind, call, ref);
  const { row, settings } = known;
  await requireOpen(db, depositKind, known, ref);
  if (row.status !== "pending") throw await lost(db, depositKind, "deposit.not-pending", known);
  const moved = await transition(db, row, actorOf(call), {
    act: "process",
    to: "process",
    set: {
      processed_at: row.now,
      processed_by: call.caller.id,
      ...(ref.reference_no !== undefined && { reference_no: ref.reference_no }),
    },
  });
  return refreshed(db, call, moved, settings);
}

/** A changed reference or status has other facts. */
async function refreshed(db: Scoped, call: StaffCall, row: KnownDeposit, settings: TenantSettings): Promise<Effect<Deposit>> {
  const known = await lockOne(db, depositKind, call, { uuid: row.id, version: row.version });
  return effectOf(db, depositKind, known.row, settings);
}

/** Approves: tier 1 and a confirmed tier 2 are credited, a confirmed tier 3 waits for a second person. */
export async function approve(db: Scoped, call: StaffCall, ref: ApproveRef, touched: Touched): Promise<Effect<Deposit>> {
  const known = await lockOne(db, depositKind, call, ref);
  const { row, settings } = known;
  await requireClaimed(db, depositKind, call, known, ref);
  const arrived = await arrivedAmounts(db, row, ref);
  const { account, tier } = await requireSound(db, row, settings, arrived);
  requireConfirmed(row, arrived, tier, ref.confirmed);
  if (tier < 3) return effectOf(db, depositKind, await credit(db, row, account, settings, actorOf(call), touched, arrived), settings);
  const first = await transition(db, row, actorOf(call), {
    act: "first-approve",
    to: "process",
    set: { ...unclaimed, ...changed(row, arrived), first_approved_by: call.caller.id, first_approved_at: row.now },
    reason: arrived.amount_reason,
    ...(arrived !== row && { limit: "recount" as const }),
  });
  return effectOf(db, depositKind, first, settings);
}

/** The second approval of a tier 3 deposit, of the amount the first person approved. */
export async function secondApprove(
  db: Scoped,
  call: StaffCall,
  ref: RowRef & { readonly confirmed: Confirmed },
  touched: Touched,
): Promise<Effect<Deposit>> {
  const known = await lockOne(db, depositKind, call, ref);
  const { row, settings } = known;
  await requireOpen(db, depositKind, known, ref);
  await requireSecond(db, depositKind, call, known);
  const { account } = await requireSound(db, row, settings, row);
  requireConfirmed(row, row, 3, ref.confirmed);
  const approved = await credit(db, row, account, settings, actorOf(call), touched, row, "second-approve");
  return effectOf(db, depositKind, approved, settings);
}

/** Refuses failed checks, and a deposit without an account. */
async function requireSound(
  db: Scoped,
  row: KnownDeposit,
  settings: TenantSettings,
  arrived: DepositAmounts,
): Promise<{ account: AccountFacts; tier: 1 | 2 | 3 }> {
  const { account, checks, tier } = judgeDeposit(row, await loadDepositFacts(db, [row], settings), arrived);
  if (!account) throw new Refusal("payment-account.unfit", { accounts: [] });
  const failed = checks.filter(({ result }) => result === "fail");
  if (failed.length > 0) throw new Refusal("deposit.check-failed", { checks: failed });
  return { account, tier };
}

function requireConfirmed(row: KnownDeposit, { amount }: DepositAmounts, tier: number, confirmed: Confirmed | undefined): void {
  if (tier === 1) return;
  if (confirmed && parseMoney(confirmed.amount) === money(amount) && confirmed.payer === row.customer_name) return;
  throw new Refusal("deposit.confirm-needed", { tier, amount: amountText(amount), payer: row.customer_name });
}

/** The columns of other amounts than the row has. */
const changed = (row: KnownDeposit, arrived: DepositAmounts): Partial<DepositAmounts> => {
  if (arrived === row) return {};
  const { amount, fee, final_amount, merchant_amount, asked_amount, asked_fee, amount_reason } = arrived;
  return { amount, fee, final_amount, merchant_amount, asked_amount, asked_fee, amount_reason };
};

/**
 * Credits the merchant with `arrived`, and holds the callback back for as long as it can be recalled. The posting comes first, because the
 * row stores the wallet's balance before it. The row is locked and in process; its checks are the caller's.
 */
export async function credit(
  db: Scoped,
  row: KnownDeposit,
  account: AccountFacts,
  settings: TenantSettings,
  actor: Actor,
  touched: Touched,
  arrived: DepositAmounts = row,
  act: "approve" | "second-approve" = "approve",
): Promise<KnownDeposit> {
  const by = actor.kind === "user" ? actor.id : null;
  const amounts = changed(row, arrived);
  const posted = await post(db, {
    kind: "deposit",
    currency: row.currency,
    transaction: row.id,
    by,
    legs: creditLegs({ ...row, ...amounts }, account.ledger_account_id),
  });
  for (const id of posted.flipped) touched.add(id);
  const wallet = posted.entries.find(({ kind }) => kind === "wallet");
  return transition(db, row, actor, {
    act,
    to: "approved",
    set: {
      ...unclaimed,
      ...amounts,
      approved_at: row.now,
      approved_by: by,
      previous_balance: wallet?.previous ?? null,
      recallable_until: recallableUntil(row, settings),
    },
    reason: arrived.amount_reason,
    decision: "approved",
    holdSeconds: settings.recall_seconds,
    ...(arrived !== row && { limit: "recount" as const }),
  });
}

/**
 * Undoes an approval within the tenant's recall window: reverses its entries, restores the requested amounts and cancels its callback. The
 * caller gets the claim unless they have too many. Refuses merchant.insufficient-balance when the merchant has spent the money.
 */
export async function recall(db: Scoped, call: StaffCall, ref: RowRef, touched: Touched): Promise<Effect<Deposit>> {
  const { row, settings } = await lockRecallable(db, depositKind, call, ref);
  const { legs } = await reversalOf(db, row);
  const { set, limit } = depositKind.undone(row);
  const back = await transition(db, row, actorOf(call), {
    act: "recall",
    to: "process",
    set: {
      ...((await mayClaimMore(db, call)) ? leaseOf(depositKind, row, call.caller.id) : unclaimed),
      ...recalled(row),
      ...set,
      previous_balance: null,
    },
    ...(limit && { limit }),
  });
  const { flipped } = await post(db, {
    kind: "deposit.recall",
    currency: row.currency,
    transaction: row.id,
    by: call.caller.id,
    legs,
  });
  for (const id of flipped) touched.add(id);
  return refreshed(db, call, back, settings);
}

/**
 * Reopens an expired deposit for late money and counts it today even above the limits, because it has arrived. The expiry's decision and
 * callback stay in the history.
 */
export async function reopen(db: Scoped, call: StaffCall, ref: RowRef, reason: string): Promise<Effect<Deposit>> {
  const known = await lockOne(db, depositKind, call, ref);
  const { row, settings } = known;
  if (row.status !== "expired") throw await lost(db, depositKind, "deposit.not-expired", known);
  await requireFresh(db, depositKind, known, ref);
  const reopened = await transition(db, row, actorOf(call), {
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
  });
  return refreshed(db, call, reopened, settings);
}
