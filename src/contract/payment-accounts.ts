import { z } from "zod";
import { parseMoney } from "../values/money.ts";
import { inCurrency } from "./amounts.ts";
import { control, Linked } from "./controls.ts";
import { PaymentGroups } from "./payment-groups.ts";
import { RateLimitGroupOf } from "./rate-limit-groups.ts";
import { defineColumns, sortsOf } from "./record-columns.ts";
import { recordRoutes } from "./record-routes.ts";
import { RecordEvent } from "./records.ts";
import { defineRoutes } from "./route.ts";
import { secretLives } from "./secrets.ts";
import { awaited, Transfer } from "./transfers.ts";
import { ClearingForm, transferKinds } from "./transfer-forms.ts";
import { AccountNumber, Amount, Code, Instant, Line, Name, PositiveAmount, Uuid, Version } from "./wire.ts";

export const accountTypes = ["normal", "atm", "backup"] as const;
const accountPurposes = ["deposit", "withdrawal", "both"] as const;
const paymentMethods = ["bank_transfer", "e_wallet", "qr"] as const;
/** The statuses a person can set. */
export const accountStatuses = ["active", "inactive", "suspend"] as const;
/** The statuses shown: `overuse` when a limit is used up. */
export const shownAccountStatuses = [...accountStatuses, "overuse"] as const;
/** critical: the balance is below the threshold. */
export const accountStates = ["normal", "suspended", "critical"] as const;

/** One limit and how much of it is used; null: no limit. */
const Limit = z.object({ used: Amount, limit: Amount.nullable() });

export const PaymentAccount = z.object({
  uuid: Uuid,
  version: Version,
  code: z.string(),
  bank: z.string(),
  account_number: z.string(),
  holder: z.string(),
  currency: z.string(),
  type: z.enum(accountTypes),
  purpose: z.enum(accountPurposes),
  method: z.enum(paymentMethods),
  status: z.enum(shownAccountStatuses),
  state: z.enum(accountStates),
  balance: Amount,
  /** balance − hold amount − reserve amount − pending out */
  payable: Amount,
  hold_amount: Amount,
  hold_reason: z.string().nullable(),
  /** When the hold ends by itself; null: when somebody releases it. */
  hold_until: Instant.nullable(),
  /** What pending transfers and settlements will take. */
  pending_out: Amount,
  reserve_amount: Amount,
  threshold: Amount,
  deposit_minimum: Amount.nullable(),
  deposit_maximum: Amount.nullable(),
  withdrawal_minimum: Amount.nullable(),
  withdrawal_maximum: Amount.nullable(),
  deposit_daily: Limit,
  deposit_monthly: Limit,
  withdrawal_daily: Limit,
  withdrawal_monthly: Limit,
  charges_type: z.enum(["fixed", "percent"]),
  charges_value: Amount,
  /** Signs the bank notices of the account; null: it has none. */
  notice_key: z.string().nullable(),
  last_used_at: Instant.nullable(),
  created_at: Instant,
  updated_at: Instant,
});
export type PaymentAccount = z.infer<typeof PaymentAccount>;

export const PaymentAccountDetail = z.object({
  row: PaymentAccount,
  groups: z.array(Linked),
  rate_limit_group: Linked.nullable(),
  /** Number of open deposits and withdrawals that use the account, and of transfers pending on it. */
  open: z.int(),
  /** When what is used of a day's and of a month's limit begins anew: midnight in the currency's zone. */
  resets: z.object({ day: Instant, month: Instant }),
  /** The transfers and settlements pending on it, oldest first, at most ten; none for who may not see transfers. */
  transfers: z.array(
    z.object({
      uuid: Uuid,
      txn_no: z.string(),
      kind: z.enum(transferKinds),
      side: z.enum(["source", "target"]),
      amount: Amount,
      awaits: z.enum(awaited),
      created_at: Instant,
    }),
  ),
  /** Its newest bank lines, at most five, and when the last one came; none for who may not see bank transactions. */
  lines: z.array(
    z.object({
      uuid: Uuid,
      time: Instant,
      direction: z.enum(["credit", "debit"]),
      amount: Amount,
      description: z.string(),
      status: z.enum(["unmatched", "matched", "ignored"]),
    }),
  ),
  last_line_at: Instant.nullable(),
  history: z.array(RecordEvent),
});
export type PaymentAccountDetail = z.infer<typeof PaymentAccountDetail>;

/** An amount, or empty for none. */
const MaybeAmount = inCurrency(
  z
    .string()
    .trim()
    .max(21)
    .refine((text) => text === "" || (parseMoney(text) ?? -1n) >= 0n, "Must be an amount, or empty for none")
    .meta(control("amount")),
);
const notNegative = () => Amount.refine((text) => (parseMoney(text) ?? -1n) >= 0n, "Must not be below zero");
const NotNegative = inCurrency(notNegative());

/** The fields of an account's form; code, bank, account number and currency are fixed after creation. */
const fields = {
  holder: Name(120),
  type: z.enum(accountTypes).meta(control("choice")),
  purpose: z.enum(accountPurposes).meta(control("choice")),
  method: z.enum(paymentMethods).meta(control("choice")),
  reserve_amount: NotNegative,
  threshold: NotNegative,
  deposit_minimum: MaybeAmount,
  deposit_maximum: MaybeAmount,
  withdrawal_minimum: MaybeAmount,
  withdrawal_maximum: MaybeAmount,
  deposit_daily_limit: MaybeAmount,
  deposit_monthly_limit: MaybeAmount,
  withdrawal_daily_limit: MaybeAmount,
  withdrawal_monthly_limit: MaybeAmount,
  charges_type: z.enum(["fixed", "percent"]).meta(control("choice")),
  /** An amount, or percent with up to 4 decimals. */
  charges_value: inCurrency(notNegative(), { charges_type: "fixed" }),
  groups: PaymentGroups,
  rate_limit_group: RateLimitGroupOf,
} as const;
export const PaymentAccountForm = z.strictObject(fields);
export type PaymentAccountForm = z.infer<typeof PaymentAccountForm>;

/** The freeze of an amount, over the one before; without `until` it lasts until it is released. */
export const HoldForm = z.strictObject({
  amount: inCurrency(PositiveAmount.meta(control("amount"))),
  reason: Line(300).meta(control("lines")),
  until: z.union([Instant, z.literal("")]).meta(control("moment")),
});
export type HoldForm = z.infer<typeof HoldForm>;

/** What is open on an account, which keeps it from being cleared. */
export const OpenItems = z.object({
  deposits: z.int(),
  withdrawals: z.int(),
  transfers: z.int(),
  /** The hold an operator put on it; null: none. */
  hold: z.object({ amount: Amount, reason: z.string().nullable() }).nullable(),
  /** The oldest of them, at most ten. */
  items: z.array(z.object({ uuid: Uuid, kind: z.enum(["deposit", "withdrawal", "transfer"]), txn_no: z.string() })),
});
export type OpenItems = z.infer<typeof OpenItems>;

export const paymentAccountColumns = defineColumns({
  code: { sort: true, find: "part" },
  bank: { filter: "whole", most: 60, sort: true, find: "part" },
  account_number: { find: "number" },
  holder: { sort: true, find: "part" },
  type: { filter: "choices", of: accountTypes },
  status: { filter: "choices", of: shownAccountStatuses },
  state: { filter: "choices", of: accountStates },
  balance: { filter: "amount", sort: true, sum: true },
  payable: { filter: "amount", sum: true },
  last_used_at: { filter: "time", sort: true },
  created_at: { filter: "time", sort: true },
  uuid: { filter: "rows" },
});
export const paymentAccountSorts = sortsOf(paymentAccountColumns);

const base = "/service/payment/api/tenant/v1/payment-accounts";

const accountRecordRoutes = recordRoutes(base, "pas.account.accounts", {
  one: "PaymentAccount",
  many: "PaymentAccounts",
  currency: true,
  stepUp: true,
  columns: paymentAccountColumns,
  row: PaymentAccount,
  detail: PaymentAccountDetail,
  create: PaymentAccountForm.extend({
    code: Code,
    bank: Name(60),
    account_number: AccountNumber,
  }),
  update: PaymentAccountForm,
  status: accountStatuses,
  reasoned: ["inactive", "suspend"],
  remove: true,
});

const ofOne = {
  method: "POST",
  permission: "pas.account.accounts.reset-credentials",
  currency: true,
  stepUp: true,
  params: z.strictObject({ uuid: Uuid }),
  refuses: ["record.stale"],
} as const;

export const paymentAccountRoutes = defineRoutes({
  ...accountRecordRoutes,
  holdPaymentAccount: {
    method: "POST",
    path: `${base}/{uuid}/hold`,
    permission: "pas.account.accounts.hold",
    currency: true,
    params: z.strictObject({ uuid: Uuid }),
    body: HoldForm.extend({ version: Version }),
    answer: PaymentAccount,
    refuses: ["record.stale"],
  },
  releasePaymentAccount: {
    method: "POST",
    path: `${base}/{uuid}/release`,
    permission: "pas.account.accounts.hold",
    currency: true,
    params: z.strictObject({ uuid: Uuid }),
    body: z.strictObject({ version: Version, reason: z.string().trim().max(300) }),
    answer: PaymentAccount,
    refuses: ["record.stale"],
  },
  /**
   * Suspends the account and moves its whole balance out, in one act: at once, above the tier when a second person approves. Refused with
   * what is open on it (`OpenItems`).
   */
  clearPaymentAccount: {
    method: "POST",
    path: `${base}/{uuid}/clear`,
    permission: "pas.account.accounts.clear-balance",
    currency: true,
    stepUp: true,
    money: true,
    params: z.strictObject({ uuid: Uuid }),
    body: ClearingForm.extend({ version: Version }),
    /** transfer null: the balance was zero. */
    answer: z.object({ row: PaymentAccount, transfer: Transfer.nullable() }),
    refuses: [
      "record.stale",
      "payment-account.open-items",
      "payment-account.unfit",
      "payment-account.over-limit",
      "payment-account.insufficient",
    ],
  },
  /** Answers the new secret of the account's forwarders, which is never shown again; the first time also makes their key. */
  resetNoticeKey: {
    ...ofOne,
    path: `${base}/{uuid}/notice-key`,
    body: z.strictObject({ version: Version, old_secret: z.enum(secretLives) }),
    answer: z.object({ row: PaymentAccount, secret: z.string() }),
  },
  /** Nothing signed by the account's key is taken any more. */
  revokeNoticeKey: {
    ...ofOne,
    path: `${base}/{uuid}/notice-key/revoke`,
    body: z.strictObject({ version: Version }),
    answer: PaymentAccount,
  },
});
