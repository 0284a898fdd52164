import { z } from "zod";
import { decisionFields } from "./decisions.ts";
import type { DecisionRoutes } from "./decisions.ts";
import { PayoutMark } from "./payout-files.ts";
import { defineRoutes } from "./route.ts";
import {
  CallbackState,
  Check,
  decisionRefusals,
  GivenReason,
  HistoryEvent,
  MoneyLine,
  PayingAccount,
  RelatedTransaction,
  transactionFields,
  transactionFilters,
  transactionSorts,
} from "./transactions.ts";
import { Amount, Instant, Line, ListMeta, listQuery, outcomeOf, Records, RowRef, Rows, Texts, Uuid } from "./wire.ts";

const base = "/service/payment/api/tenant/v1/withdrawals";

export const withdrawalFlags = ["duplicate", "limit", "name-mismatch", "first-payee", "returned", "exported"] as const;

export const Withdrawal = z.object({
  ...transactionFields,
  bank: z.string(),
  account_number: z.string(),
  holder: z.string(),
  ...decisionFields,
  flags: z.array(z.enum(withdrawalFlags)),
  /** The account `approve` would pay from, with what is used of its daily limit; for an approved row the account that paid. */
  paying_account: z.object({ uuid: Uuid, code: z.string(), critical: z.boolean(), used: Amount, limit: Amount.nullable() }).nullable(),
});
export type Withdrawal = z.infer<typeof Withdrawal>;

export const WithdrawalDetail = z.object({
  row: Withdrawal,
  checks: z.array(Check),
  accounts: z.array(PayingAccount),
  money: z.array(MoneyLine),
  customer_last: z.array(RelatedTransaction),
  /** The customer's paid withdrawals, the newest thousand at most. */
  customer_total: z.object({ count: z.int(), amount: Amount }),
  /**
   * Open withdrawals to the same payee, oldest first, at most twenty, found among the newest thousand; the payee checks look at the same
   * thousand.
   */
  payee_open: z.array(RelatedTransaction),
  /** The banks' bulk files it stands in, newest first, at most twenty. */
  payout_files: z.array(PayoutMark),
  history: z.array(HistoryEvent),
  callback: CallbackState.nullable(),
});
export type WithdrawalDetail = z.infer<typeof WithdrawalDetail>;

export const withdrawalViews = ["queue", "mine", "process", "today", "all", "second"] as const;
export type WithdrawalView = (typeof withdrawalViews)[number];

export const WithdrawalQuery = listQuery(
  {
    /** queue: open ones, claimed or not, by the time they are due (`due_at`) · mine: my claims · process · today: decided or created today · second: awaiting a second person · all. */
    view: z.enum(withdrawalViews).default("queue"),
    ...transactionFilters,
    "filter[bank]": Texts(60).optional(),
    "filter[account_number]": Texts(40).optional(),
    "filter[customer_name]": Texts(100).optional(),
    /** Those that stand in a bulk file. */
    "filter[payout_file]": Records.optional(),
  },
  transactionSorts,
);
export type WithdrawalQuery = z.infer<typeof WithdrawalQuery>;

/** The views whose rows are counted; not "all", which may have millions. */
export const countedViews = withdrawalViews.filter((view) => view !== "all");

const outcomes = z.object({ outcomes: z.array(outcomeOf(Withdrawal)) });
const params = z.strictObject({ uuid: Uuid });
/** For tiers 2 and 3: the amount and payee the operator confirmed. */
const Confirmed = z.strictObject({ amount: Amount, holder: z.string().max(200) });
const area = "pas.transaction.withdrawals";

export const withdrawalRoutes = defineRoutes({
  listWithdrawals: {
    method: "GET",
    path: base,
    permission: `${area}.view`,
    currency: true,
    query: WithdrawalQuery,
    answer: z.array(Withdrawal),
    meta: ListMeta,
  },
  /** Number of rows of each view; empty when counting takes longer than 5 s. */
  countWithdrawals: {
    method: "GET",
    path: `${base}/counts`,
    permission: `${area}.view`,
    currency: true,
    reads: "much",
    answer: z.partialRecord(z.enum(countedViews), z.int()),
  },
  readWithdrawal: { method: "GET", path: `${base}/{uuid}`, permission: `${area}.view`, currency: true, params, answer: WithdrawalDetail },
  /** Claims the oldest free withdrawal; `skip`: those the operator just skipped. */
  takeNextWithdrawal: {
    method: "POST",
    path: `${base}/take-next`,
    permission: `${area}.process`,
    currency: true,
    body: z.strictObject({ skip: z.array(Uuid).max(200).default([]) }),
    answer: WithdrawalDetail,
    refuses: ["withdrawal.none-free", "withdrawal.claim-limit"],
  },
  claimWithdrawals: {
    method: "POST",
    path: `${base}/claim`,
    permission: `${area}.process`,
    currency: true,
    body: z.strictObject({ rows: Rows }),
    answer: outcomes,
    refuses: ["withdrawal.claimed", "withdrawal.claim-limit", "withdrawal.not-open", "withdrawal.second-needed", "transaction.stale"],
  },
  /** Extends the caller's leases; a lease the caller no longer has is reported in `lost`. */
  renewWithdrawalClaims: {
    method: "POST",
    path: `${base}/renew`,
    permission: `${area}.process`,
    currency: true,
    body: z.strictObject({ uuids: z.array(Uuid).min(1).max(20) }),
    answer: z.object({ held: z.array(z.object({ uuid: Uuid, until: Instant })), lost: z.array(Uuid) }),
  },
  releaseWithdrawals: {
    method: "POST",
    path: `${base}/release`,
    permission: `${area}.process`,
    currency: true,
    body: z.strictObject({ rows: Rows }),
    answer: outcomes,
    refuses: ["withdrawal.not-claimed", "withdrawal.not-process", "transaction.stale"],
  },
  /** Releases withdrawals the caller claimed; their take-next skips them for a while. */
  deferWithdrawals: {
    method: "POST",
    path: `${base}/defer`,
    permission: `${area}.process`,
    currency: true,
    body: z.strictObject({ rows: Rows, reason: Line(500).optional() }),
    answer: outcomes,
    refuses: ["withdrawal.not-open", "withdrawal.claimed", "transaction.stale"],
  },
  takeOverWithdrawals: {
    method: "POST",
    path: `${base}/take-over`,
    permission: `${area}.take-over`,
    currency: true,
    body: z.strictObject({ rows: Rows, reason: Line(500).optional() }),
    answer: outcomes,
    refuses: ["withdrawal.not-process", "withdrawal.claim-limit", "withdrawal.second-needed", "transaction.stale"],
  },
  approveWithdrawals: {
    method: "POST",
    path: `${base}/approve`,
    permission: `${area}.approve`,
    currency: true,
    money: true,
    body: z.strictObject({
      rows: z
        .array(
          z.strictObject({
            ...RowRef.shape,
            /** Left out: the account the server suggests. */
            payment_account: Uuid.optional(),
            confirmed: Confirmed.optional(),
            /**
             * Claims a free withdrawal before approving it, which also needs the permission to process. The claim stays when the approval
             * is refused.
             */
            claim: z.literal(true).optional(),
          }),
        )
        .min(1)
        .max(200),
    }),
    answer: outcomes,
    refuses: [
      "withdrawal.not-process",
      "withdrawal.not-claimed",
      "withdrawal.claimed",
      "withdrawal.claim-limit",
      "withdrawal.not-open",
      "withdrawal.check-failed",
      "withdrawal.confirm-needed",
      "withdrawal.second-needed",
      "withdrawal.second-same-person",
      "payment-account.unfit",
      "payment-account.over-limit",
      "payment-account.insufficient",
      "merchant.insufficient-balance",
      ...decisionRefusals,
    ],
  },
  /** The second approval of a tier 3 withdrawal, by another person than the first. */
  secondApproveWithdrawals: {
    method: "POST",
    path: `${base}/second-approve`,
    permission: `${area}.second-approve`,
    currency: true,
    money: true,
    body: z.strictObject({
      rows: z
        .array(z.strictObject({ ...RowRef.shape, confirmed: Confirmed }))
        .min(1)
        .max(200),
    }),
    answer: outcomes,
    refuses: [
      "withdrawal.second-not-awaited",
      "withdrawal.second-same-person",
      "withdrawal.confirm-needed",
      "withdrawal.check-failed",
      "payment-account.unfit",
      "payment-account.over-limit",
      "payment-account.insufficient",
      "merchant.insufficient-balance",
      ...decisionRefusals,
    ],
  },
  /** Another person undoes a first approval, with a reason: the withdrawal is free again. */
  handBackWithdrawals: {
    method: "POST",
    path: `${base}/hand-back`,
    permission: `${area}.second-approve`,
    currency: true,
    money: true,
    body: z.strictObject({ rows: Rows, reason: Line(500) }),
    answer: outcomes,
    refuses: ["withdrawal.second-not-awaited", "withdrawal.second-same-person", ...decisionRefusals],
  },
  /** Without the right to reject: only what waits for the caller as the second person. */
  rejectWithdrawals: {
    method: "POST",
    path: `${base}/reject`,
    permission: [`${area}.reject`, `${area}.second-approve`],
    currency: true,
    money: true,
    body: z.strictObject({ rows: Rows, reason: GivenReason }),
    answer: outcomes,
    refuses: [
      "bank-line.only-proof",
      "withdrawal.not-open",
      "withdrawal.claimed",
      "withdrawal.second-not-awaited",
      "withdrawal.second-same-person",
      "reason.missing",
      "reason.unknown",
      ...decisionRefusals,
    ],
  },
  recallWithdrawals: {
    method: "POST",
    path: `${base}/recall`,
    permission: `${area}.recall`,
    currency: true,
    money: true,
    body: z.strictObject({ rows: Rows }),
    answer: outcomes,
    refuses: [
      "bank-line.only-proof",
      "withdrawal.not-approved",
      "withdrawal.recall-closed",
      "transaction.stale",
      "request.idempotency-mismatch",
      "request.in-progress",
    ],
  },
  sendWithdrawalCallbacks: {
    method: "POST",
    path: `${base}/send-callback`,
    permission: `${area}.send-callback`,
    currency: true,
    body: z.strictObject({ rows: Rows }),
    answer: outcomes,
    refuses: ["callback.none", "transaction.stale"],
  },
  remarkWithdrawal: {
    method: "PUT",
    path: `${base}/{uuid}/remark`,
    permission: `${area}.process`,
    currency: true,
    params,
    body: z.strictObject({ version: RowRef.shape.version, remark: z.string().trim().max(1000) }),
    answer: Withdrawal,
    refuses: ["transaction.stale"],
  },
  /** The bank's number of the payment, from its slip, for one in process or paid; one another withdrawal has needs `again`. */
  referWithdrawal: {
    method: "PUT",
    path: `${base}/{uuid}/reference`,
    permission: `${area}.process`,
    currency: true,
    params,
    body: z.strictObject({ version: RowRef.shape.version, reference_no: Line(100), again: z.literal(true).optional() }),
    answer: Withdrawal,
    refuses: ["transaction.stale", "withdrawal.not-process", "withdrawal.claimed", "withdrawal.not-open", "withdrawal.reference-used"],
  },
});

/** The routes of the decisions on withdrawals. */
export const withdrawalDecision = {
  list: withdrawalRoutes.listWithdrawals,
  counts: withdrawalRoutes.countWithdrawals,
  read: withdrawalRoutes.readWithdrawal,
  takeNext: withdrawalRoutes.takeNextWithdrawal,
  claim: withdrawalRoutes.claimWithdrawals,
  renew: withdrawalRoutes.renewWithdrawalClaims,
  release: withdrawalRoutes.releaseWithdrawals,
  defer: withdrawalRoutes.deferWithdrawals,
  takeOver: withdrawalRoutes.takeOverWithdrawals,
  approve: withdrawalRoutes.approveWithdrawals,
  second: { approve: withdrawalRoutes.secondApproveWithdrawals, handBack: withdrawalRoutes.handBackWithdrawals },
  reject: withdrawalRoutes.rejectWithdrawals,
  recall: withdrawalRoutes.recallWithdrawals,
  sendCallback: withdrawalRoutes.sendWithdrawalCallbacks,
  remark: withdrawalRoutes.remarkWithdrawal,
} as const satisfies DecisionRoutes<Withdrawal, WithdrawalDetail>;
