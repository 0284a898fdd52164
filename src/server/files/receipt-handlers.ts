import type { z } from "zod";
import { Refusal } from "../../contract/problems.ts";
import type { receiptRoutes } from "../../contract/receipts.ts";
import type { UploadedFile } from "../../contract/uploads.ts";
import { actorOf } from "../audit/record.ts";
import type { MerchantCall, StaffCall } from "../call.ts";
import type { Scoped } from "../db/scope.ts";
import { inTenant } from "../db/scope.ts";
import type { TransactionKind } from "../db/tables.ts";
import type { Handlers } from "../handlers.ts";
import type { Effect } from "../idempotency.ts";
import { once } from "../idempotency.ts";
import type { KnownTransaction } from "../payments/transaction-rows.ts";
import { findTransaction } from "../payments/transaction-rows.ts";
import { isDecided } from "../payments/transition.ts";
import { fileOf, keepReceipt, receiptsOf, removeReceipt, storeReceipt } from "./receipts.ts";
import { discardUpload } from "./unnamed-files.ts";

type Receipts = z.output<typeof receiptRoutes.listDepositReceipts.answer>;

const events = { deposit: "deposit", withdrawal: "withdraw" } as const;

/** The transaction a receipt belongs to, as the caller may see it: a merchant its own, staff those of the selected currency. */
async function find(db: Scoped, call: StaffCall | MerchantCall, kind: TransactionKind, uuid: string, lock: "lock" | "read") {
  const { tenant, caller } = call;
  const whose = caller.kind === "merchant" ? { merchant: caller.id } : { currency: call.currency };
  const row = await findTransaction(db, { tenant, uuid, kind, ...whose }, lock);
  if (!row) throw new Refusal("not-found");
  return row;
}

/**
 * Adds a file to a transaction, once per Idempotency-Key; `answer` is what the route answers of the row as it is then. A file that is
 * refused leaves nothing behind.
 */
export async function addReceipt<T>(
  call: StaffCall | MerchantCall,
  { kind, uuid }: { readonly kind: TransactionKind; readonly uuid: string },
  file: UploadedFile,
  answer: (db: Scoped, row: KnownTransaction) => Promise<T>,
): Promise<T> {
  const { deps, tenant } = call;
  await inTenant(deps.database, tenant, (db) => find(db, call, kind, uuid, "read"));
  const stored = await storeReceipt(deps, tenant, file);
  let isKept = false;
  try {
    const data = await once(call, null, async (db): Promise<Effect<T>> => {
      const row = await keepReceipt(db, await find(db, call, kind, uuid, "lock"), actorOf(call), stored);
      isKept = true;
      return { answer: await answer(db, row), transactionId: row.id, eventN: row.events };
    });
    deps.publisher.changed(tenant, events[kind], [uuid]);
    return data;
  } catch (error) {
    isKept = false;
    throw error;
  } finally {
    // of a repeated request, too, whose first file is kept; what fails here, the sweep deletes
    if (!isKept) await discardUpload(deps, tenant, stored.id).catch(() => undefined);
  }
}

const shown = async (db: Scoped, row: KnownTransaction): Promise<Receipts> => ({
  receipts: await receiptsOf(db, row.tenant_id, row.id),
  version: row.version,
});

const list = (kind: TransactionKind, call: StaffCall, uuid: string): Promise<Receipts> =>
  inTenant(call.deps.database, call.tenant, async (db) => shown(db, await find(db, call, kind, uuid, "read")));

async function read(kind: TransactionKind, call: StaffCall, uuid: string, receipt: string) {
  await inTenant(call.deps.database, call.tenant, (db) => find(db, call, kind, uuid, "read"));
  return fileOf(call.deps, call.tenant, uuid, receipt);
}

async function remove(kind: TransactionKind, call: StaffCall, uuid: string, receipt: string, reason: string): Promise<Receipts> {
  const data = await once(call, null, async (db) => {
    const row = await find(db, call, kind, uuid, "lock");
    const known = await receiptsOf(db, call.tenant, uuid);
    if (!known.some((one) => one.uuid === receipt)) throw new Refusal("not-found");
    if (isDecided(row)) throw new Refusal("receipt.kept");
    const changed = await removeReceipt(db, row, { ...actorOf(call), id: call.caller.id }, receipt, reason);
    return { answer: await shown(db, changed), transactionId: row.id, eventN: row.events };
  });
  call.deps.publisher.changed(call.tenant, events[kind], [uuid]);
  return data;
}

export const receiptHandlers: Handlers<typeof receiptRoutes, StaffCall> = {
  listDepositReceipts: async (call, { params: { uuid } }) => ({ data: await list("deposit", call, uuid) }),
  listWithdrawalReceipts: async (call, { params: { uuid } }) => ({ data: await list("withdrawal", call, uuid) }),
  addDepositReceipt: async (call, { params: { uuid }, file }) => ({
    data: await addReceipt(call, { kind: "deposit", uuid }, file, shown),
  }),
  addWithdrawalReceipt: async (call, { params: { uuid }, file }) => ({
    data: await addReceipt(call, { kind: "withdrawal", uuid }, file, shown),
  }),
  readDepositReceipt: async (call, { params: { uuid, receipt } }) => ({ data: await read("deposit", call, uuid, receipt) }),
  readWithdrawalReceipt: async (call, { params: { uuid, receipt } }) => ({ data: await read("withdrawal", call, uuid, receipt) }),
  removeDepositReceipt: async (call, { params: { uuid, receipt }, body: { reason } }) => ({
    data: await remove("deposit", call, uuid, receipt, reason),
  }),
  removeWithdrawalReceipt: async (call, { params: { uuid, receipt }, body: { reason } }) => ({
    data: await remove("withdrawal", call, uuid, receipt, reason),
  }),
};
