import { sql } from "kysely";
import { Refusal } from "../../contract/problems.ts";
import { plainNumber } from "../../contract/wire.ts";
import type { Money } from "../../values/money.ts";
import { fitsMinorUnit, money, moneyText, percentOf } from "../../values/money.ts";
import type { Actor } from "../audit/record.ts";
import type { Scoped } from "../db/scope.ts";
import { violated } from "../db/errors.ts";
import { holdLegs, post } from "../ledger/ledger.ts";
import type { TenantSettings } from "../settings/settings.ts";
import { readSettings } from "../settings/settings.ts";
import type { AccountFacts, Need, Weighed } from "./accounts.ts";
import { chargesOf, loadAccounts, weighAll } from "./accounts.ts";
import { creditOf } from "./deposit-amounts.ts";
import { localDay, rateRefusal } from "./limits.ts";
import type { TransactionRow } from "./transaction-rows.ts";
import { findTransaction } from "./transaction-rows.ts";
import { insertDeposit, insertTransaction, newId, numberTaken, transition } from "./transition.ts";

/** The merchant a transaction is created for, and who creates it: the merchant, or staff on its behalf. */
export interface Creating {
  readonly tenant: string;
  readonly merchant: string;
  readonly actor: Actor;
}

interface TransactionRequest {
  readonly merchant_txn_no: string | null;
  readonly amount: string;
  readonly currency: string;
  readonly method: string;
  readonly member: string;
  readonly customer_name: string;
}

export interface WithdrawalRequest extends TransactionRequest {
  readonly bank: string;
  readonly account_number: string;
  readonly holder: string;
}
export type DepositRequest = TransactionRequest;

interface MerchantFacts {
  readonly id: string;
  readonly currency: string;
  readonly status: string;
  readonly deposit_rate: string;
  readonly withdrawal_rate: string;
  readonly charges_borne_by: "merchant" | "house";
  readonly minor_digits: number;
  readonly zone_minutes: number;
  readonly settings: TenantSettings;
  readonly number: string;
  readonly now: Date;
}

/**
 * The merchant's facts and a new transaction number. Refuses an inactive merchant, another currency, and an amount with too many decimals.
 */
export async function loadMerchantFacts(db: Scoped, { tenant, merchant }: Creating, request: TransactionRequest): Promise<MerchantFacts> {
  const { rows } = await sql<Omit<MerchantFacts, "settings"> & { settings: unknown }>`
    select m.id, m.currency, m.status, m.deposit_rate, m.withdrawal_rate, m.charges_borne_by, c.minor_digits, c.zone_minutes, t.settings,
      nextval('transaction_numbers') as number, clock_timestamp() as now
    from merchants m
    join currencies c on c.tenant_id = m.tenant_id and c.code = m.currency
    join tenants t on t.id = m.tenant_id
    where m.tenant_id = ${tenant} and m.id = ${merchant}`.execute(db);
  const [facts] = rows;
  if (!facts) throw new Refusal("not-found");
  if (facts.status !== "active") throw new Refusal("merchant.inactive");
  if (facts.currency !== request.currency) throw new Refusal("currency.invalid");
  const amount = money(request.amount);
  if (amount <= 0n) throw new Refusal("amount.not-positive", { amount: ["Must be above zero"] });
  if (!fitsMinorUnit(amount, facts.minor_digits)) {
    throw new Refusal("amount.too-precise", { amount: [`Must have at most ${facts.minor_digits} decimals`] });
  }
  return { ...facts, settings: readSettings(facts.settings) };
}

/** "W", "D" or "T", the day in the currency's zone, a number of at least 7 digits. */
export function numberOf(
  letter: "W" | "D" | "T",
  { now, zone_minutes, number }: Pick<MerchantFacts, "now" | "zone_minutes" | "number">,
): string {
  return `${letter}${localDay(now, zone_minutes).slice(2).replaceAll("-", "")}${number.padStart(7, "0")}`;
}

export function commonColumns(facts: MerchantFacts, { actor }: Creating, request: TransactionRequest): Partial<TransactionRow> {
  const { merchant_txn_no, currency, method, member, customer_name } = request;
  return {
    id: newId(facts.now),
    merchant_id: facts.id,
    source: actor.kind === "merchant" ? "api" : "manual",
    status: "pending",
    currency,
    method,
    member,
    customer_name,
    merchant_txn_no,
    charges_borne_by: facts.charges_borne_by,
    charges_type: "fixed",
    created_at: facts.now,
    last_action_by: actor.kind === "user" ? actor.id : null,
  };
}

export const numberRefusal = (set: Partial<TransactionRow>) => (error: unknown) => {
  throw violated(error) === numberTaken ? new Refusal("merchant.number-taken", { merchant_txn_no: [set.merchant_txn_no ?? ""] }) : error;
};

/**
 * Creates a withdrawal and holds what it will cost the merchant: amount + fee + the charges it bears. Which account will pay is not known
 * yet, so the hold has the highest charges of the possible accounts, and the approval returns the rest. Charges borne by the platform are 0
 * until the approval. Refuses merchant.insufficient-balance.
 */
export async function createWithdrawal(db: Scoped, creating: Creating, request: WithdrawalRequest): Promise<TransactionRow> {
  const facts = await loadMerchantFacts(db, creating, request);
  const amount = money(request.amount);
  const fee = percentOf(amount, money(facts.withdrawal_rate), facts.minor_digits);
  const charges = facts.charges_borne_by === "merchant" ? await highestCharges(db, creating.tenant, facts, request, amount) : 0n;
  const { withdrawal_expiry_hours } = facts.settings;
  const set = {
    ...commonColumns(facts, creating, request),
    kind: "withdrawal" as const,
    txn_no: numberOf("W", facts),
    bank: request.bank,
    // without blanks, so that one payee has one number
    account_number: plainNumber(request.account_number),
    holder: request.holder,
    amount: moneyText(amount),
    fee: moneyText(fee),
    charges: moneyText(charges),
    final_amount: moneyText(amount + charges),
    merchant_amount: moneyText(amount + fee + charges),
    expires_at: withdrawal_expiry_hours === null ? null : new Date(facts.now.getTime() + withdrawal_expiry_hours * 3_600_000),
  };
  const id = set.id ?? "";
  const posted = await post(db, {
    kind: "withdrawal.hold",
    currency: facts.currency,
    transaction: id,
    by: set.last_action_by ?? null,
    legs: holdLegs({ ...set, id, currency: facts.currency, merchant_id: facts.id, charges_borne_by: facts.charges_borne_by }),
  });
  const wallet = posted.entries.find(({ kind }) => kind === "wallet");
  return insertTransaction(db, creating.actor, { ...set, previous_balance: wallet?.previous ?? null }).catch(numberRefusal(set));
}

async function highestCharges(
  db: Scoped,
  tenant: string,
  facts: MerchantFacts,
  request: TransactionRequest,
  amount: Money,
): Promise<Money> {
  const accounts = await loadAccounts(db, {
    currency: facts.currency,
    kind: "withdrawal",
    zoneMinutes: facts.zone_minutes,
  });
  return accounts
    .filter(({ status, purpose, method }) => status === "active" && purpose !== "deposit" && method === request.method)
    .map((account) => chargesOf(account, amount, facts.minor_digits))
    .reduce((most, charges) => (charges > most ? charges : most), 0n);
}

interface DepositCreated {
  readonly row: TransactionRow;
  /** The account the customer must pay into. */
  readonly account: Pick<AccountFacts, "id" | "code" | "bank" | "account_number" | "holder">;
}

/**
 * Creates a deposit, chooses the account to pay into and reserves its limits: an account of the merchant's payment groups with the right
 * method, the amount within its limits and rates; normal before backup, the least used first. Refuses deposit.rate-limited where only rate
 * limits stand in the way, account.none-found otherwise.
 */
export async function createDeposit(db: Scoped, creating: Creating, request: DepositRequest): Promise<DepositCreated> {
  const facts = await loadMerchantFacts(db, creating, request);
  const amount = money(request.amount);
  const fee = percentOf(amount, money(facts.deposit_rate), facts.minor_digits);
  const set: Partial<TransactionRow> = {
    ...commonColumns(facts, creating, request),
    kind: "deposit",
    txn_no: numberOf("D", facts),
    ...creditOf(amount, fee),
    charges: "0",
    limit_day: localDay(facts.now, facts.zone_minutes),
    expires_at: new Date(facts.now.getTime() + facts.settings.deposit_expiry_minutes * 60_000),
  };
  // type by type, because a backup must not be used only because another call is reserving a normal one
  const weighed = await weighForDeposit(db, facts, request);
  for (const accounts of byType(weighed.flatMap(({ account, unfit }) => (unfit === null ? [account] : [])))) {
    const row = await insertDeposit(db, creating.actor, set, accounts).catch(numberRefusal(set));
    if (!row) continue;
    const account = accounts.find(({ id }) => id === row.payment_account_id);
    if (!account) throw new Error("a deposit is put on one of the accounts it was offered");
    return { row, account };
  }
  throw (await rateRefusal(db, facts.id, request, weighed)) ?? new Refusal("account.none-found");
}

/** The accounts for a deposit, judged as far as can be without locks, in order of preference. */
async function weighForDeposit(db: Scoped, facts: MerchantFacts, request: DepositRequest): Promise<Weighed[]> {
  const accounts = await loadAccounts(db, {
    currency: facts.currency,
    kind: "deposit",
    zoneMinutes: facts.zone_minutes,
    merchant: facts.id,
  });
  const need: Need = {
    kind: "deposit",
    id: null,
    createdAt: null,
    amount: money(request.amount),
    method: request.method,
    minorDigits: facts.minor_digits,
    merchant_id: facts.id,
    member: request.member,
    // counted when the account is reserved
    memberUses: [],
  };
  return weighAll(accounts, need);
}

function byType(accounts: readonly AccountFacts[]): AccountFacts[][] {
  const types = [...new Set(accounts.map(({ type }) => type))];
  return types.map((type) => accounts.filter((account) => account.type === type));
}

/**
 * pending → process: the merchant reports the customer's payment. Refuses deposit.not-pending, and not-found for another merchant's
 * deposit.
 */
export async function reportDepositPaid(
  db: Scoped,
  { tenant, merchant, actor }: Creating,
  uuid: string,
  paid: { readonly reference_no: string; readonly payment_date?: string | undefined },
): Promise<TransactionRow> {
  const row = await findTransaction(db, { tenant, uuid, kind: "deposit", merchant }, "lock");
  if (!row) throw new Refusal("not-found");
  if (row.status !== "pending") throw new Refusal("deposit.not-pending", { status: row.status, at: row.last_action_at.toISOString() });
  return transition(db, row, actor, {
    act: "process",
    to: "process",
    set: {
      reference_no: paid.reference_no,
      payment_date: paid.payment_date === undefined ? row.now : new Date(paid.payment_date),
      processed_at: row.now,
    },
  });
}
