import type { z } from "zod";
import { Refusal } from "../../contract/problems.ts";
import type { receiptRoutes } from "../../contract/receipts.ts";
import type { UploadedFile } from "../../contract/uploads.ts";
import { actorOf } from "../audit/record.ts";
import type { MerchantCall, StaffCall } from "../call.ts";
import type { Scoped } from "../db/scope.ts";
import { inTenant } from "../db/scope.ts";
import type { Handlers } from "../handlers.ts";
import type { Effect } from "../idempotency.ts";
import { once } from "../idempotency.ts";
import type { KnownTransaction } from "../payments/transaction-rows.ts";
import type { OwnerRow, ReceiptOwner } from "./receipt-owners.ts";
import { receiptOwners } from "./receipt-owners.ts";
import { fileOf, keepReceipt, receiptsOf, removeReceipt, storeReceipt } from "./receipts.ts";
import { discardUpload } from "./unnamed-files.ts";

type Receipts = z.output<typeof receiptRoutes.listDepositReceipts.answer>;

/** A transaction's events, by which a finished idempotency key proves its effect; a transfer has none. */
const proofOf = (row: OwnerRow): Partial<Effect<never>> => {
  const { events } = row as Partial<KnownTransaction>;
  return events === undefined ? {} : { transactionId: row.id, eventN: events };
};

/**
 * Adds a file to a row, once per Idempotency-Key; `answer` is what the route answers of the row as it is then. A file that is refused leaves
 * nothing behind.
 */
async function addTo<Row extends OwnerRow, T>(
  call: StaffCall | MerchantCall,
  owner: ReceiptOwner<Row>,
  uuid: string,
  file: UploadedFile,
  answer: (db: Scoped, row: Row) => Promise<T>,
): Promise<T> {
  const { deps, tenant } = call;
  await inTenant(deps.database, tenant, (db) => owner.find(db, call, uuid, "read"));
  const stored = await storeReceipt(deps, tenant, file);
  let isKept = false;
  try {
    const data = await once(call, null, async (db): Promise<Effect<T>> => {
      const row = await keepReceipt(db, owner, await owner.find(db, call, uuid, "lock"), actorOf(call), stored);
      isKept = true;
      return { answer: await answer(db, row), ...proofOf(row) };
    });
    deps.publisher.changed(tenant, owner.event, [uuid]);
    return data;
  } catch (error) {
    isKept = false;
    throw error;
  } finally {
    // of a repeated request, too, whose first file is kept; what fails here, the sweep deletes
    if (!isKept) await discardUpload(deps, tenant, stored.id).catch(() => undefined);
  }
}

/** Adds a file to a merchant's own deposit. */
export const addDepositReceipt = <T>(
  call: MerchantCall,
  uuid: string,
  file: UploadedFile,
  answer: (row: KnownTransaction) => T,
): Promise<T> => addTo(call, receiptOwners.deposit, uuid, file, async (_, row) => answer(row));

/** The routes of the receipts of one kind of row. */
function handlersOf<Row extends OwnerRow>(owner: ReceiptOwner<Row>) {
  const shown = async (db: Scoped, row: Row): Promise<Receipts> => ({ receipts: await receiptsOf(db, owner, row), version: row.version });
  const read = <T>(call: StaffCall, uuid: string, work: (db: Scoped, row: Row) => Promise<T>): Promise<T> =>
    inTenant(call.deps.database, call.tenant, async (db) => work(db, await owner.find(db, call, uuid, "read")));
  return {
    list: async (call: StaffCall, { params: { uuid } }: { params: { uuid: string } }) => ({ data: await read(call, uuid, shown) }),

    add: async (call: StaffCall, { params: { uuid }, file }: { params: { uuid: string }; file: UploadedFile }) => ({
      data: await addTo(call, owner, uuid, file, shown),
    }),

    async read(call: StaffCall, { params: { uuid, receipt } }: { params: { uuid: string; receipt: string } }) {
      await read(call, uuid, async () => undefined);
      return { data: await fileOf(call.deps, call.tenant, owner, uuid, receipt) };
    },

    async remove(
      call: StaffCall,
      { params: { uuid, receipt }, body: { reason } }: { params: { uuid: string; receipt: string }; body: { reason: string } },
    ) {
      const data = await once(call, null, async (db) => {
        const row = await owner.find(db, call, uuid, "lock");
        const known = await receiptsOf(db, owner, row);
        if (!known.some((one) => one.uuid === receipt)) throw new Refusal("not-found");
        if (owner.isDecided(row)) throw new Refusal("receipt.kept");
        const changed = await removeReceipt(db, owner, row, { ...actorOf(call), id: call.caller.id }, receipt, reason);
        return { answer: await shown(db, changed), ...proofOf(row) };
      });
      call.deps.publisher.changed(call.tenant, owner.event, [uuid]);
      return { data };
    },
  };
}

const deposits = handlersOf(receiptOwners.deposit);
const withdrawals = handlersOf(receiptOwners.withdrawal);
const transfers = handlersOf(receiptOwners.transfer);

export const receiptHandlers: Handlers<typeof receiptRoutes, StaffCall> = {
  listDepositReceipts: deposits.list,
  addDepositReceipt: deposits.add,
  readDepositReceipt: deposits.read,
  removeDepositReceipt: deposits.remove,
  listWithdrawalReceipts: withdrawals.list,
  addWithdrawalReceipt: withdrawals.add,
  readWithdrawalReceipt: withdrawals.read,
  removeWithdrawalReceipt: withdrawals.remove,
  listTransferReceipts: transfers.list,
  addTransferReceipt: transfers.add,
  readTransferReceipt: transfers.read,
  removeTransferReceipt: transfers.remove,
};
