import { z } from "zod";
import { defineColumns } from "./record-columns.ts";
import { recordRoutes } from "./record-routes.ts";
import { defineRoutes } from "./route.ts";
import { Amount, Instant, Texts, Uuid, Version } from "./wire.ts";

/** What one row of a report is of: one account, or merchant, on one day; one of them in the whole period; all of them on one day. */
export const reportCuts = ["each", "owner", "day"] as const;
export type ReportCut = (typeof reportCuts)[number];
/** What one row of a cash flow is of. */
export const cashFlowCuts = ["day", "week", "month"] as const;

/**
 * live: it is not over · closed: over, and kept · open: over, and not kept yet · difference: what the balances of the row above miss of its
 * movements · carry-over: what that row begins with more than the day before ended with.
 */
export const dayStates = ["live", "closed", "open", "difference", "carry-over"] as const;
/** The row is no day, but tells what is wrong with that of the row above. */
export const tellsDifference = (state: string): boolean => state === "difference" || state === "carry-over";

const shared = {
  uuid: Uuid,
  version: Version,
  /** The day in the currency's zone, of several the first. */
  day: z.iso.date(),
  /** How many days it is of. */
  days: z.int(),
  state: z.enum(dayStates),
  opening: Amount.nullable(),
  deposits_n: z.int().nullable(),
  deposits: Amount.nullable(),
  withdrawals_n: z.int().nullable(),
  withdrawals: Amount.nullable(),
  settlements: Amount.nullable(),
  adjustments: Amount.nullable(),
  closing: Amount.nullable(),
  /**
   * What the closing balance has more than opening balance and movements come to, or the opening balance more than the day before closed with;
   * null: nothing.
   */
  difference: Amount.nullable(),
};
const owner = {
  /** The account or merchant; null: the row is of all of them. */
  owner: z.object({ uuid: Uuid, code: z.string(), name: z.string() }).nullable(),
  code: z.string().nullable(),
};

/** What moved a payment account on a day: amounts without what the bank took, which stands in `charges`. */
export const AccountDay = z.object({
  ...shared,
  ...owner,
  transfers_in: Amount.nullable(),
  transfers_out: Amount.nullable(),
  charges: Amount.nullable(),
  /** The bank's own closing balance, where its lines tell one that day, and what it has more than the ledger's. */
  statement: Amount.nullable(),
  statement_difference: Amount.nullable(),
  /** Percent of the account's daily limits, as they are now, that this day used; null: it has none, or the row is of several days or accounts. */
  deposit_limit_used: z.number().nullable(),
  withdrawal_limit_used: z.number().nullable(),
});
export type AccountDay = z.infer<typeof AccountDay>;

/** What moved a merchant's wallet on a day. */
export const MerchantDay = z.object({
  ...shared,
  ...owner,
  deposits_fee: Amount.nullable(),
  deposits_net: Amount.nullable(),
  withdrawals_fee: Amount.nullable(),
  /** What came back from the hold, or with a minus went into it, for withdrawals and settlements that are open. */
  held: Amount.nullable(),
  /** Percent of the decided deposits and withdrawals that were approved; null: none was decided. */
  success: z.number().nullable(),
  /** From request to approval; null: none was approved, or the row is of several days or merchants. */
  median_minutes: z.number().nullable(),
  p95_minutes: z.number().nullable(),
  /** Callbacks of then that were given up and have not been taken since; null: the row only tells a difference. */
  callbacks_failed: z.int().nullable(),
});
export type MerchantDay = z.infer<typeof MerchantDay>;

/** Who closed with how much: an account or merchant, or the accounts that are in the same payment groups; null: in none. */
export const Closing = z.object({ code: z.string().nullable(), name: z.string(), closing: Amount });
export type Closing = z.infer<typeof Closing>;

/** What came in and went out of all payment accounts of a currency. */
export const CashFlowDay = z.object({
  ...shared,
  /** Between the house's own accounts nothing is left of it; what was cleared to an adjustment is. */
  transfers: Amount.nullable(),
  charges: Amount.nullable(),
  net: Amount.nullable(),
  /** What the house earned meanwhile: no cash moved by it. */
  fees: Amount.nullable(),
});
export type CashFlowDay = z.infer<typeof CashFlowDay>;

/**
 * A row, and the closing balance of its last day by payment group as they are now. What is in several groups stands under all of them together,
 * so that each account counts once.
 */
export const CashFlowDetail = z.object({ row: CashFlowDay, groups: z.array(Closing) });
export type CashFlowDetail = z.infer<typeof CashFlowDetail>;

const common = {
  day: { filter: "time", sort: true },
  /** The period it is compared with; left out: the one before, of the same length. */
  against: { filter: "time" },
  differs: { filter: "choices", of: ["yes"] },
  opening: { sum: "opening" },
  deposits_n: { sum: true },
  deposits: { sum: true, sort: true },
  withdrawals_n: { sum: true },
  withdrawals: { sum: true, sort: true },
  settlements: { sum: true },
  adjustments: { sum: true },
  closing: { sum: "closing", sort: true },
  uuid: { filter: "rows" },
} as const;
const ofOwner = { code: { filter: "whole", most: 40, find: "part", sort: true }, by: { filter: "choices", of: reportCuts } } as const;

export const accountDayColumns = defineColumns({
  ...ofOwner,
  ...common,
  transfers_in: { sum: true },
  transfers_out: { sum: true },
  charges: { sum: true },
});
export const merchantDayColumns = defineColumns({
  ...ofOwner,
  ...common,
  deposits_fee: { sum: true },
  deposits_net: { sum: true },
  withdrawals_fee: { sum: true },
  held: { sum: true },
});
export const cashFlowColumns = defineColumns({
  ...common,
  by: { filter: "choices", of: cashFlowCuts },
  transfers: { sum: true },
  charges: { sum: true },
  net: { sum: true },
  fees: { sum: true },
});

/** The figures whose entries can be opened. */
export const reportFigures = [
  "deposits",
  "deposits_fee",
  "deposits_net",
  "withdrawals",
  "withdrawals_fee",
  "transfers_in",
  "transfers_out",
  /** What came in by them less what went out. */
  "transfers",
  "settlements",
  "charges",
  "adjustments",
  /** All that moved a payment account. */
  "net",
  /** What the house earned of merchants. */
  "fees",
  /** What came back from a merchant's hold less what went into it. */
  "held",
] as const;
export type ReportFigure = (typeof reportFigures)[number];

/** A day there can be figures of. */
const Day = z.iso.date().refine((day) => day >= "1970-01-01" && day < "9999");

/** Days, both included, and of whom, as the list filters by code; left out: of all. */
const period = { from: Day, to: Day, code: Texts(40).optional() };

/** Figures of one period, by name; those of amounts are decimals. */
const Figures = z.record(z.string(), Amount);

export const ReportSummary = z.object({
  /** Minutes east of UTC of the zone whose days these are. */
  zone_minutes: z.int(),
  at: Instant,
  from: z.iso.date(),
  to: z.iso.date(),
  against_from: z.iso.date(),
  against_to: z.iso.date(),
  now: Figures,
  before: Figures,
  /** Of both periods, by day. */
  days: z.array(z.object({ day: z.iso.date(), money_in: Amount, money_out: Amount, closing: Amount, fees: Amount })),
  /** Closing by account or merchant, or of a cash flow by payment group, the largest first; `others` is the rest together. */
  closings: z.array(Closing),
  others: z.object({ count: z.int(), closing: Amount }).nullable(),
});
export type ReportSummary = z.infer<typeof ReportSummary>;

/** Most entries of one answer; a statement shows all of them. */
export const mostEntries = 100;

export const ReportEntry = z.object({
  uuid: Uuid,
  at: Instant,
  kind: z.string(),
  /** What it adds to the figure; below zero where something is taken back. */
  amount: Amount,
  transaction: z.object({ uuid: Uuid, kind: z.enum(["deposit", "withdrawal", "transfer"]) }).nullable(),
  txn_no: z.string().nullable(),
  customer_name: z.string().nullable(),
  account_code: z.string().nullable(),
  merchant_code: z.string().nullable(),
});

export const ReportEntries = z.object({
  count: z.int(),
  sum: Amount,
  /** The largest first. */
  entries: z.array(ReportEntry),
  /** By merchant, or in a merchant's report by payment account, the largest first. */
  parts: z.array(z.object({ code: z.string(), name: z.string(), count: z.int(), sum: Amount })),
});
export type ReportEntries = z.infer<typeof ReportEntries>;

const [accountBase, merchantBase, cashBase] = [
  "/service/payment/api/tenant/v1/payment-account-daily-reports",
  "/service/payment/api/tenant/v1/merchant-daily-reports",
  "/service/payment/api/tenant/v1/cash-flow-reports",
];

type View = "pas.report.account-daily.view" | "pas.report.merchant-daily.view" | "pas.report.cash-flow.view";

const summary = <const P extends View>(base: string, permission: P) =>
  ({
    method: "GET",
    path: `${base}/summary`,
    permission,
    currency: true,
    query: z.strictObject({ ...period, against_from: Day.optional(), against_to: Day.optional() }),
    reads: "much",
    answer: ReportSummary,
  }) as const;

const entries = <const P extends View>(base: string, permission: P) =>
  ({
    method: "GET",
    path: `${base}/entries`,
    permission,
    currency: true,
    query: z.strictObject({ ...period, figure: z.enum(reportFigures) }),
    reads: "much",
    answer: ReportEntries,
  }) as const;

export const accountDayRoutes = defineRoutes({
  ...recordRoutes(accountBase, "pas.report.account-daily", {
    one: "AccountDay",
    many: "AccountDays",
    currency: true,
    columns: accountDayColumns,
    row: AccountDay,
    detail: z.object({ row: AccountDay }),
  }),
  summarizeAccountDays: summary(accountBase, "pas.report.account-daily.view"),
  listAccountDayEntries: entries(accountBase, "pas.report.account-daily.view"),
});

export const merchantDayRoutes = defineRoutes({
  ...recordRoutes(merchantBase, "pas.report.merchant-daily", {
    one: "MerchantDay",
    many: "MerchantDays",
    currency: true,
    columns: merchantDayColumns,
    row: MerchantDay,
    detail: z.object({ row: MerchantDay }),
  }),
  summarizeMerchantDays: summary(merchantBase, "pas.report.merchant-daily.view"),
  listMerchantDayEntries: entries(merchantBase, "pas.report.merchant-daily.view"),
});

export const cashFlowRoutes = defineRoutes({
  ...recordRoutes(cashBase, "pas.report.cash-flow", {
    one: "CashFlowDay",
    many: "CashFlowDays",
    currency: true,
    columns: cashFlowColumns,
    row: CashFlowDay,
    detail: CashFlowDetail,
  }),
  summarizeCashFlow: summary(cashBase, "pas.report.cash-flow.view"),
  listCashFlowEntries: entries(cashBase, "pas.report.cash-flow.view"),
});
