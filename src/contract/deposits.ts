import { z } from "zod";
import { defineRoutes } from "./route.ts";
import { CallbackState, HistoryEvent, transactionFields, transactionStatuses } from "./transactions.ts";
import { Amount, choices, Instant, Line, ListMeta, listQuery, outcomeOf, RowRef, Uuid } from "./wire.ts";

const base = "/service/payment/api/tenant/v1/deposits";

export const Deposit = z.object({
  ...transactionFields,
  /** What reaches the merchant's wallet: amount − fee − charges borne by the merchant. */
  merchant_receive: Amount,
  expires_at: Instant.nullable(),
});
export type Deposit = z.infer<typeof Deposit>;

export const DepositDetail = z.object({ row: Deposit, history: z.array(HistoryEvent), callback: CallbackState.nullable() });

const Rows = z.array(RowRef).min(1).max(200);
const outcomes = z.object({ outcomes: z.array(outcomeOf(Deposit)) });
const params = z.strictObject({ uuid: Uuid });
const Reason = z.strictObject({ code: z.string().max(60), text: z.string().trim().max(500).optional() });
const area = "pas.transaction.deposits";
const act = ["transaction.stale", "transaction.already-decided", "request.idempotency-mismatch", "request.in-progress"] as const;

export const depositRoutes = defineRoutes({
  listDeposits: {
    method: "GET",
    path: base,
    permission: `${area}.view`,
    currency: true,
    query: listQuery(
      {
        "filter[status]": choices(transactionStatuses).optional(),
        "filter[merchant]": Uuid.optional(),
        "filter[member]": z.string().max(100).optional(),
        "filter[amount_from]": Amount.optional(),
        "filter[amount_to]": Amount.optional(),
        "filter[created_from]": Instant.optional(),
        "filter[created_to]": Instant.optional(),
        "filter[uuid]": z
          .string()
          .max(37 * 200)
          .transform((text) => text.split(","))
          .pipe(z.array(Uuid).max(200))
          .optional(),
      },
      ["created_at", "amount", "status", "customer_name", "txn_no"],
    ),
    answer: z.array(Deposit),
    meta: ListMeta,
  },
  readDeposit: { method: "GET", path: `${base}/{uuid}`, permission: `${area}.view`, currency: true, params, answer: DepositDetail },
  /** pending → process: the customer says paid, or a receipt came. */
  processDeposits: {
    method: "POST",
    path: `${base}/process`,
    permission: `${area}.process`,
    currency: true,
    money: true,
    body: z.strictObject({ rows: Rows }),
    answer: outcomes,
    refuses: ["deposit.not-pending", ...act],
  },
  approveDeposits: {
    method: "POST",
    path: `${base}/approve`,
    permission: `${area}.approve`,
    currency: true,
    money: true,
    body: z.strictObject({ rows: Rows }),
    answer: outcomes,
    refuses: ["deposit.not-process", ...act],
  },
  rejectDeposits: {
    method: "POST",
    path: `${base}/reject`,
    permission: `${area}.reject`,
    currency: true,
    money: true,
    body: z.strictObject({ rows: Rows, reason: Reason }),
    answer: outcomes,
    refuses: ["deposit.not-open", "reason.missing", "reason.unknown", ...act],
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
    refuses: ["deposit.not-expired", "payment-account.over-limit", ...act],
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
