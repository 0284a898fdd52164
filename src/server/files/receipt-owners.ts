import { Refusal } from "../../contract/problems.ts";
import type { Actor } from "../audit/record.ts";
import { record } from "../audit/record.ts";
import type { MerchantCall, StaffCall } from "../call.ts";
import type { Scoped } from "../db/scope.ts";
import type { TransactionKind } from "../db/tables/kinds.ts";
import type { KnownTransaction } from "../payments/transaction-rows.ts";
import { findTransaction } from "../payments/transaction-rows.ts";
import { isDecided, transition } from "../payments/transition.ts";
import type { Publisher } from "../realtime/publish.ts";
import { change } from "../transfers/decide.ts";
import type { TransferRow } from "../transfers/transfer-rows.ts";
import { findTransfer, lockTransfer } from "../transfers/transfer-rows.ts";

/** What a receipt needs of the row it belongs to. */
export interface OwnerRow {
  readonly tenant_id: string;
  readonly id: string;
  readonly currency: string;
  readonly version: number;
  /** The database's time, read after the row was locked. */
  readonly now: Date;
}

/** What was done with a receipt, as the audit log has it. */
export interface ReceiptFact {
  readonly act: "receipt-add" | "receipt-remove";
  readonly before?: Readonly<Record<string, unknown>>;
  readonly after?: Readonly<Record<string, unknown>>;
  readonly reason?: string;
}

/** A kind of row that has receipts. */
export interface ReceiptOwner<Row extends OwnerRow> {
  /** The column of a receipt that names its row. */
  readonly column: "transaction_id" | "transfer_id";
  /** The live event that names changed rows. */
  readonly event: Parameters<Publisher["changed"]>[1];
  /** The row as the caller may see it: a merchant its own, staff those of the selected currency. Refuses not-found. */
  find(db: Scoped, call: StaffCall | MerchantCall, uuid: string, lock: "lock" | "read"): Promise<Row>;
  isDecided(row: Row): boolean;
  /** Names the newest receipt in the locked row, which gets a new version, and audits the act. */
  note(db: Scoped, row: Row, actor: Actor, newest: string | null, fact: ReceiptFact): Promise<Row>;
}

const transactions = (kind: TransactionKind): ReceiptOwner<KnownTransaction> => ({
  column: "transaction_id",
  event: kind === "deposit" ? "deposit" : "withdraw",
  async find(db, call, uuid, lock) {
    const { tenant, caller } = call;
    const whose = caller.kind === "merchant" ? { merchant: caller.id } : { currency: call.currency };
    const row = await findTransaction(db, { tenant, uuid, kind, ...whose }, lock);
    if (!row) throw new Refusal("not-found");
    return row;
  },
  isDecided,
  async note(db, row, actor, newest, { act, ...fact }) {
    const set = { receipt_id: newest, version: row.version + 1 };
    await db.updateTable("transactions").set(set).where("tenant_id", "=", row.tenant_id).where("id", "=", row.id).execute();
    await record(db, row.tenant_id, actor, { act: `${kind}.${act}`, entity: kind, entityId: row.id, ...fact });
    const changed = { ...row, ...set };
    if (act !== "receipt-add" || kind !== "deposit" || row.status !== "pending") return changed;
    // a receipt came: the deposit is to be decided
    const by = actor.kind === "user" ? actor.id : null;
    return transition(db, changed, actor, { act: "process", to: "process", set: { processed_at: row.now, processed_by: by } });
  },
});

const transfers: ReceiptOwner<TransferRow> = {
  column: "transfer_id",
  event: "paymentAccount",
  find: (db, call, uuid, lock) => (lock === "lock" ? lockTransfer : findTransfer)(db, call, uuid),
  isDecided: ({ status }) => status !== "pending",
  note: (db, row, actor, newest, { act, reason = null, ...fact }) => change(db, row, actor, act, { receipt_id: newest }, reason, fact),
};

export const receiptOwners = { deposit: transactions("deposit"), withdrawal: transactions("withdrawal"), transfer: transfers } as const;
export type ReceiptKind = keyof typeof receiptOwners;
