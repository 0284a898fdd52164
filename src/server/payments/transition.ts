import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { Refusal } from "../../contract/problems.ts";
import type { TransactionStatus } from "../../contract/transactions.ts";
import type { Money } from "../../values/money.ts";
import { moneyText } from "../../values/money.ts";
import type { Actor } from "../audit/record.ts";
import type { Scoped } from "../db/scope.ts";
import { releaseLine } from "../bank-lines/undo-match.ts";
import { limitRefusal } from "./limits.ts";
import type { KnownTransaction, TransactionRow } from "./transaction-rows.ts";
import { touch } from "./touched.ts";
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
  /** The code of the payment account in `set`. */
  readonly accountCode?: string | null;
  readonly reason?: string | null;
  /** Writes this decision and its callback. */
  readonly decision?: "approved" | "rejected" | "expired";
  /** Seconds the callback is held back. */
  readonly holdSeconds?: number;
  /**
   * take: count the amount against the account's limits of `set.limit_day` · count: the same, even above them · release: remove it from
   * them · recount: the new amount instead of the old one, even above them.
   */
  readonly limit?: "take" | "count" | "release" | "recount";
}

const isOpen = ({ status }: Pick<TransactionRow, "status">): boolean => status === "pending" || status === "process";
const accountsOf = ({ payment_account_id, first_account_id }: TransactionRow) => [payment_account_id, first_account_id];

/** Statuses that only a recall, a reopening or a callback can leave. */
const decided: readonly TransactionStatus[] = ["approved", "rejected", "completed", "expired"];
export const isDecided = ({ status }: { status: TransactionStatus }): boolean => decided.includes(status);

/**
 * Changes the status; nothing else does. `row` is locked by this transaction (findTransaction). Event, decision, callback, limit use and
 * audit row are written in the same call. A foreign key to `transitions` allows only the listed changes. Answers the new row; refuses
 * payment-account.over-limit when the limit to take is used up.
 */
export async function transition<T extends KnownTransaction>(db: Scoped, row: T, actor: Actor, move: Move): Promise<T> {
  const by = actor.kind === "user" ? actor.id : null;
  const set: Partial<TransactionRow> = { ...move.set, status: move.to, last_action_at: row.now, last_action_by: by };
  const expected: TransactionRow = { ...row, ...set };
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
        body: callbackBody(expected),
        // without an address the callback is sent once one is set and "send callback" requests it
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
  const moves = isOpen(row) !== isOpen(moved) || row.first_account_id !== moved.first_account_id;
  if (moves || move.limit !== undefined) touch(db, [...accountsOf(row), ...accountsOf(moved)]);
  if (move.to === "rejected") await releaseLine(db, moved, actor, move.reason ?? "");
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
    const was = row[column as keyof TransactionRow]; // the keys of `set` are the row's
    if (JSON.stringify(was) === JSON.stringify(value)) continue;
    before[column] = was;
    after[column] = value;
  }
  return { before, after };
}

/** The columns of a claim, cleared. */
export const unclaimed = { claimed_by: null, claimed_at: null, claim_until: null } as const;

/** What of a row tells who was faster. */
type Lost = Pick<KnownTransaction, "last_action_by" | "last_actor" | "people" | "last_action_at" | "status">;

/** The refusal of a lost race: who was faster, when, and the current row. */
export function lostRace(code: Refusal["code"], row: Lost, view: unknown): Refusal {
  const by = row.last_action_by === null ? row.last_actor : (row.people?.[row.last_action_by] ?? row.last_actor);
  return new Refusal(code, { by: by ?? "", at: row.last_action_at.toISOString(), status: row.status, row: view });
}

/** Inserts a new transaction with its first event and audit row. A merchant's number already in use violates `numberTaken`. */
export async function insertTransaction(db: Scoped, actor: Actor, set: Partial<TransactionRow>): Promise<TransactionRow> {
  const { rows } = await sql<TransactionRow>`select * from transaction_create(${creation(actor, set)}::jsonb)`.execute(db);
  const [row] = rows;
  if (!row) throw new Error("transaction_create answers the row");
  touch(db, accountsOf(row));
  return row;
}

/**
 * Inserts a new deposit on one of `accounts` and reserves its limits in the same call: the least used account not being reserved by
 * another. undefined: none can take it any more.
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
  touch(db, rows.flatMap(accountsOf));
  return rows[0];
}

function creation(actor: Actor, set: Partial<TransactionRow>): string {
  const after = Object.fromEntries(Object.entries(set).filter(([, value]) => value !== null));
  return JSON.stringify({ act: "create", set, actor, after, reason: null });
}

/** The name of the constraint behind merchant.number-taken. */
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
