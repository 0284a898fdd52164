import type { Transfer, transferRoutes } from "../../contract/transfers.ts";
import type { RowRef } from "../../contract/wire.ts";
import { historyOf } from "../audit/records.ts";
import type { StaffCall } from "../call.ts";
import type { Scoped } from "../db/scope.ts";
import { inTenant } from "../db/scope.ts";
import type { Handlers } from "../handlers.ts";
import type { Effect } from "../idempotency.ts";
import { once } from "../idempotency.ts";
import { onRows } from "../payments/acts.ts";
import type { Touched } from "../payments/acts.ts";
import { listRecords } from "../records/record-list.ts";
import { settingsOf } from "../settings/settings.ts";
import { approve, handBack, recall, reject, remark, secondApprove } from "./decide.ts";
import type { Plan } from "./make.ts";
import { make, planAdjustment, planSettlement, planTransfer } from "./make.ts";
import type { TransferRow } from "./transfer-rows.ts";
import { findTransfer, transferList, transfersOf, transferView } from "./transfer-rows.ts";
import { moneyOf, sidesOf } from "./detail.ts";
import { preview } from "./preview.ts";

/** Runs a making once and announces the transfer and its accounts after the commit. */
async function making(call: StaffCall, plan: (db: Scoped) => Promise<Plan> | Plan): Promise<{ data: Transfer }> {
  return { data: await announced(call, (touched) => once(call, null, async (db) => make(db, call, await plan(db), touched))) };
}

/** Announces what `work` touched, once it is committed. */
export async function announced<T>(call: StaffCall, work: (touched: Touched) => Promise<T>): Promise<T> {
  const touched: Touched = new Set();
  const answer = await work(touched);
  if (touched.size > 0) call.deps.publisher.changed(call.tenant, "paymentAccount", [...touched]);
  return answer;
}

/** Acts on rows; `touched` is announced by onRows, which knows of accounts. */
const acting = <R extends RowRef>(
  call: StaffCall,
  rows: readonly R[],
  act: (db: Scoped, ref: R, touched: Touched) => Promise<Effect<Transfer>>,
) => onRows(call, null, rows, act);

const read = <T>(call: StaffCall, work: (db: Scoped) => Promise<T>): Promise<T> => inTenant(call.deps.database, call.tenant, work);

export const transferHandlers: Handlers<typeof transferRoutes, StaffCall> = {
  listTransfers: (call, { query }) =>
    read(call, async (db) => {
      const { rows, meta } = await listRecords<TransferRow, keyof typeof transferList.columns & string>(
        db,
        call,
        transferList,
        transfersOf(call),
        query,
      );
      return { data: rows.map(transferView), meta };
    }),

  readTransfer: (call, { params: { uuid } }) =>
    read(call, async (db) => {
      const row = await findTransfer(db, call, uuid);
      return {
        data: {
          row: transferView(row),
          money: await moneyOf(db, row),
          sides: await sidesOf(db, call, row, call.caller.permissions.has("pas.transaction.bank-transactions.view")),
          history: await historyOf(db, { tenant: call.tenant, entity: "transfer", id: uuid }),
        },
      };
    }),

  previewTransfer: async (call, { body }) => ({ data: await preview(call, body) }),
  previewAdjustment: async (call, { body }) => ({ data: await preview(call, body) }),
  previewSettlement: async (call, { body }) => ({ data: await preview(call, body) }),
  previewClearing: async (call, { body }) => ({ data: await preview(call, body) }),

  createTransfer: (call, { body }) => making(call, () => planTransfer(call, body)),
  createManualTransfer: (call, { body }) => making(call, () => planTransfer(call, body)),
  adjustWallet: (call, { body }) => making(call, (db) => planAdjustment(db, call, body)),
  createSettlement: (call, { body }) => making(call, async (db) => planSettlement(db, call, body, await settingsOf(db, call.tenant))),
  createCashOut: (call, { body }) => making(call, async (db) => planSettlement(db, call, body, await settingsOf(db, call.tenant))),

  approveTransfers: (call, { body: { rows } }) => acting(call, rows, (db, ref, touched) => approve(db, call, ref, touched)),
  secondApproveTransfers: (call, { body: { rows } }) => acting(call, rows, (db, ref, touched) => secondApprove(db, call, ref, touched)),
  handBackTransfers: (call, { body: { rows, reason } }) =>
    acting(call, rows, (db, ref, touched) => handBack(db, call, ref, reason, touched)),
  rejectTransfers: (call, { body: { rows, reason } }) => acting(call, rows, (db, ref, touched) => reject(db, call, ref, reason, touched)),
  recallTransfers: (call, { body: { rows } }) => acting(call, rows, (db, ref, touched) => recall(db, call, ref, touched)),

  remarkTransfer: async (call, { params: { uuid }, body: { version, remark: text } }) => ({
    data: await announced(call, (touched) => once(call, null, (db) => remark(db, call, { uuid, version }, text, touched))),
  }),
};
