import { z } from "zod";
import { defineRoutes } from "./route.ts";
import { decisionRefusals, PayingAccount } from "./transactions.ts";
import { Amount, Instant, outcomeOf, RowRef, Uuid, Version } from "./wire.ts";
import { Withdrawal, withdrawalFlags, WithdrawalQuery } from "./withdrawals.ts";

const base = "/service/payment/api/tenant/v1/payouts";

/** Most withdrawals of one plan. */
export const mostPayouts = 1_000;

/** Every withdrawal once: a plan that paid one twice would be refused row by row. */
const once = (uuids: readonly string[]): boolean => new Set(uuids).size === uuids.length;

const Unfit = PayingAccount.shape.unfit.unwrap();

/** Why a withdrawal cannot be paid, whichever account paid. */
export const payoutObstacles = [
  /** The operator left it out of the plan. */
  "left-out",
  /** Its version is not the one the operator saw; the plan has the version it has now. `by`, `at` */
  "stale",
  /** Decided already. `status` */
  "not-open",
  /** Another operator works on it. `by` */
  "claimed",
  /** It is free, and the caller may not claim one. */
  "no-right",
  /** A first person has approved it; a second one must. `by` */
  "second-needed",
  /** The merchant's money does not cover it. `held`, `wallet`, `needed` */
  "wallet-hold",
  /** There is no account, none is left in the plan, or none such to pin it to. */
  "no-account",
] as const;

/** One reason why a withdrawal has no account in the plan. */
const PayoutReason = z.object({
  /** The withdrawal's own, worded by `payout.cannot.<code>`, or the accounts', worded by `unfit.<code>`. */
  code: z.enum([...payoutObstacles, ...Unfit.shape.code.options]),
  /** The values of the text: for accounts those of the account that comes nearest, as the plan leaves it. */
  values: z.record(z.string(), z.string()),
  /** The accounts refused for this reason, the nearest first; empty where no account is to blame. */
  accounts: z.array(Uuid),
});
export type PayoutReason = z.infer<typeof PayoutReason>;

/**
 * Why a withdrawal is paid from its account: the operator pinned it there; no other account could take it; the account is at the payee's
 * bank; or the account has room and keeps the number of accounts small.
 */
export const payoutGrounds = ["pinned", "only", "same-bank", "room"] as const;

export const PayoutRow = z.object({
  uuid: Uuid,
  version: Version,
  txn_no: z.string(),
  merchant: Withdrawal.shape.merchant,
  customer_name: z.string(),
  bank: z.string(),
  account_number: z.string(),
  holder: z.string(),
  method: z.string(),
  amount: Amount,
  created_at: Instant,
  flags: z.array(z.enum(withdrawalFlags)),
  /** Its own, paid from its account: from 2 on, `confirmed` must come with it; 3 also needs a second person. */
  tier: Withdrawal.shape.tier,
  /** The account that would pay it; null: none, see `reasons`. */
  account: Uuid.nullable(),
  ground: z.enum(payoutGrounds).nullable(),
  /** The bank's charges at that account; "0.00" without one. */
  charges: Amount,
  /** Empty when it has an account; what comes nearest to being possible first. */
  reasons: z.array(PayoutReason),
});
export type PayoutRow = z.infer<typeof PayoutRow>;

/** A limit of a rate-limit group, as the plan leaves the account. */
const PayoutRate = z.object({
  minutes: z.int(),
  count: z.int(),
  max_count: z.int().nullable(),
  turnover: Amount,
  max_turnover: Amount.nullable(),
});

/** A paying account, in the order of preference, as it is now and as the plan would leave it. */
export const PayoutAccount = z.object({
  uuid: Uuid,
  code: z.string(),
  bank: z.string(),
  holder: z.string(),
  type: PayingAccount.shape.type,
  critical: z.boolean(),
  /** The operator left it out of the plan. */
  left_out: z.boolean(),
  /** Why it can take none of the withdrawals, whatever the plan: the reason that stops most of them; null: it can take some. */
  unfit: Unfit.nullable(),
  /** The plan's withdrawals from this account: their number, sum and the bank's charges. */
  count: z.int(),
  amount: Amount,
  charges: Amount,
  balance: Amount,
  balance_after: Amount,
  hold: Amount,
  reserve: Amount,
  /** Balance less hold and reserve. */
  payable: Amount,
  payable_after: Amount,
  daily_limit: Amount.nullable(),
  daily_used: Amount,
  daily_left_after: Amount.nullable(),
  monthly_limit: Amount.nullable(),
  monthly_used: Amount,
  monthly_left_after: Amount.nullable(),
  /** The account's own rate limit; null: it has none. */
  rate: PayoutRate.nullable(),
});
export type PayoutAccount = z.infer<typeof PayoutAccount>;

const Sum = z.object({ count: z.int(), amount: Amount });

export const PayoutPlan = z.object({
  computed_at: Instant,
  /** In the order in which they are to be sent: the oldest first. */
  rows: z.array(PayoutRow),
  accounts: z.array(PayoutAccount),
  /** Rows of the request that are no withdrawals of this currency. */
  missing: z.array(Uuid),
  /** How many withdrawals the selection has; more than `rows` when it has more than a plan takes. */
  matching: z.int(),
  /** `accounts`: how many pay · `charges`: the banks' · `charges_of_house`: the part the merchants do not bear. */
  placed: z.object({ ...Sum.shape, accounts: z.int(), charges: Amount, charges_of_house: Amount }),
  cannot: Sum,
  left_out: Sum,
  /** What is payable on all accounts that were not left out, once the plan is paid. */
  payable_after: Amount,
  /** Of the sum of the placed: from 2 on, `confirmed` must repeat the sum; 3: every row waits for a second person. */
  tier: Withdrawal.shape.tier,
  /** The amounts from which the sum asks for a confirmation and a second person. */
  tiers: z.object({ confirm_from: Amount, second_from: Amount }),
  /** How many of the placed need a second person by themselves. */
  second: z.int(),
});
export type PayoutPlan = z.infer<typeof PayoutPlan>;

/** The filters and order of the list whose rows are meant; the first `mostPayouts` are planned. */
const AllThatMatch = WithdrawalQuery.omit({ cursor: true, direction: true, from: true, at: true, limit: true, with: true });

export const PayoutRequest = z
  .strictObject({
    rows: z
      .array(RowRef)
      .min(1)
      .max(mostPayouts)
      .refine((rows) => once(rows.map(({ uuid }) => uuid)), "Appears twice")
      .optional(),
    /** Instead of rows. */
    all: AllThatMatch.optional(),
    /** What is filled first where not everything can be: the number of withdrawals, or the sum. */
    prefer: z.enum(["number", "sum"]).default("number"),
    /** Withdrawals that must be paid from a given account, or not at all. */
    pins: z
      .array(z.strictObject({ uuid: Uuid, account: Uuid }))
      .max(mostPayouts)
      .refine((pins) => once(pins.map(({ uuid }) => uuid)), "Appears twice")
      .default([]),
    /** Withdrawals and accounts the plan must do without. */
    without: z
      .strictObject({ rows: z.array(Uuid).max(mostPayouts).default([]), accounts: z.array(Uuid).max(1_000).default([]) })
      .default({ rows: [], accounts: [] }),
  })
  .refine(({ rows, all }) => (rows === undefined) !== (all === undefined), {
    path: ["rows"],
    message: "Must be given, or all that match be asked for",
  });
export type PayoutRequest = z.infer<typeof PayoutRequest>;

const PaidRow = z.strictObject({
  ...RowRef.shape,
  payment_account: Uuid,
  /** From tier 2 of the row on: the amount and payee the operator confirmed. */
  confirmed: z.strictObject({ amount: Amount, holder: z.string().max(200) }).optional(),
});

const area = "pas.transaction.withdrawals";

export const payoutRoutes = defineRoutes({
  /** Spreads withdrawals over the paying accounts; changes nothing. */
  planPayouts: {
    method: "POST",
    path: `${base}/plan`,
    permission: `${area}.approve`,
    currency: true,
    body: PayoutRequest,
    answer: PayoutPlan,
  },
  /**
   * Approves a slice of a plan, each row like `approveWithdrawals` does, from the named account. A free row is claimed for the moment of its
   * approval, which also needs the permission to process; a refused row stays as it was.
   */
  approvePayouts: {
    method: "POST",
    path: `${base}/approve`,
    permission: `${area}.approve`,
    currency: true,
    money: true,
    body: z
      .strictObject({
        /** All withdrawals of the plan that were confirmed together: the tier is that of their sum. */
        payout: z.array(Uuid).min(1).max(mostPayouts).refine(once, "Appears twice"),
        /** From tier 2 of that sum on: the sum the operator confirmed. */
        confirmed: Amount.optional(),
        /** This request's slice of them, in the plan's order. */
        rows: z
          .array(PaidRow)
          .min(1)
          .max(200)
          .refine((rows) => once(rows.map(({ uuid }) => uuid)), "Appears twice"),
      })
      .refine(({ payout, rows }) => rows.every(({ uuid }) => payout.includes(uuid)), { path: ["rows"], message: "Must be of the payout" }),
    answer: z.object({ outcomes: z.array(outcomeOf(Withdrawal)) }),
    refuses: [
      "payout.confirm-needed",
      "withdrawal.not-process",
      "withdrawal.claimed",
      "withdrawal.not-open",
      "withdrawal.check-failed",
      "withdrawal.confirm-needed",
      "withdrawal.second-needed",
      "payment-account.unfit",
      "payment-account.over-limit",
      "payment-account.insufficient",
      "merchant.insufficient-balance",
      ...decisionRefusals,
    ],
  },
});
