import type { Transfer } from "../../src/contract/transfers.ts";
import type { AdjustmentForm, SettlementForm, TransferForm } from "../../src/contract/transfer-forms.ts";
import { transferHandlers } from "../../src/server/transfers/transfers.ts";
import type { Account, Merchant, Person } from "./factories.ts";
import type { Office } from "./payments.ts";
import { body, done, only } from "./payments.ts";

export const ref = ({ uuid, version }: Pick<Transfer, "uuid" | "version">) => ({ uuid, version });
const sure = ({ amount }: Pick<Transfer, "amount">) => ({ confirmed: { amount } });

export const transferForm = (source: Account, target: Account, amount = "500.00"): TransferForm => ({
  source: source.id,
  target: target.id,
  amount,
  charges_type: "fixed",
  charges_value: "",
  reference_no: "",
  remark: "",
});

export const adjustmentForm = (merchant: Merchant, amount = "500.00", more: Partial<AdjustmentForm> = {}): AdjustmentForm => ({
  merchant: merchant.id,
  direction: "credit",
  amount,
  reason: "Fee charged twice on 3 May",
  reference_no: "",
  ...more,
});

export const settlementForm = (merchant: Merchant, source: Account, amount = "500.00"): SettlementForm => ({
  merchant: merchant.id,
  source: source.id,
  amount,
  bank: "CIMB",
  account_number: "7001234567",
  holder: "Harbour Play Sdn Bhd",
  charges_type: "fixed",
  charges_value: "",
  reference_no: "",
  remark: "",
});

/** The acts of an office on transfers, by one of its people. */
export const transfersBy = (office: Office, person: Person = office.ann) => {
  const one = (row: Transfer) => ({ rows: [ref(row)] });
  return {
    call: office.call(person),
    transfer: async (source: Account, target: Account, amount?: string, more: Partial<TransferForm> = {}) =>
      (await transferHandlers.createTransfer(office.call(person), body({ ...transferForm(source, target, amount), ...more }))).data,
    manual: async (source: Account, target: Account, amount?: string, more: Partial<TransferForm> = {}) =>
      (
        await transferHandlers.createManualTransfer(
          office.call(person),
          body({ ...transferForm(source, target, amount), reference_no: "FT 1", payment_date: "2026-05-03T04:00:00.000Z", ...more }),
        )
      ).data,
    adjust: async (merchant: Merchant, amount?: string, more?: Partial<AdjustmentForm>) =>
      (await transferHandlers.adjustWallet(office.call(person), body(adjustmentForm(merchant, amount, more)))).data,
    settle: async (merchant: Merchant, source: Account, amount?: string, more: Partial<SettlementForm> = {}) =>
      (await transferHandlers.createSettlement(office.call(person), body({ ...settlementForm(merchant, source, amount), ...more }))).data,
    cashOut: async (merchant: Merchant, amount = "500.00") =>
      (
        await transferHandlers.createCashOut(
          office.call(person),
          body({ merchant: merchant.id, amount, reference_no: "CASH 7", remark: "" }),
        )
      ).data,
    tryApprove: async (row: Transfer) =>
      only(await transferHandlers.approveTransfers(office.call(person), body({ rows: [{ ...ref(row), ...sure(row) }] }))),
    approve: async (row: Transfer) =>
      done(only(await transferHandlers.approveTransfers(office.call(person), body({ rows: [{ ...ref(row), ...sure(row) }] })))),
    trySecond: async (row: Transfer) =>
      only(await transferHandlers.secondApproveTransfers(office.call(person), body({ rows: [{ ...ref(row), ...sure(row) }] }))),
    second: async (row: Transfer) =>
      done(only(await transferHandlers.secondApproveTransfers(office.call(person), body({ rows: [{ ...ref(row), ...sure(row) }] })))),
    handBack: async (row: Transfer, reason = "Which invoice?") =>
      done(only(await transferHandlers.handBackTransfers(office.call(person), body({ ...one(row), reason })))),
    tryReject: async (row: Transfer, reason = "Not agreed") =>
      only(await transferHandlers.rejectTransfers(office.call(person), body({ ...one(row), reason }))),
    reject: async (row: Transfer, reason = "Not agreed") =>
      done(only(await transferHandlers.rejectTransfers(office.call(person), body({ ...one(row), reason })))),
    tryRecall: async (row: Transfer) => only(await transferHandlers.recallTransfers(office.call(person), body(one(row)))),
    recall: async (row: Transfer) => done(only(await transferHandlers.recallTransfers(office.call(person), body(one(row))))),
    read: async (row: Pick<Transfer, "uuid">) =>
      (await transferHandlers.readTransfer(office.call(person), { params: { uuid: row.uuid }, query: undefined, body: undefined })).data,
  };
};
