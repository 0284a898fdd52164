import type { ProblemCode } from "../../contract/problems.ts";
import { Refusal } from "../../contract/problems.ts";
import type { RowRef } from "../../contract/wire.ts";
import type { Withdrawal } from "../../contract/withdrawals.ts";
import { amountText, money, moneyText, parseMoney } from "../../values/money.ts";
import { actorOf } from "../audit/record.ts";
import { releaseLine } from "../bank-lines/undo-match.ts";
import type { StaffCall } from "../call.ts";
import type { Scoped } from "../db/scope.ts";
import type { Effect } from "../idempotency.ts";
import { lastPost, post, reversalOf } from "../ledger/ledger.ts";
import type { Weighed } from "./accounts.ts";
import { ratesOf } from "./account-lines.ts";
import { nearestOf } from "./accounts.ts";
import type { Touched } from "./acts.ts";
import { Overtaken } from "./acts.ts";
import { effectOf, leaseOf, lockOne, mayClaimMore } from "./claims.ts";
import { lockRecallable, recallableUntil, recalled, requireClaimed, requireOpen, requireSecond } from "./decisions.ts";
import { localDay, lockRates } from "./limits.ts";
import type { Known, KnownWithdrawal } from "./transaction-rows.ts";
import type { Move } from "./transition.ts";
import { transition, unclaimed } from "./transition.ts";
import { withdrawalKind } from "./withdrawal-kind.ts";
import type { DecisionFacts, Judgement } from "./withdrawal-rows.ts";
import { approvalLegs, approvedAmounts, judge, loadDecisionFacts, withdrawalView } from "./withdrawal-rows.ts";

interface Confirmed {
  readonly amount: string;
  readonly holder: string;
}
export interface ApproveRef extends RowRef {
  readonly payment_account?: string | undefined;
  readonly confirmed?: Confirmed | undefined;
}

/**
 * Approves: tier 1 and a confirmed tier 2 are paid, a confirmed tier 3 waits for a second person. `together`: the tier of the payout it is
 * part of, which asks for a second person where the row alone would not.
 */
export async function approve(
  db: Scoped,
  call: StaffCall,
  ref: ApproveRef,
  touched: Touched,
  together: 1 | 2 | 3 = 1,
): Promise<Effect<Withdrawal>> {
  const locked = await lockOne(db, withdrawalKind, call, ref);
  const { row, settings } = locked;
  await requireClaimed(db, withdrawalKind, call, locked, ref);
  const weighing = await choose(db, locked, ref.payment_account);
  requireConfirmed(row, weighing.judged.tier, ref.confirmed);
  if (weighing.judged.tier < 3 && together < 3)
    return pay(db, call, locked, weighing, "approve", touched, ref.payment_account === undefined);
  const first = await transition(db, row, actorOf(call), {
    act: "first-approve",
    to: "process",
    set: {
      ...unclaimed,
      first_approved_by: call.caller.id,
      first_approved_at: row.now,
      first_account_id: weighing.paying.account.id,
    },
  });
  return effectOf(db, withdrawalKind, first, settings);
}

/** The second approval of a tier 3 withdrawal. Pays from the account the first person chose if it still fits. */
export async function secondApprove(
  db: Scoped,
  call: StaffCall,
  ref: RowRef & { readonly confirmed: Confirmed },
  touched: Touched,
): Promise<Effect<Withdrawal>> {
  const locked = await lockOne(db, withdrawalKind, call, ref);
  const { row } = locked;
  await requireOpen(db, withdrawalKind, locked, ref);
  await requireSecond(db, withdrawalKind, call, locked);
  const weighing = await choose(db, locked, undefined);
  requireConfirmed(row, 3, ref.confirmed);
  return pay(db, call, locked, weighing, "second-approve", touched, true);
}

/** Refusals of one account; another account may be accepted. */
const accountProblems: readonly ProblemCode[] = ["payment-account.unfit", "payment-account.over-limit", "payment-account.insufficient"];

interface Weighing {
  readonly facts: DecisionFacts;
  readonly judged: Judgement;
  readonly paying: Weighed;
}

/**
 * Chooses the account to pay from, judged on data read after the row was locked, and after locking the account's rate limits if it has any.
 * `wanted` must fit. Refuses failed checks.
 */
async function choose(db: Scoped, { row, settings }: Known<KnownWithdrawal>, wanted: string | undefined): Promise<Weighing> {
  const locked = new Set<string>();
  for (;;) {
    const facts = await loadDecisionFacts(db, [row], settings);
    const judged = judge(row, facts, wanted);
    const paying = judged.suggestion;
    if (!paying || paying.unfit) throw unfitRefusal(judged, paying);
    const failed = judged.checks.filter(({ result }) => result === "fail");
    if (failed.length > 0) throw new Refusal("withdrawal.check-failed", { checks: failed });
    const rates = ratesOf(paying.account, judged.need);
    if ((!rates.account && !rates.member) || locked.has(paying.account.id)) return { facts, judged, paying };
    await lockRates(db, paying.account.id, row);
    locked.add(paying.account.id);
  }
}

function unfitRefusal({ weighed }: Judgement, paying: Weighed | undefined): Refusal {
  const spoken = paying ?? nearestOf(weighed);
  if (!spoken?.unfit) return new Refusal("payment-account.unfit", { accounts: [] });
  const { account, unfit } = spoken;
  const detail = { accounts: [{ uuid: account.id, code: account.code, unfit }] };
  if (unfit.code === "daily" || unfit.code === "monthly") return new Refusal("payment-account.over-limit", detail);
  return new Refusal(unfit.code === "balance" ? "payment-account.insufficient" : "payment-account.unfit", detail);
}

function requireConfirmed(row: KnownWithdrawal, tier: number, confirmed: Confirmed | undefined): void {
  if (tier === 1) return;
  if (confirmed && parseMoney(confirmed.amount) === money(row.amount) && confirmed.holder === row.holder) return;
  throw new Refusal("withdrawal.confirm-needed", { tier, amount: amountText(row.amount), holder: row.holder });
}

async function pay(
  db: Scoped,
  call: StaffCall,
  { row, settings }: Known<KnownWithdrawal>,
  { facts, paying }: Weighing,
  act: "approve" | "second-approve",
  touched: Touched,
  suggested: boolean,
): Promise<Effect<Withdrawal>> {
  const actor = actorOf(call);
  const { account } = paying;
  const day = localDay(row.now, row.zone_minutes);
  const move: Move = {
    act,
    to: "approved",
    set: {
      ...unclaimed,
      ...approvedAmounts(row, paying),
      payment_account_id: account.id,
      payment_date: row.now,
      limit_day: day,
      approved_at: row.now,
      approved_by: call.caller.id,
      recallable_until: recallableUntil(row, settings),
    },
    accountCode: account.code,
    decision: "approved",
    holdSeconds: settings.recall_seconds,
  };
  const paid = await transition(db, row, actor, move);
  const amount = amountText(paid.final_amount);
  const last = lastPost(
    db,
    {
      kind: "withdrawal",
      currency: row.currency,
      transaction: row.id,
      by: call.caller.id,
      legs: approvalLegs(row, paying),
      guard: true,
      take: { account: account.id, kind: "withdrawal", day, amount },
    },
    ({ flipped }) => flipped.forEach((id) => touched.add(id)),
    // the account was fit when judged, so another call used it up meanwhile; a new choice may find another
    (error) => (suggested && error instanceof Refusal && accountProblems.includes(error.code) ? new Overtaken(error) : error),
  );
  const used = account.daily_used + money(amount);
  const after = { ...facts, accounts: facts.accounts.map((one) => (one.id === account.id ? { ...one, daily_used: used } : one)) };
  return { answer: withdrawalView(paid, after), transactionId: row.id, eventN: paid.events, last };
}

/**
 * Undoes an approval within the tenant's recall window: reverses its entries, releases its limit use and cancels its callback. The caller
 * gets the claim, or, with too many claims, the withdrawal becomes free.
 */
export async function recall(db: Scoped, call: StaffCall, ref: RowRef, touched: Touched): Promise<Effect<Withdrawal>> {
  const { row, settings } = await lockRecallable(db, withdrawalKind, call, ref);
  const { legs, held } = await reversalOf(db, row);
  const charges = row.charges_borne_by === "merchant" ? held - money(row.amount) - money(row.fee) : 0n;
  const keepsClaim = await mayClaimMore(db, call);
  const back = await transition(db, row, actorOf(call), {
    act: "recall",
    to: keepsClaim ? "process" : "pending",
    set: {
      ...(keepsClaim ? leaseOf(withdrawalKind, row, call.caller.id) : unclaimed),
      ...recalled(row),
      charges: moneyText(charges),
      charges_type: "fixed",
      final_amount: moneyText(money(row.amount) + charges),
      merchant_amount: moneyText(held),
      payment_account_id: null,
      payment_date: null,
    },
    accountCode: null,
    limit: "release",
  });
  // approved again it may be paid from another account, which that line would not prove
  await releaseLine(db, back, actorOf(call), "");
  const { flipped } = await post(db, {
    kind: "withdrawal.recall",
    currency: row.currency,
    transaction: row.id,
    by: call.caller.id,
    legs,
  });
  for (const id of flipped) touched.add(id);
  return effectOf(db, withdrawalKind, back, settings);
}
