import { z } from "zod";
import { control } from "./controls.ts";
import { defineColumns } from "./record-columns.ts";
import { recordRoutes } from "./record-routes.ts";
import { RecordEvent } from "./records.ts";
import { defineRoutes } from "./route.ts";
import {
  AdjustmentForm,
  CashOutForm,
  ManualTransferForm,
  Preview,
  SettlementForm,
  TransferForm,
  adjustmentDirections,
  draftOf,
  transferKinds,
} from "./transfer-forms.ts";
import { Amount, Instant, Line, outcomeOf, RowRef, Rows, Uuid, Version } from "./wire.ts";

/** Of the specification's six (point 4). completed: the bank's lines prove every side of it. */
export const transferStatuses = ["pending", "approved", "rejected", "completed"] as const;
export type TransferStatus = (typeof transferStatuses)[number];

/** What a pending one waits for: that somebody says the bank has done it, a first person's approval, or a second's. */
export const awaited = ["confirmation", "first", "second"] as const;

const Person = z.object({ uuid: Uuid.nullable(), name: z.string() });
const AccountOf = z.object({ uuid: Uuid, code: z.string(), bank: z.string() });

export const Transfer = z.object({
  uuid: Uuid,
  version: Version,
  txn_no: z.string(),
  kind: z.enum(transferKinds),
  status: z.enum(transferStatuses),
  awaits: z.enum(awaited).nullable(),
  currency: z.string(),
  /** The payment account that pays, and the one that receives. */
  source: AccountOf.nullable(),
  target: AccountOf.nullable(),
  /** Whose wallet it concerns. */
  merchant: z.object({ uuid: Uuid, code: z.string(), name: z.string() }).nullable(),
  direction: z.enum(adjustmentDirections).nullable(),
  /** Whom a settlement pays; all null where it is a cash-out. */
  bank: z.string().nullable(),
  account_number: z.string().nullable(),
  holder: z.string().nullable(),
  amount: Amount,
  fee: Amount,
  charges: Amount,
  charges_type: z.enum(["fixed", "percent"]),
  charges_borne_by: z.enum(["merchant", "house"]),
  /** What the paying account loses. */
  final_amount: Amount,
  /** What a settlement costs the wallet. */
  merchant_amount: Amount.nullable(),
  /** 3: it needs a second person. */
  tier: z.int().min(1).max(3),
  reference_no: z.string().nullable(),
  reason: z.string().nullable(),
  remark: z.string().nullable(),
  payment_date: Instant.nullable(),
  previous_balance: Amount.nullable(),
  /** How many bank lines prove it whole, and how many do so far. */
  lines: z.object({ needed: z.int(), matched: z.int() }),
  first_approved_by: Person.nullable(),
  /** Until when `recall` can undo its posting; null while it is pending, when it can always be taken back. */
  recallable_until: Instant.nullable(),
  created_at: Instant,
  created_by: Person,
  approved_at: Instant.nullable(),
  approved_by: Person.nullable(),
  rejected_at: Instant.nullable(),
  rejected_by: Person.nullable(),
  reject_reason: z.string().nullable(),
  completed_at: Instant.nullable(),
  last_action_at: Instant,
  last_action_by: Person,
  has_receipt: z.boolean(),
  updated_at: Instant,
});
export type Transfer = z.infer<typeof Transfer>;

/** How it changes one account of the ledger: balance before, change, balance after; once posted, as it did. */
const TransferMoney = z.object({
  account: z.enum(["payment-account", "wallet", "hold", "fee-income", "bank-charges", "adjustment", "settlement"]),
  label: z.string(),
  before: Amount,
  change: Amount,
  after: Amount,
});

/** The bank line that proves one side; null: none does yet. */
const TransferSide = z.object({
  side: z.enum(["source", "target"]),
  account: AccountOf,
  line: z
    .object({
      uuid: Uuid,
      time: Instant,
      amount: Amount,
      description: z.string(),
      reference: z.string().nullable(),
      automatic: z.boolean(),
      by: z.string().nullable(),
    })
    .nullable(),
});

export const TransferDetail = z.object({
  row: Transfer,
  money: z.array(TransferMoney),
  sides: z.array(TransferSide),
  history: z.array(RecordEvent),
});
export type TransferDetail = z.infer<typeof TransferDetail>;

export const transferColumns = defineColumns({
  created_at: { filter: "time", sort: true },
  status: { filter: "choices", of: transferStatuses, sort: true },
  kind: { filter: "choices", of: transferKinds },
  awaits: { filter: "choices", of: awaited },
  /** Paid by it or into it. */
  account: { filter: "reference", to: "payment-accounts" },
  merchant: { filter: "reference", to: "merchants" },
  amount: { filter: "amount", sort: true, sum: true },
  txn_no: { filter: "whole", most: 40, sort: true, find: "part" },
  reference_no: { filter: "whole", most: 60, find: "part" },
  holder: { find: "part" },
  account_number: { find: "number" },
  source_code: { find: "part" },
  target_code: { find: "part" },
  merchant_code: { find: "part" },
  merchant_name: { find: "part" },
  remark: { find: "part" },
  uuid: { filter: "rows" },
});

const base = "/service/payment/api/tenant/v1/transfers";
const area = "pas.transaction.transfers";

const transferRecordRoutes = recordRoutes(base, area, {
  one: "Transfer",
  many: "Transfers",
  currency: true,
  columns: transferColumns,
  row: Transfer,
  detail: TransferDetail,
});

/** Why a payment account may not take part. */
const accountRefusals = ["payment-account.unfit", "payment-account.over-limit", "payment-account.insufficient"] as const;
const judging = { method: "POST", currency: true, answer: Preview } as const;
const making = { method: "POST", currency: true, money: true, answer: Transfer } as const;
const acting = {
  method: "POST",
  currency: true,
  money: true,
  answer: z.object({ outcomes: z.array(outcomeOf(Transfer)) }),
} as const;
const decided = ["transaction.stale", "transaction.already-decided"] as const;
/** Of tiers 2 and 3: the amount as its approver has read it. */
const Confirmed = RowRef.extend({ confirmed: z.strictObject({ amount: Amount }).optional() });
const confirmedRows = z.array(Confirmed).min(1).max(200);

export const transferRoutes = defineRoutes({
  ...transferRecordRoutes,
  /** Judge what is about to be made; change nothing. Each as what it judges is permitted. */
  previewTransfer: {
    ...judging,
    path: `${base}/preview`,
    permission: "pas.account.accounts.transfer",
    body: draftOf("transfer", "manual-transfer"),
  },
  previewAdjustment: {
    ...judging,
    path: `${base}/adjustments/preview`,
    permission: "pas.merchant.merchants.adjust-wallet",
    body: draftOf("adjustment"),
  },
  previewSettlement: {
    ...judging,
    path: `${base}/settlements/preview`,
    permission: "pas.merchant.merchants.settle",
    body: draftOf("settlement", "cash-out"),
  },
  previewClearing: {
    ...judging,
    path: `${base}/clearings/preview`,
    permission: "pas.account.accounts.clear-balance",
    body: draftOf("clearing"),
  },
  /** Reserves amount and charges of the source, and counts against both accounts' limits, until it is confirmed or taken back. */
  createTransfer: {
    ...making,
    path: base,
    permission: "pas.account.accounts.transfer",
    body: TransferForm,
    refuses: accountRefusals,
  },
  /** Posted at once; above the tier once a second person approves. */
  createManualTransfer: {
    ...making,
    path: `${base}/manual`,
    permission: "pas.account.accounts.transfer",
    body: ManualTransferForm,
    refuses: accountRefusals,
  },
  /** Posted at once; above the tier once a second person approves. */
  adjustWallet: {
    ...making,
    path: `${base}/adjustments`,
    permission: "pas.merchant.merchants.adjust-wallet",
    stepUp: true,
    body: AdjustmentForm,
    refuses: ["merchant.insufficient-balance"],
  },
  /** Amount and fee leave the wallet for its hold until it is paid or taken back. */
  createSettlement: {
    ...making,
    path: `${base}/settlements`,
    permission: "pas.merchant.merchants.settle",
    body: SettlementForm,
    refuses: ["merchant.insufficient-balance", "transfer.below-minimum", ...accountRefusals],
  },
  createCashOut: {
    ...making,
    path: `${base}/cash-outs`,
    permission: "pas.merchant.merchants.settle",
    body: CashOutForm,
    refuses: ["merchant.insufficient-balance", "transfer.below-minimum"],
  },
  /** Says that the bank has done it; or, after it was handed back, approves it as the first person. */
  approveTransfers: {
    ...acting,
    path: `${base}/approve`,
    permission: `${area}.approve`,
    body: z.strictObject({ rows: confirmedRows }),
    refuses: [
      ...decided,
      "transfer.second-needed",
      "transfer.confirm-needed",
      "payment-account.insufficient",
      "merchant.insufficient-balance",
    ],
  },
  secondApproveTransfers: {
    ...acting,
    path: `${base}/second-approve`,
    permission: `${area}.second-approve`,
    body: z.strictObject({ rows: confirmedRows }),
    refuses: [
      ...decided,
      "transfer.second-not-awaited",
      "transfer.second-same-person",
      "transfer.confirm-needed",
      "transfer.balance-changed",
      "payment-account.insufficient",
      "merchant.insufficient-balance",
    ],
  },
  /** The second person gives it back: it needs both approvals anew. */
  handBackTransfers: {
    ...acting,
    path: `${base}/hand-back`,
    permission: `${area}.second-approve`,
    body: z.strictObject({ rows: Rows, reason: Line(500) }),
    refuses: [...decided, "transfer.second-not-awaited", "transfer.second-same-person"],
  },
  /** Without the right to reject: only what waits for the caller as the second person. */
  rejectTransfers: {
    ...acting,
    path: `${base}/reject`,
    permission: [`${area}.reject`, `${area}.second-approve`],
    body: z.strictObject({ rows: Rows, reason: Line(500) }),
    refuses: [...decided, "transfer.second-not-awaited", "transfer.second-same-person"],
  },
  /** Undoes the last step: a pending one is taken back whole; a posted one, within the recall window, is reversed. */
  recallTransfers: {
    ...acting,
    path: `${base}/recall`,
    permission: `${area}.recall`,
    body: z.strictObject({ rows: Rows }),
    refuses: [...decided, "transfer.recall-closed", "payment-account.insufficient", "merchant.insufficient-balance"],
  },
  remarkTransfer: {
    method: "POST",
    path: `${base}/{uuid}/remark`,
    permission: `${area}.approve`,
    currency: true,
    params: z.strictObject({ uuid: Uuid }),
    body: z.strictObject({ version: Version, remark: z.string().trim().max(1000).meta(control("lines")) }),
    answer: Transfer,
    refuses: ["transaction.stale"],
  },
});
