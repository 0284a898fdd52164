import { z } from "zod";
import { defineRoutes } from "./route.ts";
import {
  CallbackState,
  decisionRefusals,
  GivenReason,
  HistoryEvent,
  transactionFields,
  transactionFilters,
  transactionSorts,
} from "./transactions.ts";
import { Amount, Instant, Line, ListMeta, listQuery, outcomeOf, Rows, Uuid } from "./wire.ts";

const base = "/service/payment/api/tenant/v1/deposits";

export const Deposit = z.object({
  ...transactionFields,
  /** What reaches the merchant's wallet: amount − fee − charges borne by the merchant. */
  merchant_receive: Amount,
  expires_at: Instant.nullable(),
});
export type Deposit = z.infer<typeof Deposit>;

const DepositDetail = z.object({ row: Deposit, history: z.array(HistoryEvent), callback: CallbackState.nullable() });

const outcomes = z.object({ outcomes: z.array(outcomeOf(Deposit)) });
const params = z.strictObject({ uuid: Uuid });
const area = "pas.transaction.deposits";

export const depositRoutes = defineRoutes({
  listDeposits: {
    method: "GET",
    path: base,
    permission: `${area}.view`,
    currency: true,
    query: listQuery(transactionFilters, transactionSorts),
    answer: z.array(Deposit),
    meta: ListMeta,
  },
  readDeposit: { method: "GET", path: `${base}/{uuid}`, permission: `${area}.view`, currency: true, params, answer: DepositDetail },
  /** pending → process: the customer reports the payment, or a receipt arrived. */
  processDeposits: {
    method: "POST",
    path: `${base}/process`,
    permission: `${area}.process`,
    currency: true,
    money: true,
    body: z.strictObject({ rows: Rows }),
    answer: outcomes,
    refuses: ["deposit.not-pending", ...decisionRefusals],
  },
  approveDeposits: {
    method: "POST",
    path: `${base}/approve`,
    permission: `${area}.approve`,
    currency: true,
    money: true,
    body: z.strictObject({ rows: Rows }),
    answer: outcomes,
    refuses: ["deposit.not-process", ...decisionRefusals],
  },
  rejectDeposits: {
    method: "POST",
    path: `${base}/reject`,
    permission: `${area}.reject`,
    currency: true,
    money: true,
    body: z.strictObject({ rows: Rows, reason: GivenReason }),
    answer: outcomes,
    refuses: ["reason.missing", "reason.unknown", ...decisionRefusals],
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
});
