import { z } from "zod";
import { parseMoney } from "../values/money.ts";
import { inCurrency } from "./amounts.ts";
import { RecordEvent } from "./records.ts";
import { defineRoutes } from "./route.ts";
import { AccountNumber, Amount, choices, Instant, ListMeta, listQuery, Name, range, Uuid, Uuids, Version } from "./wire.ts";

const base = "/service/payment/api/tenant/v1/payment-accounts";
const area = "pas.account.accounts";
const params = z.strictObject({ uuid: Uuid });

export const accountTypes = ["normal", "atm", "backup"] as const;
const accountPurposes = ["deposit", "withdrawal", "both"] as const;
const paymentMethods = ["bank_transfer", "e_wallet", "qr"] as const;
/** What a person sets. */
export const accountStatuses = ["active", "inactive", "suspend"] as const;
/** What is shown: `overuse` when any limit is used up. */
export const shownAccountStatuses = [...accountStatuses, "overuse"] as const;
/** Its condition: critical below its threshold. */
export const accountStates = ["normal", "suspended", "critical"] as const;

/** Used and total of one limit; null: none. */
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
  /** balance − hold amount − reserve amount */
  payable: Amount,
  hold_amount: Amount,
  hold_reason: z.string().nullable(),
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
  last_used_at: Instant.nullable(),
  created_at: Instant,
  updated_at: Instant,
});
export type PaymentAccount = z.infer<typeof PaymentAccount>;

export const PaymentAccountDetail = z.object({
  row: PaymentAccount,
  groups: z.array(z.object({ uuid: Uuid, name: z.string() })),
  rate_limit_group: z.object({ uuid: Uuid, name: z.string() }).nullable(),
  /** Open deposits and withdrawals that name it. */
  open: z.int(),
  history: z.array(RecordEvent),
});
export type PaymentAccountDetail = z.infer<typeof PaymentAccountDetail>;

/** An amount, or empty for none. */
const MaybeAmount = inCurrency(
  z
    .string()
    .trim()
    .max(21)
    .refine((text) => text === "" || (parseMoney(text) ?? -1n) >= 0n, "Must be an amount, or empty for none"),
);
const notNegative = () => Amount.refine((text) => (parseMoney(text) ?? -1n) >= 0n, "Must not be below zero");
const NotNegative = inCurrency(notNegative());

/** What a form of an account edits; code, bank, account number and currency are fixed after creation. */
const fields = {
  holder: Name(120),
  type: z.enum(accountTypes),
  purpose: z.enum(accountPurposes),
  method: z.enum(paymentMethods),
  hold_amount: NotNegative,
  hold_reason: z.string().trim().max(300),
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
  charges_type: z.enum(["fixed", "percent"]),
  /** An amount, or percent with up to 4 decimals. */
  charges_value: notNegative(),
} as const;
export const PaymentAccountForm = z.strictObject(fields);
export type PaymentAccountForm = z.infer<typeof PaymentAccountForm>;

export const paymentAccountSorts = ["code", "bank", "holder", "balance", "created_at", "last_used_at"] as const;

export const paymentAccountRoutes = defineRoutes({
  listPaymentAccounts: {
    method: "GET",
    path: base,
    permission: `${area}.view`,
    currency: true,
    query: listQuery(
      {
        "filter[status]": choices(shownAccountStatuses).optional(),
        "filter[state]": choices(accountStates).optional(),
        "filter[type]": choices(accountTypes).optional(),
        "filter[bank]": z.string().max(60).optional(),
        ...range("balance", Amount),
        ...range("payable", Amount),
        ...range("last_used_at", Instant),
        ...range("created_at", Instant),
        "filter[uuid]": Uuids.optional(),
      },
      paymentAccountSorts,
    ),
    answer: z.array(PaymentAccount),
    meta: ListMeta,
  },
  readPaymentAccount: {
    method: "GET",
    path: `${base}/{uuid}`,
    permission: `${area}.view`,
    currency: true,
    params,
    answer: PaymentAccountDetail,
  },
  createPaymentAccount: {
    method: "POST",
    path: base,
    permission: `${area}.create`,
    stepUp: true,
    currency: true,
    body: PaymentAccountForm.extend({
      code: z
        .string()
        .trim()
        .regex(/^[A-Z0-9][A-Z0-9-]{1,19}$/, "Must be 2 to 20 capital letters, digits or hyphens"),
      bank: Name(60),
      account_number: AccountNumber,
    }),
    answer: PaymentAccount,
  },
  updatePaymentAccount: {
    method: "PUT",
    path: `${base}/{uuid}`,
    permission: `${area}.update`,
    stepUp: true,
    currency: true,
    params,
    body: PaymentAccountForm.extend({ version: Version }),
    answer: PaymentAccount,
    refuses: ["record.stale"],
  },
  changePaymentAccountStatus: {
    method: "POST",
    path: `${base}/{uuid}/status`,
    permission: `${area}.change-status`,
    stepUp: true,
    currency: true,
    params,
    body: z.strictObject({ version: Version, status: z.enum(accountStatuses), reason: z.string().trim().max(500) }),
    answer: PaymentAccount,
    refuses: ["record.stale"],
  },
  /** Refused while anything names it or it holds money. */
  deletePaymentAccount: {
    method: "DELETE",
    path: `${base}/{uuid}`,
    permission: `${area}.delete`,
    stepUp: true,
    currency: true,
    params,
    query: z.strictObject({ version: z.coerce.number().pipe(Version) }),
    answer: z.object({}),
    refuses: ["record.stale", "record.in-use"],
  },
});
