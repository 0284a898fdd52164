import { z } from "zod";
import { Amount, choices, Instant, range, Records, RecordsOrMe, Texts, Uuid, Uuids, Version } from "./wire.ts";

/** The six statuses of the specification (point 4). */
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
  /** The merchant's number of its customer. */
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

/** Of a filter that asks whether something is so. */
export const answers = ["yes", "no"] as const;

export const transactionFilters = {
  "filter[status]": choices(transactionStatuses).optional(),
  "filter[merchant]": Records.optional(),
  "filter[member]": Texts(100).optional(),
  ...range("amount", Amount),
  ...range("created", Instant),
  ...range("approved", Instant),
  /** Whether somebody holds a claim on it. */
  "filter[claimed]": choices(answers).optional(),
  /** Who holds the claim on it; "me" is the caller. */
  "filter[claimed_by]": RecordsOrMe.optional(),
  "filter[uuid]": Uuids.optional(),
};
export const transactionSorts = ["created_at", "amount", "status", "customer_name", "txn_no"] as const;

/** The code of a preset (tenant settings), or "other" with a text. */
export const GivenReason = z.strictObject({ code: z.string().max(60), text: z.string().trim().max(500).optional() });

/** Codes of every act that moves a transaction's money. */
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
  /** HTTP status of the answer; null: there was no answer. */
  status: z.int().nullable(),
  /** The first 500 characters of the answer. */
  answer: z.string().nullable(),
  error: z.string().nullable(),
  /** Who requested the attempt; null: it was scheduled. */
  by: z.string().nullable(),
});

export const CallbackState = z.object({
  id: Uuid,
  state: z.enum(["held", "pending", "delivered", "failed", "cancelled"]),
  attempts: z.int(),
  next_attempt_at: Instant.nullable(),
  last_status: z.int().nullable(),
  last_error: z.string().nullable(),
  /** Attempts of all callbacks of the transaction: the newest fifty, oldest first. */
  tries: z.array(CallbackTry),
});

/** One check with its numbers; the console words it by `check.<name>`. */
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
    "line-amount",
    "reference-used",
    "same-payer",
    "account-status",
    "proof",
  ]),
  /** notice: no objection, but worth knowing. */
  result: z.enum(["pass", "notice", "warn", "fail", "unknown"]),
  /** The values of the check's text; amounts are decimal strings. */
  values: z.record(z.string(), z.string()),
});
export type Check = z.infer<typeof Check>;

/** A payment account judged for one withdrawal. */
export const PayingAccount = z.object({
  uuid: Uuid,
  code: z.string(),
  holder: z.string(),
  bank: z.string(),
  type: z.enum(["normal", "atm", "backup"]),
  suggested: z.boolean(),
  /** Its balance is below its threshold. */
  critical: z.boolean(),
  /** null: it can pay; otherwise the reason why not, worded by `unfit.<code>`. */
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

/** A row of "last 5 of this customer" and "other open items of the payee". */
export const RelatedTransaction = z.object({
  uuid: Uuid,
  txn_no: z.string(),
  status: z.enum(transactionStatuses),
  amount: Amount,
  created_at: Instant,
});

/** How the decision would change one ledger account: balance before, change, balance after. */
export const MoneyLine = z.object({
  account: z.enum(["wallet", "hold", "payment-account", "fee-income", "bank-charges"]),
  label: z.string(),
  before: Amount,
  change: Amount,
  after: Amount,
});
