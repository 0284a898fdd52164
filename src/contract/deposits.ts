import { z } from "zod";
import { control } from "./controls.ts";
import { BankLine, LineSuggestion } from "./bank-transactions.ts";
import { decisionFields } from "./decisions.ts";
import {
  CallbackState,
  Check,
  HistoryEvent,
  MoneyLine,
  RelatedTransaction,
  transactionFields,
  transactionFilters,
  transactionSorts,
} from "./transactions.ts";
import { Amount, Instant, listQuery, Name, PositiveAmount, Records, Texts, Uuid } from "./wire.ts";

export const depositFlags = ["duplicate", "limit", "name-mismatch", "other-amount", "account", "unproved", "late", "returned"] as const;

export const Deposit = z.object({
  ...transactionFields,
  /** What reaches the merchant's wallet: amount − fee − charges borne by the merchant. */
  merchant_receive: Amount,
  /** The amount that was requested, where another one arrived; null: `amount` is the requested one. */
  asked_amount: Amount.nullable(),
  /** Why another amount was approved than requested. */
  amount_reason: z.string().nullable(),
  expires_at: Instant.nullable(),
  ...decisionFields,
  flags: z.array(z.enum(depositFlags)),
});
export type Deposit = z.infer<typeof Deposit>;

/** The payment account a deposit is paid into, with this deposit counted. */
export const CreditedAccount = z.object({
  uuid: Uuid,
  code: z.string(),
  bank: z.string(),
  account_number: z.string(),
  holder: z.string(),
  status: z.enum(["active", "inactive", "suspend"]),
  critical: z.boolean(),
  balance: Amount,
  balance_after: Amount,
  /** Used with this deposit. */
  daily_used: Amount,
  daily_limit: Amount.nullable(),
  monthly_used: Amount,
  monthly_limit: Amount.nullable(),
});
export type CreditedAccount = z.infer<typeof CreditedAccount>;

export const DepositDetail = z.object({
  row: Deposit,
  checks: z.array(Check),
  /** null: the account no longer exists. */
  account: CreditedAccount.nullable(),
  money: z.array(MoneyLine),
  /** The bank line it is matched to; while it is open or expired and matched to none, the best five that fit. Empty for who may not see bank lines. */
  lines: z.object({ matched: BankLine.nullable(), suggestions: z.array(LineSuggestion) }),
  customer_last: z.array(RelatedTransaction),
  /** The customer's approved deposits, the newest thousand at most. */
  customer_total: z.object({ count: z.int(), amount: Amount }),
  history: z.array(HistoryEvent),
  callback: CallbackState.nullable(),
});
export type DepositDetail = z.infer<typeof DepositDetail>;

export const depositViews = ["queue", "mine", "waiting", "late", "today", "all", "second"] as const;
export type DepositView = (typeof depositViews)[number];

export const DepositQuery = listQuery(
  {
    /** queue: to decide (in process), by the time they are due · mine: my claims · waiting: pending · late: expired, with an unmatched bank line that fits · today: decided or created today · second: awaiting a second person · all. */
    view: z.enum(depositViews).default("queue"),
    ...transactionFilters,
    "filter[customer_name]": Texts(100).optional(),
    /** The account the money comes to. */
    "filter[payment_account]": Records.optional(),
    "filter[reference]": Texts(100).optional(),
  },
  transactionSorts,
);
export type DepositQuery = z.infer<typeof DepositQuery>;

/** The views whose rows are counted; not "all", which may have millions. */
export const countedDepositViews = depositViews.filter((view) => view !== "all");

/** A deposit made by hand, for money that has arrived. */
export const ManualDeposit = z.strictObject({
  merchant: Uuid.meta(control("reference", "merchants")),
  /** The account the money arrived on. */
  payment_account: Uuid.meta(control("reference", "payment-accounts")),
  amount: PositiveAmount.meta(control("amount")),
  /** The merchant's number of its customer. */
  member: Name(100),
  customer_name: Name(200),
  merchant_txn_no: Name(64).optional(),
  reference_no: Name(100).optional(),
  /** Left out: now. */
  payment_date: Instant.meta(control("moment")).optional(),
  remark: z.string().trim().max(1000).meta(control("lines")).optional(),
});
export type ManualDeposit = z.infer<typeof ManualDeposit>;
