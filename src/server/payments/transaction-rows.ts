import type { Selectable } from "kysely";
import { sql } from "kysely";
import type { z } from "zod";
import type { MerchantTransaction } from "../../contract/merchant-api.ts";
import type { HistoryEvent } from "../../contract/transactions.ts";
import type { CallbackState } from "../../contract/transactions.ts";
import { amountText } from "../../values/money.ts";
import type { Scoped } from "../db/scope.ts";
import type { Tables } from "../db/tables.ts";
import type { TenantSettings } from "../settings/settings.ts";
import { readSettings } from "../settings/settings.ts";

export type TransactionRow = Selectable<Tables["transactions"]>;

/** A row with the facts every answer about it needs. */
export interface KnownTransaction extends TransactionRow {
  /** The database's time, read after the row was locked. */
  readonly now: Date;
  readonly merchant_code: string;
  readonly merchant_name: string;
  readonly callback_url: string | null;
  readonly minor_digits: number;
  readonly zone_minutes: number;
  /** id → name of the users the row names */
  readonly people: Readonly<Record<string, string>> | null;
  readonly last_actor: string | null;
  readonly account_code: string | null;
}

/** Facts that make a withdrawal suspicious, and the merchant's money. */
interface PayeeFacts {
  /** Other withdrawals of the same amount to the same payee within 24 hours: their number, and one of them. */
  readonly same_payee: { readonly count: number; readonly txn_no: string } | null;
  readonly payee_paid: boolean | null;
  /** The merchant's balances and status. */
  readonly held: string | null;
  readonly wallet: string | null;
  readonly merchant_status: string;
}
export type KnownWithdrawal = KnownTransaction & PayeeFacts;

export interface Which {
  readonly tenant: string;
  readonly uuid: string;
  readonly kind: "deposit" | "withdrawal";
  /** Left out: in any currency. */
  readonly currency?: string;
  /** Left out: of any merchant. */
  readonly merchant?: string;
}

/** Facts that make a deposit suspicious, and its proof. */
interface PayerFacts {
  /** Other deposits of the same customer and amount within 24 hours: their number, and one of them. */
  readonly same_payer: { readonly count: number; readonly txn_no: string } | null;
  /** Other deposits with the same reference. */
  readonly reference_used: { readonly count: number; readonly txn_no: string } | null;
  /** The bank line it is matched to; amounts are text. */
  readonly line: { readonly amount: string; readonly counterparty: string | null } | null;
  readonly merchant_status: string;
}
export type KnownDeposit = KnownTransaction & PayerFacts;

export type Lock = "lock" | "read";

/** A row with the tenant's settings. */
export interface Known<Row extends KnownTransaction> {
  readonly row: Row;
  readonly settings: TenantSettings;
}

async function find<R extends KnownTransaction>(db: Scoped, which: Which, lock: Lock): Promise<(R & { settings: unknown }) | undefined> {
  const { uuid, kind, currency = null, merchant = null } = which;
  const { rows } = await sql<R & { settings: unknown }>`select (w.t).*, (w.f).*, w.settings
    from find_transaction(${uuid}, ${kind}, ${currency}, ${merchant}, ${lock === "lock"}) w`.execute(db);
  return rows[0];
}

export async function findTransaction(db: Scoped, which: Which, lock: Lock): Promise<KnownTransaction | undefined> {
  return find(db, which, lock);
}

/** With the tenant's settings, because every act needs them. */
async function findWithSettings<Row extends KnownTransaction>(db: Scoped, which: Which, lock: Lock): Promise<Known<Row> | undefined> {
  const found = await find<Row>(db, which, lock);
  if (!found) return undefined;
  const { settings, ...row } = found;
  return { row: row as unknown as Row, settings: readSettings(settings) }; // the rest of Row & { settings }
}

export const findWithdrawal = (db: Scoped, which: Omit<Which, "kind">, lock: Lock): Promise<Known<KnownWithdrawal> | undefined> =>
  findWithSettings(db, { ...which, kind: "withdrawal" }, lock);

export const findDeposit = (db: Scoped, which: Omit<Which, "kind">, lock: Lock): Promise<Known<KnownDeposit> | undefined> =>
  findWithSettings(db, { ...which, kind: "deposit" }, lock);

const instant = (date: Date): string => date.toISOString();
const maybe = (date: Date | null): string | null => date && date.toISOString();

/** The specification's fields (contract/transactions.ts). */
export function transactionView(row: KnownTransaction) {
  const person = (id: string | null) => (id === null ? null : { uuid: id, name: row.people?.[id] ?? "" });
  return {
    uuid: row.id,
    version: row.version,
    txn_no: row.txn_no,
    merchant_txn_no: row.merchant_txn_no,
    reference_no: row.reference_no,
    type: row.kind,
    source: row.source,
    status: row.status,
    currency: row.currency,
    merchant: { uuid: row.merchant_id, code: row.merchant_code, name: row.merchant_name },
    member: row.member,
    customer_name: row.customer_name,
    method: row.method,
    amount: amountText(row.amount),
    fee: amountText(row.fee),
    charges: amountText(row.charges),
    charges_type: row.charges_type,
    charges_borne_by: row.charges_borne_by,
    final_amount: amountText(row.final_amount),
    previous_balance: row.previous_balance && amountText(row.previous_balance),
    payment_account: row.payment_account_id === null ? null : { uuid: row.payment_account_id, code: row.account_code ?? "" },
    payment_date: maybe(row.payment_date),
    created_at: instant(row.created_at),
    processed_at: maybe(row.processed_at),
    processed_by: person(row.processed_by),
    approved_at: maybe(row.approved_at),
    approved_by: person(row.approved_by),
    rejected_at: maybe(row.rejected_at),
    rejected_by: person(row.rejected_by),
    expired_at: maybe(row.expired_at),
    completed_at: maybe(row.completed_at),
    last_action_at: instant(row.last_action_at),
    last_action_by: person(row.last_action_by) ?? { uuid: null, name: row.last_actor ?? "" },
    reject_reason: row.reject_reason,
    remark: row.remark,
    has_receipt: row.receipt_id !== null,
  };
}

/** The transaction as the merchant sees it. */
export function merchantView(row: TransactionRow): MerchantTransaction {
  const isPaid = row.status === "approved" || row.status === "completed";
  const moved = isPaid ? amountText(row.merchant_amount) : null;
  return {
    uuid: row.id,
    txn_no: row.txn_no,
    merchant_txn_no: row.merchant_txn_no ?? "",
    type: row.kind,
    status: row.status,
    currency: row.currency,
    amount: amountText(row.amount),
    fee: amountText(row.fee),
    merchant_receive: row.kind === "deposit" ? amountText(row.merchant_amount) : null,
    reject_reason: row.reject_reason,
    created_at: instant(row.created_at),
    updated_at: instant(row.last_action_at),
    charges: amountText(row.charges),
    charges_borne_by: row.charges_borne_by,
    credited: row.kind === "deposit" ? moved : null,
    debited: row.kind === "withdrawal" ? moved : null,
    reference_no: row.reference_no,
  };
}

/** The exact body of a callback (Standard Webhooks: type, timestamp, data). */
export function callbackBody(row: TransactionRow): string {
  // present where another amount arrived, so that a merchant that compares amounts learns why
  const asked = row.asked_amount !== null && { asked_amount: amountText(row.asked_amount), amount_reason: row.amount_reason };
  const data = { ...merchantView(row), ...asked };
  return JSON.stringify({ type: `${row.kind}.${row.status}`, timestamp: instant(row.last_action_at), data });
}

export async function historyOf(db: Scoped, tenant: string, id: string): Promise<z.output<typeof HistoryEvent>[]> {
  const rows = await db
    .selectFrom("transaction_events")
    .select(["n", "at", "act", "from_status", "to_status", "actor", "reason"])
    .where("tenant_id", "=", tenant)
    .where("transaction_id", "=", id)
    .orderBy("n")
    .execute();
  return rows.map(({ at, from_status, actor, ...rest }) => ({ ...rest, at: instant(at), from_status: from_status || null, by: actor }));
}

type CallbackTries = z.output<typeof CallbackState>["tries"];

async function triesOf(db: Scoped, row: KnownTransaction): Promise<CallbackTries> {
  const { rows } = await sql<Omit<CallbackTries[number], "at"> & { at: Date }>`
    select a.outbox_id as callback, a.n, a.at, a.status, left(a.answer, 500) as answer, a.error, u.name as by
    from outbox o join callback_attempts a on a.tenant_id = o.tenant_id and a.outbox_id = o.id left join users u on u.id = a.by_user
    where o.tenant_id = ${row.tenant_id} and o.transaction_id = ${row.id} order by o.event_n desc, a.n desc limit 50`.execute(db);
  return rows.map(({ at, ...rest }) => ({ ...rest, at: instant(at) })).toReversed();
}

/** The latest callback of a transaction; "held" while the approval can still be recalled. */
export async function callbackOf(db: Scoped, row: KnownTransaction): Promise<z.output<typeof CallbackState> | null> {
  const { rows } = await sql<{
    id: string;
    state: "pending" | "delivered" | "failed" | "cancelled";
    attempts: number;
    next_attempt_at: Date | null;
    status: number | null;
    error: string | null;
  }>`select o.id, o.state, o.attempts, o.next_attempt_at, a.status, a.error from outbox o
    left join callback_attempts a on a.tenant_id = o.tenant_id and a.outbox_id = o.id and a.n = o.attempts
    where o.tenant_id = ${row.tenant_id} and o.transaction_id = ${row.id} order by o.event_n desc limit 1`.execute(db);
  const [outbox] = rows;
  if (!outbox) return null;
  const held = outbox.state === "pending" && row.recallable_until !== null && row.recallable_until > row.now;
  return {
    id: outbox.id,
    state: held ? "held" : outbox.state,
    attempts: outbox.attempts,
    next_attempt_at: maybe(outbox.next_attempt_at),
    last_status: outbox.status,
    last_error: outbox.error,
    tries: await triesOf(db, row),
  };
}
