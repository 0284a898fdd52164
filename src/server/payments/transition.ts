import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { Refusal } from "../../contract/problems.ts";
import type { TransactionStatus } from "../../contract/transactions.ts";
import type { Money } from "../../values/money.ts";
import { moneyText } from "../../values/money.ts";
import type { Actor } from "../audit/record.ts";
import type { Scoped } from "../db/scope.ts";
import { limitRefusal } from "./limits.ts";
import type { KnownTransaction, TransactionRow } from "./transaction-rows.ts";
import { callbackBody } from "./transaction-rows.ts";

/** The acts of the table `transitions`. */
type Act =
  | "create"
  | "process"
  | "claim"
  | "take-over"
  | "release"
  | "lapse"
  | "first-approve"
  | "approve"
  | "second-approve"
  | "hand-back"
  | "reject"
  | "recall"
  | "reopen"
  | "expire"
  | "complete";

/** One step of a transaction. */
export interface Move {
  readonly act: Act;
  readonly to: TransactionStatus;
  readonly set?: Partial<TransactionRow>;
  /** Of the payment account `set` names. */
  readonly accountCode?: string | null;
  readonly reason?: string | null;
  /** Writes the decision and its callback. */
  readonly decision?: "approved" | "rejected" | "expired";
  /** How long the callback is held back. */
  readonly holdSeconds?: number;
  /** take: count the amount against the account's limits of `set.limit_day` · count: even above them · release: take it off again. */
  readonly limit?: "take" | "count" | "release";
}

/** Statuses nothing but a recall, a reopening or a callback leads out of. */
const decided: readonly TransactionStatus[] = ["approved", "rejected", "completed", "expired"];
export const isDecided = ({ status }: { status: TransactionStatus }): boolean => decided.includes(status);

/**
 * The one place that moves a status. `row` is locked by this transaction (findTransaction); its event, decision, callback, limit use
 * and audit row are written with it in one call. What may follow what is a foreign key to `transitions`. Answers the row as it is now;
 * refuses payment-account.over-limit when the limit to take is used up.
 */
export async function transition<T extends KnownTransaction>(db: Scoped, row: T, actor: Actor, move: Move): Promise<T> {
  const by = actor.kind === "user" ? actor.id : null;
  const set: Partial<TransactionRow> = { ...move.set, status: move.to, last_action_at: row.now, last_action_by: by };
  const foreseen: TransactionRow = { ...row, ...set };
  const { before, after } = differences(row, { ...move.set, status: move.to });
  const hold = (move.holdSeconds ?? 0) * 1000;
  const message = {
    id: row.id,
    act: move.act,
    set,
    actor,
    before,
    after,
    reason: move.reason ?? null,
    ...(move.limit && { limit: move.limit }),
    ...(move.decision && {
      decision: move.decision,
      callback: {
        url: row.callback_url,
        body: callbackBody(foreseen),
        // a merchant without an address is called when one is set and "send callback" asks for it
        at: row.callback_url === null ? null : new Date(row.now.getTime() + hold).toISOString(),
      },
    }),
  };
  const { rows } = await sql<TransactionRow>`select * from transaction_move(${JSON.stringify(message)}::jsonb)`
    .execute(db)
    .catch((error: unknown) => {
      throw limitRefusal(error);
    });
  const [moved] = rows;
  if (!moved) throw new Error("transaction_move answers the row");
  return {
    ...row,
    ...moved,
    last_actor: actor.name,
    people: by === null ? row.people : { ...row.people, [by]: actor.name },
    account_code: moved.payment_account_id === row.payment_account_id ? row.account_code : (move.accountCode ?? null),
  };
}

function differences(row: TransactionRow, set: Partial<TransactionRow>) {
  const before: Record<string, unknown> = {};
  const after: Record<string, unknown> = {};
  for (const [column, value] of Object.entries(set)) {
    const was = row[column as keyof TransactionRow]; // set's keys are the row's
    if (JSON.stringify(was) === JSON.stringify(value)) continue;
    before[column] = was;
    after[column] = value;
  }
  return { before, after };
}

/** The claim's columns, cleared. */
export const unclaimed = { claimed_by: null, claimed_at: null, claim_until: null } as const;

/** What a lost race tells: who was faster, when, and the row as it is now. */
export function lostRace(code: Refusal["code"], row: KnownTransaction, view: unknown): Refusal {
  const by = row.last_action_by === null ? row.last_actor : row.people?.[row.last_action_by];
  return new Refusal(code, { by: by ?? "", at: row.last_action_at.toISOString(), status: row.status, row: view });
}

/** A new transaction, inserted with its first event and audit row. The merchant's number taken already is refused. */
export async function insertTransaction(db: Scoped, actor: Actor, set: Partial<TransactionRow>): Promise<TransactionRow> {
  const { rows } = await sql<TransactionRow>`select * from transaction_create(${creation(actor, set)}::jsonb)`.execute(db);
  const [row] = rows;
  if (!row) throw new Error("transaction_create answers the row");
  return row;
}

/**
 * A new deposit on one of `accounts`, whose limits are reserved in the same call: the least used that is free to be reserved just now.
 * undefined: none of them can take it any more.
 */
export async function insertDeposit(
  db: Scoped,
  actor: Actor,
  set: Partial<TransactionRow>,
  accounts: readonly { id: string; daily_used: Money }[],
): Promise<TransactionRow | undefined> {
  const ids = accounts.map(({ id }) => id);
  const used = accounts.map(({ daily_used }) => moneyText(daily_used));
  const { rows } = await sql<TransactionRow>`
    select * from deposit_create(${creation(actor, set)}::jsonb, ${ids}::uuid[], ${used}::numeric[])`.execute(db);
  return rows[0];
}

function creation(actor: Actor, set: Partial<TransactionRow>): string {
  const after = Object.fromEntries(Object.entries(set).filter(([, value]) => value !== null));
  return JSON.stringify({ act: "create", set, actor, after, reason: null });
}

/** The constraint behind merchant.number-taken, as PostgreSQL names it. */
export const numberTaken = "transactions_tenant_id_merchant_id_kind_merchant_txn_no_key";

/** A time-ordered uuid (version 7). */
export function newId(at: Date): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(at.getTime(), 0, 6);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
