import { z } from "zod";
import type { DecisionRoutes } from "./decisions.ts";
import { countedDepositViews, Deposit, DepositDetail, DepositQuery, ManualDeposit } from "./deposits.ts";
import { defineRoutes } from "./route.ts";
import { decisionRefusals, GivenReason } from "./transactions.ts";
import { Amount, Instant, Line, ListMeta, Name, outcomeOf, PositiveAmount, RowRef, Rows, Uuid } from "./wire.ts";

const base = "/service/payment/api/tenant/v1/deposits";
const area = "pas.transaction.deposits";

const outcomes = z.object({ outcomes: z.array(outcomeOf(Deposit)) });
const params = z.strictObject({ uuid: Uuid });
/** For tiers 2 and 3: the amount and payer the operator confirmed. */
const Confirmed = z.strictObject({ amount: Amount, payer: z.string().max(200) });

export const depositRoutes = defineRoutes({
  listDeposits: {
    method: "GET",
    path: base,
    permission: `${area}.view`,
    currency: true,
    query: DepositQuery,
    answer: z.array(Deposit),
    meta: ListMeta,
  },
  /** Number of rows of each view; empty when counting takes longer than 5 s. */
  countDeposits: {
    method: "GET",
    path: `${base}/counts`,
    permission: `${area}.view`,
    currency: true,
    reads: "much",
    answer: z.partialRecord(z.enum(countedDepositViews), z.int()),
  },
  readDeposit: { method: "GET", path: `${base}/{uuid}`, permission: `${area}.view`, currency: true, params, answer: DepositDetail },
  /**
   * Begins in process and counts against its account's limits even above them. Until a bank line or a receipt proves it, its approval needs
   * a second person.
   */
  createManualDeposit: {
    method: "POST",
    path: base,
    permission: `${area}.create`,
    currency: true,
    money: true,
    body: ManualDeposit,
    answer: Deposit,
    refuses: [
      "merchant.inactive",
      "merchant.number-taken",
      "amount.not-positive",
      "payment-account.unfit",
      "request.idempotency-mismatch",
      "request.in-progress",
    ],
  },
  /** Claims the oldest free deposit in process; `skip`: those the operator just skipped. */
  takeNextDeposit: {
    method: "POST",
    path: `${base}/take-next`,
    permission: `${area}.process`,
    currency: true,
    body: z.strictObject({ skip: z.array(Uuid).max(200).default([]) }),
    answer: DepositDetail,
    refuses: ["deposit.none-free", "deposit.claim-limit"],
  },
  /** A claim leaves the deposit in process. */
  claimDeposits: {
    method: "POST",
    path: `${base}/claim`,
    permission: `${area}.process`,
    currency: true,
    body: z.strictObject({ rows: Rows }),
    answer: outcomes,
    refuses: [
      "deposit.claimed",
      "deposit.claim-limit",
      "deposit.not-open",
      "deposit.not-process",
      "deposit.second-needed",
      "transaction.stale",
    ],
  },
  /** Extends the caller's leases; a lease the caller no longer has is reported in `lost`. */
  renewDepositClaims: {
    method: "POST",
    path: `${base}/renew`,
    permission: `${area}.process`,
    currency: true,
    body: z.strictObject({ uuids: z.array(Uuid).min(1).max(20) }),
    answer: z.object({ held: z.array(z.object({ uuid: Uuid, until: Instant })), lost: z.array(Uuid) }),
  },
  releaseDeposits: {
    method: "POST",
    path: `${base}/release`,
    permission: `${area}.process`,
    currency: true,
    body: z.strictObject({ rows: Rows }),
    answer: outcomes,
    refuses: ["deposit.not-claimed", "deposit.not-process", "transaction.stale"],
  },
  /** Releases deposits the caller claimed; their take-next skips them for a while. */
  deferDeposits: {
    method: "POST",
    path: `${base}/defer`,
    permission: `${area}.process`,
    currency: true,
    body: z.strictObject({ rows: Rows, reason: Line(500).optional() }),
    answer: outcomes,
    refuses: ["deposit.not-open", "deposit.not-process", "deposit.claimed", "transaction.stale"],
  },
  takeOverDeposits: {
    method: "POST",
    path: `${base}/take-over`,
    permission: `${area}.take-over`,
    currency: true,
    body: z.strictObject({ rows: Rows, reason: Line(500).optional() }),
    answer: outcomes,
    refuses: ["deposit.not-process", "deposit.claim-limit", "deposit.second-needed", "transaction.stale"],
  },
  /** pending → process: the customer reports the payment, or a receipt arrived. */
  processDeposits: {
    method: "POST",
    path: `${base}/process`,
    permission: `${area}.process`,
    currency: true,
    money: true,
    body: z.strictObject({
      rows: z
        .array(z.strictObject({ ...RowRef.shape, reference_no: Name(100).optional() }))
        .min(1)
        .max(200),
    }),
    answer: outcomes,
    refuses: ["deposit.not-pending", ...decisionRefusals],
  },
  approveDeposits: {
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
            /** What really arrived, where it is not what was requested; needs `reason`. */
            amount: PositiveAmount.optional(),
            reason: Line(500).optional(),
            confirmed: Confirmed.optional(),
            /**
             * Claims a free deposit before approving it, which also needs the permission to process. The claim stays when the approval is
             * refused.
             */
            claim: z.literal(true).optional(),
          }),
        )
        .min(1)
        .max(200),
    }),
    answer: outcomes,
    refuses: [
      "deposit.not-process",
      "deposit.not-claimed",
      "deposit.claimed",
      "deposit.claim-limit",
      "deposit.not-open",
      "deposit.check-failed",
      "deposit.confirm-needed",
      "deposit.second-needed",
      "amount.not-positive",
      "reason.missing",
      "payment-account.unfit",
      ...decisionRefusals,
    ],
  },
  /** The second approval of a tier 3 deposit, by another person than the first. */
  secondApproveDeposits: {
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
      "deposit.second-not-awaited",
      "deposit.second-same-person",
      "deposit.confirm-needed",
      "deposit.check-failed",
      "payment-account.unfit",
      ...decisionRefusals,
    ],
  },
  /** Another person undoes a first approval, with a reason: the deposit is free again, at the requested amount. */
  handBackDeposits: {
    method: "POST",
    path: `${base}/hand-back`,
    permission: `${area}.second-approve`,
    currency: true,
    money: true,
    body: z.strictObject({ rows: Rows, reason: Line(500) }),
    answer: outcomes,
    refuses: ["deposit.second-not-awaited", "deposit.second-same-person", ...decisionRefusals],
  },
  /** Without the right to reject: only what waits for the caller as the second person. */
  rejectDeposits: {
    method: "POST",
    path: `${base}/reject`,
    permission: [`${area}.reject`, `${area}.second-approve`],
    currency: true,
    money: true,
    body: z.strictObject({ rows: Rows, reason: GivenReason }),
    answer: outcomes,
    refuses: [
      "deposit.not-open",
      "deposit.claimed",
      "deposit.second-not-awaited",
      "deposit.second-same-person",
      "reason.missing",
      "reason.unknown",
      "bank-line.only-proof",
      ...decisionRefusals,
    ],
  },
  /** Undoes an approval within the tenant's recall window: the deposit is in process again, at the requested amount. */
  recallDeposits: {
    method: "POST",
    path: `${base}/recall`,
    permission: `${area}.recall`,
    currency: true,
    money: true,
    body: z.strictObject({ rows: Rows }),
    answer: outcomes,
    refuses: [
      "deposit.not-approved",
      "deposit.recall-closed",
      "merchant.insufficient-balance",
      "transaction.stale",
      "request.idempotency-mismatch",
      "request.in-progress",
    ],
  },
  /** expired → process: late money, with a reason. */
  reopenDeposits: {
    method: "POST",
    path: `${base}/reopen`,
    permission: `${area}.reopen`,
    currency: true,
    money: true,
    body: z.strictObject({ rows: Rows, reason: Line(500) }),
    answer: outcomes,
    refuses: ["deposit.not-expired", ...decisionRefusals],
  },
  sendDepositCallbacks: {
    method: "POST",
    path: `${base}/send-callback`,
    permission: `${area}.send-callback`,
    currency: true,
    body: z.strictObject({ rows: Rows }),
    answer: outcomes,
    refuses: ["callback.none", "transaction.stale"],
  },
  remarkDeposit: {
    method: "PUT",
    path: `${base}/{uuid}/remark`,
    permission: `${area}.process`,
    currency: true,
    params,
    body: z.strictObject({ version: RowRef.shape.version, remark: z.string().trim().max(1000) }),
    answer: Deposit,
    refuses: ["transaction.stale"],
  },
});

/** The routes of the decisions on deposits. */
export const depositDecision = {
  list: depositRoutes.listDeposits,
  counts: depositRoutes.countDeposits,
  read: depositRoutes.readDeposit,
  takeNext: depositRoutes.takeNextDeposit,
  claim: depositRoutes.claimDeposits,
  renew: depositRoutes.renewDepositClaims,
  release: depositRoutes.releaseDeposits,
  defer: depositRoutes.deferDeposits,
  takeOver: depositRoutes.takeOverDeposits,
  approve: depositRoutes.approveDeposits,
  second: { approve: depositRoutes.secondApproveDeposits, handBack: depositRoutes.handBackDeposits },
  reject: depositRoutes.rejectDeposits,
  recall: depositRoutes.recallDeposits,
  sendCallback: depositRoutes.sendDepositCallbacks,
  remark: depositRoutes.remarkDeposit,
} as const satisfies DecisionRoutes<Deposit, DepositDetail>;
