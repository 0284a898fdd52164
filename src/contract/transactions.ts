import { z } from "zod";
import { Amount, choices, Instant, range, Uuid, Uuids, Version } from "./wire.ts";

/** The specification's six (point 4). */
export const transactionStatuses = ["pending", "process", "approved", "rejected", "completed", "expired"] as const;
export type TransactionStatus = (typeof transactionStatuses)[number];

/** Not decided yet. */
export const isOpen = ({ status }: { readonly status: TransactionStatus }): boolean => status === "pending" || status === "process";

const Person = z.object({ uuid: Uuid.nullable(), name: z.string() });

/** The specification's fields of a transaction (point 3), common to deposits and withdrawals. */
export const transactionFields = {
  uuid: Uuid,
  version: Version,
  txn_no: z.string(),
  merchant_txn_no: z.string().nullable(),
  reference_no: z.string().nullable(),
  type: z.enum(["deposit", "withdrawal"]),
  source: z.enum(["api", "manual"]),
  status: z.enum(transactionStatuses),
  currency: z.string(),
  merchant: z.object({ uuid: Uuid, code: z.string(), name: z.string() }),
  /** The merchant's customer, by the merchant's own number. */
  member: z.string(),
  customer_name: z.string(),
  method: z.string(),
  amount: Amount,
  fee: Amount,
  charges: Amount,
  charges_type: z.enum(["fixed", "percent"]),
  charges_borne_by: z.enum(["merchant", "house"]),
  final_amount: Amount,
  previous_balance: Amount.nullable(),
  payment_account: z.object({ uuid: Uuid, code: z.string() }).nullable(),
  payment_date: Instant.nullable(),
  created_at: Instant,
  processed_at: Instant.nullable(),
  processed_by: Person.nullable(),
  approved_at: Instant.nullable(),
  approved_by: Person.nullable(),
  rejected_at: Instant.nullable(),
  rejected_by: Person.nullable(),
  expired_at: Instant.nullable(),
  completed_at: Instant.nullable(),
  last_action_at: Instant,
  last_action_by: Person,
  reject_reason: z.string().nullable(),
  remark: z.string().nullable(),
  has_receipt: z.boolean(),
};
const Transaction = z.object(transactionFields);
export type Transaction = z.infer<typeof Transaction>;

export const transactionFilters = {
  "filter[status]": choices(transactionStatuses).optional(),
  "filter[merchant]": Uuid.optional(),
  "filter[member]": z.string().max(100).optional(),
  ...range("amount", Amount),
  ...range("created", Instant),
  ...range("approved", Instant),
  "filter[uuid]": Uuids.optional(),
};
export const transactionSorts = ["created_at", "amount", "status", "customer_name", "txn_no"] as const;

/** A preset's code (tenant settings), or "other" with a text. */
export const GivenReason = z.strictObject({ code: z.string().max(60), text: z.string().trim().max(500).optional() });

/** What refuses every act that moves a transaction's money. */
export const decisionRefusals = [
  "transaction.stale",
  "transaction.already-decided",
  "request.idempotency-mismatch",
  "request.in-progress",
] as const;

export const HistoryEvent = z.object({
  n: z.int(),
  at: Instant,
  act: z.string(),
  from_status: z.string().nullable(),
  to_status: z.string(),
  by: z.string(),
  reason: z.string().nullable(),
});

/** One attempt to deliver a callback. */
const CallbackTry = z.object({
  callback: Uuid,
  n: z.int(),
  at: Instant,
  /** What was answered; null: nothing was. */
  status: z.int().nullable(),
  /** Its first 500 characters. */
  answer: z.string().nullable(),
  error: z.string().nullable(),
  /** Who asked for it; null: it was due. */
  by: z.string().nullable(),
});

export const CallbackState = z.object({
  id: Uuid,
  state: z.enum(["held", "pending", "delivered", "failed", "cancelled"]),
  attempts: z.int(),
  next_attempt_at: Instant.nullable(),
  last_status: z.int().nullable(),
  last_error: z.string().nullable(),
  /** Of every callback of the transaction, the newest fifty, the oldest first. */
  tries: z.array(CallbackTry),
});

/** One line the server checked, with its numbers; the console words it by `check.<name>`. */
export const Check = z.object({
  name: z.enum([
    "per-transaction",
    "daily-headroom",
    "monthly-headroom",
    "account-balance",
    "rate-account",
    "rate-member",
    "wallet-hold",
    "merchant-active",
    "same-payee",
    "first-payee",
    "name-match",
  ]),
  /** notice: nothing speaks against it, but it is worth knowing. */
  result: z.enum(["pass", "notice", "warn", "fail", "unknown"]),
  /** Named numbers and texts of the line; amounts are decimal strings. */
  values: z.record(z.string(), z.string()),
});
export type Check = z.infer<typeof Check>;

/** A payment account weighed for one withdrawal. */
export const PayingAccount = z.object({
  uuid: Uuid,
  code: z.string(),
  holder: z.string(),
  bank: z.string(),
  type: z.enum(["normal", "atm", "backup"]),
  suggested: z.boolean(),
  /** Its balance is below its threshold. */
  critical: z.boolean(),
  /** null when it may pay; else why not, worded by `unfit.<code>`. */
  unfit: z
    .object({
      code: z.enum([
        "inactive",
        "suspended",
        "purpose",
        "method",
        "minimum",
        "maximum",
        "daily",
        "monthly",
        "balance",
        "rate",
        "rate-amount",
      ]),
      values: z.record(z.string(), z.string()),
    })
    .nullable(),
  payable: Amount,
  balance: Amount,
  balance_after: Amount,
  daily_used: Amount,
  daily_limit: Amount.nullable(),
  monthly_used: Amount,
  monthly_limit: Amount.nullable(),
});
export type PayingAccount = z.infer<typeof PayingAccount>;

/** A line of "last 5 of this customer" and "other open items of the payee". */
export const RelatedTransaction = z.object({
  uuid: Uuid,
  txn_no: z.string(),
  status: z.enum(transactionStatuses),
  amount: Amount,
  created_at: Instant,
});

/** Before, change and after of one ledger account the decision would move. */
export const MoneyLine = z.object({
  account: z.enum(["wallet", "hold", "payment-account", "fee-income", "bank-charges"]),
  label: z.string(),
  before: Amount,
  change: Amount,
  after: Amount,
});
