import { sql } from "kysely";
import type { Transfer } from "../../contract/transfers.ts";
import type { AdjustmentForm, CashOutForm, ManualTransferForm, SettlementForm, TransferForm } from "../../contract/transfer-forms.ts";
import { Refusal } from "../../contract/problems.ts";
import { plainNumber } from "../../contract/wire.ts";
import type { Money } from "../../values/money.ts";
import { money, moneyText, percentOf } from "../../values/money.ts";
import { actorOf } from "../audit/record.ts";
import { audit } from "../audit/records.ts";
import type { StaffCall } from "../call.ts";
import type { Scoped } from "../db/scope.ts";
import type { Effect } from "../idempotency.ts";
import { chargesOf } from "../payments/accounts.ts";
import type { Touched } from "../payments/acts.ts";
import { tierOf } from "../payments/checks.ts";
import { recallableUntil } from "../payments/decisions.ts";
import { localDay } from "../payments/limits.ts";
import { numberOf } from "../payments/transactions.ts";
import { newId } from "../payments/transition.ts";
import type { TenantSettings } from "../settings/settings.ts";
import { settingsOf } from "../settings/settings.ts";
import type { PartyRow } from "./accounts.ts";
import { lockParties, requireActive, requirePayable, takeLimits, usesOf } from "./accounts.ts";
import { holdTransfer, postTransfer } from "./legs.ts";
import type { TransferRow } from "./transfer-rows.ts";
import { findTransfer, transferView } from "./transfer-rows.ts";

/** What a transfer is about, before it is known how it is to be decided. */
export type Plan = Pick<
  TransferRow,
  | "kind"
  | "source_id"
  | "target_id"
  | "merchant_id"
  | "direction"
  | "bank"
  | "account_number"
  | "holder"
  | "amount"
  | "fee"
  | "charges"
  | "charges_type"
  | "charges_borne_by"
  | "final_amount"
  | "merchant_amount"
  | "reference_no"
  | "reason"
  | "remark"
> & { readonly payment_date: Date | null };

/** A plan without anything. */
export const empty = {
  source_id: null,
  target_id: null,
  merchant_id: null,
  direction: null,
  bank: null,
  account_number: null,
  holder: null,
  fee: "0",
  charges: "0",
  charges_type: "fixed",
  charges_borne_by: "house",
  merchant_amount: null,
  reference_no: null,
  reason: null,
  remark: null,
  payment_date: null,
} as const satisfies Partial<Plan>;

interface Charges {
  readonly charges_type: "fixed" | "percent";
  readonly charges_value: string;
}

/** The charges of an amount in whole minor units. Refuses more than 100 percent. */
export function chargesFor({ charges_type, charges_value }: Charges, amount: Money, minorDigits: number): Money {
  const value = charges_value === "" ? "0" : charges_value;
  if (charges_type === "percent" && money(value) > money("100"))
    throw new Refusal("request.invalid", { charges_value: ["Must be at most 100 percent"] });
  return chargesOf({ charges_type, charges_value: money(value) }, amount, minorDigits);
}

/**
 * What of a whole balance is moved, and what the bank takes of it: nothing where it goes to no bank. Of a percentage, amount and charges fit each
 * other.
 */
export function clearingAmounts(form: Charges, atBank: boolean, whole: Money, minorDigits: number): { amount: Money; charges: Money } {
  if (!atBank) return { amount: whole, charges: 0n };
  if (form.charges_type === "fixed") {
    const charges = chargesFor(form, whole, minorDigits);
    return { amount: whole - charges, charges };
  }
  const amount = largestWithin(whole, money(form.charges_value || "0"), minorDigits);
  return { amount, charges: whole - amount };
}

/** The largest amount that, with a percentage of it, is not more than `whole`. */
export function largestWithin(whole: Money, rate: Money, minorDigits: number): Money {
  if (whole <= 0n) return 0n;
  const unit = 10n ** BigInt(4 - minorDigits);
  let amount = ((whole * 1_000_000n) / (1_000_000n + rate) / unit) * unit;
  // the percentage is rounded
  while (amount > 0n && amount + percentOf(amount, rate, minorDigits) > whole) amount -= unit;
  return amount;
}

const chargedBy = (form: Charges & { readonly amount: string }, minorDigits: number) => {
  const charges = chargesFor(form, money(form.amount), minorDigits);
  return {
    amount: form.amount,
    charges: moneyText(charges),
    charges_type: form.charges_type,
    final_amount: moneyText(money(form.amount) + charges),
  };
};

export function planTransfer({ currencyFacts }: StaffCall, form: TransferForm | ManualTransferForm): Plan {
  if (form.source === form.target) throw new Refusal("request.invalid", { target: ["Must be another account"] });
  return {
    ...empty,
    ...chargedBy(form, currencyFacts.minorDigits),
    kind: "payment_date" in form ? "manual-transfer" : "transfer",
    source_id: form.source,
    target_id: form.target,
    reference_no: form.reference_no || null,
    remark: form.remark || null,
    payment_date: "payment_date" in form ? new Date(form.payment_date) : null,
  };
}

export async function planAdjustment(db: Scoped, call: StaffCall, form: AdjustmentForm): Promise<Plan> {
  await merchantOf(db, call, form.merchant);
  return {
    ...empty,
    kind: "adjustment",
    merchant_id: form.merchant,
    direction: form.direction,
    amount: form.amount,
    final_amount: form.amount,
    reason: form.reason,
    reference_no: form.reference_no || null,
  };
}

/** What a settlement costs, at the merchant's settlement rate. Refuses transfer.below-minimum. */
export async function planSettlement(
  db: Scoped,
  call: StaffCall,
  form: SettlementForm | CashOutForm,
  { settlement_minimum }: TenantSettings,
): Promise<Plan> {
  const { minorDigits } = call.currencyFacts;
  const merchant = await merchantOf(db, call, form.merchant);
  const amount = money(form.amount);
  const least = settlement_minimum[call.currency];
  if (least !== undefined && amount < money(least))
    throw new Refusal("transfer.below-minimum", { amount: [`Must be at least ${least}, the smallest settlement`] });
  const fee = percentOf(amount, money(merchant.settlement_rate), minorDigits);
  const paid = "source" in form ? chargedBy(form, minorDigits) : { amount: form.amount, final_amount: form.amount };
  const borne = merchant.charges_borne_by === "merchant" && "charges" in paid ? money(paid.charges) : 0n;
  return {
    ...empty,
    ...paid,
    kind: "settlement",
    merchant_id: form.merchant,
    ...("source" in form && {
      source_id: form.source,
      bank: form.bank,
      account_number: plainNumber(form.account_number),
      holder: form.holder,
    }),
    fee: moneyText(fee),
    charges_borne_by: merchant.charges_borne_by,
    merchant_amount: moneyText(amount + fee + borne),
    reference_no: form.reference_no || null,
    remark: form.remark || null,
  };
}

interface MerchantTerms {
  readonly settlement_rate: string;
  readonly charges_borne_by: "merchant" | "house";
}

async function merchantOf(db: Scoped, { tenant, currency }: StaffCall, id: string): Promise<MerchantTerms> {
  const merchant = await db
    .selectFrom("merchants")
    .select(["settlement_rate", "charges_borne_by"])
    .where("tenant_id", "=", tenant)
    .where("currency", "=", currency)
    .where("id", "=", id)
    .executeTakeFirst();
  if (!merchant) throw new Refusal("request.invalid", { merchant: ["Names a record that does not exist"] });
  return merchant;
}

/** Kinds that say what has happened already, or happens by being said: they are posted when made, below the tier of a second person. */
const isPostedAtOnce = (kind: Plan["kind"]): boolean => kind !== "transfer" && kind !== "settlement";

/** Makes a transfer of a plan. Its accounts must be active, and the source able to pay. */
export async function make(db: Scoped, call: StaffCall, plan: Plan, touched: Touched): Promise<Effect<Transfer>> {
  const begun = await begin(db, call, plan);
  requireActive("source", begun.source);
  requireActive("target", begun.target);
  requirePayable(begun.source, money(plan.final_amount));
  return { answer: transferView(await finish(db, call, begun, touched)) };
}

/** A plan whose limits are taken and whose accounts are locked. */
export interface Begun {
  readonly plan: Plan;
  readonly settings: TenantSettings;
  readonly limit_day: string | null;
  readonly source: PartyRow | null;
  readonly target: PartyRow | null;
}

/** Counts a plan against its accounts' limits, then locks what it moves. */
export async function begin(db: Scoped, call: StaffCall, plan: Plan): Promise<Begun> {
  const settings = await settingsOf(db, call.tenant);
  const today = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db);
  const day = localDay(today.rows[0]?.now ?? new Date(), call.currencyFacts.zoneMinutes);
  const uses = usesOf(plan);
  await takeLimits(db, call, day, uses);
  const parties = await lockParties(db, call, { source: plan.source_id, target: plan.target_id, merchant: plan.merchant_id });
  return { plan, settings, limit_day: uses.length > 0 ? day : null, ...parties };
}

export const planTier = (
  { currency }: Pick<StaffCall, "currency">,
  { amount }: Pick<Plan, "amount">,
  settings: TenantSettings,
): 1 | 2 | 3 => tierOf({ currency, amount }, [], settings);

/**
 * Writes the transfer: posted at once where its kind is and no second person is needed, else pending, with what a settlement holds. Its money
 * is moved after its accounts were judged.
 */
export async function finish(
  db: Scoped,
  call: StaffCall,
  { plan, settings, limit_day, source, target }: Begun,
  touched: Touched,
): Promise<TransferRow> {
  const actor = actorOf(call);
  const { rows } = await sql<{
    number: string;
    now: Date;
  }>`select nextval('transaction_numbers') as number, clock_timestamp() as now`.execute(db);
  const [{ number, now } = { number: "0", now: new Date() }] = rows;
  const tier = planTier(call, plan, settings);
  const id = newId(now);
  const isPosted = isPostedAtOnce(plan.kind) && tier < 3;
  const moved = { ...plan, id, currency: call.currency };
  const ledgers = { source: source?.ledger_account_id ?? null, target: target?.ledger_account_id ?? null };
  const held = await holdTransfer(db, moved, call.caller.id, "hold");
  const posted = isPosted ? await postTransfer(db, moved, ledgers, call.caller.id, false) : null;
  for (const one of posted?.flipped ?? []) touched.add(one);
  const set = {
    ...plan,
    tier,
    limit_day,
    txn_no: numberOf("T", { now, zone_minutes: call.currencyFacts.zoneMinutes, number }),
    status: isPosted ? ("approved" as const) : ("pending" as const),
    previous_balance: held ?? posted?.previous ?? null,
    ...(isPosted
      ? { approved_at: now, approved_by: call.caller.id, recallable_until: recallableUntil({ now }, settings) }
      : tier === 3 && { first_approved_by: call.caller.id, first_approved_at: now }),
  };
  await db
    .insertInto("transfers")
    .values({
      ...set,
      tenant_id: call.tenant,
      id,
      currency: call.currency,
      created_at: now,
      created_by: call.caller.id,
      last_action_at: now,
      last_action_by: call.caller.id,
      last_actor: actor.name,
      updated_at: now,
    })
    .execute();
  const row = await findTransfer(db, call, id);
  const after = Object.fromEntries(Object.entries(audited(row)).filter(([, value]) => value !== null && value !== "0.00"));
  await audit(db, { tenant: call.tenant, entity: "transfer", id }, actor, "create", { after, reason: plan.reason });
  for (const account of [plan.source_id, plan.target_id]) if (account !== null) touched.add(account);
  touched.add(id);
  return row;
}

/** What the audit log keeps of a new one: with names, because a uuid means nothing to a reader. */
function audited(row: TransferRow): Record<string, unknown> {
  const view = transferView(row);
  const { txn_no, kind, status, direction, bank, account_number, holder, amount, fee, charges, reference_no, remark } = view;
  return {
    txn_no,
    kind,
    status,
    source: view.source?.code ?? null,
    target: view.target?.code ?? null,
    merchant: view.merchant?.code ?? null,
    direction,
    bank,
    account_number,
    holder,
    amount,
    fee,
    charges,
    reference_no,
    remark,
  };
}
