import { sql } from "kysely";
import { Refusal } from "../../contract/problems.ts";
import { plainNumber } from "../../contract/wire.ts";
import type { Money } from "../../values/money.ts";
import { fitsMinorUnit, money, moneyText, percentOf } from "../../values/money.ts";
import type { Actor } from "../audit/record.ts";
import type { Scoped } from "../db/scope.ts";
import { violated } from "../db/scope.ts";
import { holdLegs, post } from "../ledger/ledger.ts";
import type { TenantSettings } from "../settings/settings.ts";
import { readSettings } from "../settings/settings.ts";
import type { AccountFacts, Need } from "./accounts.ts";
import { chargesOf, loadAccounts, weighAll } from "./accounts.ts";
import { localDay } from "./limits.ts";
import type { TransactionRow } from "./transaction-rows.ts";
import { findTransaction } from "./transaction-rows.ts";
import { insertDeposit, insertTransaction, newId, numberTaken, transition } from "./transition.ts";

/** For whom a transaction is created, and by whom: the merchant itself, or staff on its behalf. */
export interface Creating {
  readonly tenant: string;
  readonly merchant: string;
  readonly actor: Actor;
}

interface Asked {
  readonly merchant_txn_no: string | null;
  readonly amount: string;
  readonly currency: string;
  readonly method: string;
  readonly member: string;
  readonly customer_name: string;
}

export interface WithdrawalAsked extends Asked {
  readonly bank: string;
  readonly account_number: string;
  readonly holder: string;
}
export type DepositAsked = Asked;

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

/** The merchant, and a fresh transaction number. Refuses a merchant that is not active, another currency, too fine an amount. */
async function open(db: Scoped, { tenant, merchant }: Creating, asked: Asked): Promise<MerchantFacts> {
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
  if (facts.currency !== asked.currency) throw new Refusal("currency.invalid");
  const amount = money(asked.amount);
  if (amount <= 0n) throw new Refusal("amount.not-positive", { amount: ["Must be above zero"] });
  if (!fitsMinorUnit(amount, facts.minor_digits)) {
    throw new Refusal("amount.too-precise", { amount: [`Must have at most ${facts.minor_digits} decimals`] });
  }
  return { ...facts, settings: readSettings(facts.settings) };
}

/** "W" or "D", the day in the currency's zone, a number of at least 7 digits. */
function numberOf(letter: "W" | "D", { now, zone_minutes, number }: MerchantFacts): string {
  return `${letter}${localDay(now, zone_minutes).slice(2).replaceAll("-", "")}${number.padStart(7, "0")}`;
}

function common(facts: MerchantFacts, { actor }: Creating, asked: Asked): Partial<TransactionRow> {
  const { merchant_txn_no, currency, method, member, customer_name } = asked;
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

const numberRefusal = (set: Partial<TransactionRow>) => (error: unknown) => {
  throw violated(error) === numberTaken ? new Refusal("merchant.number-taken", { merchant_txn_no: [set.merchant_txn_no ?? ""] }) : error;
};

/**
 * A withdrawal, with what it will cost the merchant held: amount + fee + the charges it bears. Which account will pay is not known
 * yet, so a merchant that bears charges has the highest among the accounts that might pay held; the approval returns what is over.
 * Where the platform bears them they are 0 until the approval sets them. Refuses merchant.insufficient-balance.
 */
export async function createWithdrawal(db: Scoped, creating: Creating, asked: WithdrawalAsked): Promise<TransactionRow> {
  const facts = await open(db, creating, asked);
  const amount = money(asked.amount);
  const fee = percentOf(amount, money(facts.withdrawal_rate), facts.minor_digits);
  const charges = facts.charges_borne_by === "merchant" ? await dearestCharges(db, creating.tenant, facts, asked, amount) : 0n;
  const { withdrawal_expiry_hours } = facts.settings;
  const set = {
    ...common(facts, creating, asked),
    kind: "withdrawal" as const,
    txn_no: numberOf("W", facts),
    bank: asked.bank,
    // one payee, however it is spaced
    account_number: plainNumber(asked.account_number),
    holder: asked.holder,
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

async function dearestCharges(db: Scoped, tenant: string, facts: MerchantFacts, asked: Asked, amount: Money): Promise<Money> {
  const accounts = await loadAccounts(db, {
    currency: facts.currency,
    kind: "withdrawal",
    zoneMinutes: facts.zone_minutes,
  });
  return accounts
    .filter(({ status, purpose, method }) => status === "active" && purpose !== "deposit" && method === asked.method)
    .map((account) => chargesOf(account, amount, facts.minor_digits))
    .reduce((most, charges) => (charges > most ? charges : most), 0n);
}

interface DepositCreated {
  readonly row: TransactionRow;
  /** Where the customer is told to pay. */
  readonly account: Pick<AccountFacts, "id" | "code" | "bank" | "account_number" | "holder">;
}

/**
 * A deposit, with the account to pay into chosen and its limits reserved: of the merchant's payment groups, right
 * method, amount within limits and headroom, rate free; normal before backup, least used first. Refuses account.none-found.
 */
export async function createDeposit(db: Scoped, creating: Creating, asked: DepositAsked): Promise<DepositCreated> {
  const facts = await open(db, creating, asked);
  const amount = money(asked.amount);
  const fee = percentOf(amount, money(facts.deposit_rate), facts.minor_digits);
  const set: Partial<TransactionRow> = {
    ...common(facts, creating, asked),
    kind: "deposit",
    txn_no: numberOf("D", facts),
    amount: moneyText(amount),
    fee: moneyText(fee),
    charges: "0",
    final_amount: moneyText(amount),
    merchant_amount: moneyText(amount - fee),
    limit_day: localDay(facts.now, facts.zone_minutes),
    expires_at: new Date(facts.now.getTime() + facts.settings.deposit_expiry_minutes * 60_000),
  };
  // tried type by type: a backup is no choice while a normal one is only being reserved by somebody else
  for (const accounts of byType(await fitAccounts(db, facts, asked))) {
    const row = await insertDeposit(db, creating.actor, set, accounts).catch(numberRefusal(set));
    if (!row) continue;
    const account = accounts.find(({ id }) => id === row.payment_account_id);
    if (!account) throw new Error("a deposit is put on one of the accounts it was offered");
    return { row, account };
  }
  throw new Refusal("account.none-found");
}

/** The accounts that may take a deposit as far as can be told without a lock, in order of preference. */
async function fitAccounts(db: Scoped, facts: MerchantFacts, asked: DepositAsked): Promise<AccountFacts[]> {
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
    amount: money(asked.amount),
    method: asked.method,
    minorDigits: facts.minor_digits,
    merchant_id: facts.id,
    member: asked.member,
    // counted when the account is reserved
    memberUses: [],
  };
  return weighAll(accounts, need).flatMap(({ account, unfit }) => (unfit === null ? [account] : []));
}

function byType(accounts: readonly AccountFacts[]): AccountFacts[][] {
  const types = [...new Set(accounts.map(({ type }) => type))];
  return types.map((type) => accounts.filter((account) => account.type === type));
}

/** pending → process: the merchant's customer says paid. Refuses deposit.not-pending, and not-found for another merchant's. */
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
