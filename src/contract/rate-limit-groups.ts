import { z } from "zod";
import { inCurrency } from "./amounts.ts";
import { control, Linked } from "./controls.ts";
import { defineColumns } from "./record-columns.ts";
import { recordRoutes } from "./record-routes.ts";
import { RecordEvent } from "./records.ts";
import { defineRoutes } from "./route.ts";
import { Amount, Instant, Name, PositiveAmount, Uuid, Uuids, Version } from "./wire.ts";

/** account: all deposits (withdrawals) of one payment account · member: those of one customer of a merchant, whatever account takes them. */
export const rateScopes = ["account", "member"] as const;
export type RateScope = (typeof rateScopes)[number];

/** What a limit bounds: transactions in its window, what they come to, or the amount of each. */
export const rateRules = ["max_count", "turnover", "max_amount"] as const;
export type RateRule = (typeof rateRules)[number];

/** The longest window: 31 days of minutes. */
const longestWindow = 44_640;
const highestCount = 1_000_000;
/** Most accounts of one group. */
const most = 200;

export const rateGroupStatuses = ["active", "inactive"] as const;

/** The limits of a row; null: none. Deposits and withdrawals are counted each by themselves. */
const limits = {
  account_window_minutes: z.int().nullable(),
  account_max_count: z.int().nullable(),
  account_turnover: Amount.nullable(),
  account_max_amount: Amount.nullable(),
  member_window_minutes: z.int().nullable(),
  member_max_count: z.int().nullable(),
  member_turnover: Amount.nullable(),
  member_max_amount: Amount.nullable(),
};

export const RateLimitGroup = z.object({
  uuid: Uuid,
  version: Version,
  name: z.string(),
  currency: z.string(),
  /** inactive: it refuses nothing, and still tells what is used. */
  status: z.enum(rateGroupStatuses),
  ...limits,
  account_count: z.int(),
  created_at: Instant,
  updated_at: Instant,
});
export type RateLimitGroup = z.infer<typeof RateLimitGroup>;

const RateLimitGroupDetail = z.object({ row: RateLimitGroup, accounts: z.array(Linked), history: z.array(RecordEvent) });
export type RateLimitGroupDetail = z.infer<typeof RateLimitGroupDetail>;

const Minutes = z.int().min(1).max(longestWindow).nullable().meta(control("minutes"));
const Count = z.int().min(1).max(highestCount).nullable().meta(control("count"));
const Most = inCurrency(PositiveAmount.meta(control("amount"))).nullable();

/** Any part of the limits; a scope with a limit needs its window. A group belongs to the currency of the request that creates it. */
export const RateLimitGroupForm = z.strictObject({
  name: Name(60),
  account_window_minutes: Minutes,
  account_max_count: Count,
  account_turnover: Most,
  account_max_amount: Most,
  member_window_minutes: Minutes,
  member_max_count: Count,
  member_turnover: Most,
  member_max_amount: Most,
});
export type RateLimitGroupForm = z.infer<typeof RateLimitGroupForm>;

/** The accounts a group limits; an account of another group leaves that one. */
export const RateLimitAccounts = z.strictObject({
  version: Version,
  accounts: z.array(Uuid).max(most).meta(control("references", "payment-accounts")),
});

/** The field by which the form of a payment account chooses its group; null: none; left out: it stays as it is. */
export const RateLimitGroupOf = Uuid.optional().nullable().meta(control("reference", "rate-limit-groups"));

/** What one account, or one customer, has used of a scope's window by one kind of transactions. */
const Usage = z.object({
  /** Of the account, or of the customer's name at the merchant. */
  uuid: z.string(),
  kind: z.enum(["deposit", "withdrawal"]),
  /** The account's code, or the customer's id at the merchant. */
  name: z.string(),
  /** The account's holder, or the merchant. */
  of: z.string(),
  count: z.int(),
  /** Of these, not decided yet: they give nothing back by time. */
  open: z.int(),
  amount: Amount,
  /** What is left of each limit; null: there is no such limit. */
  left_count: z.int().nullable(),
  left_amount: Amount.nullable(),
  /** The next transaction would be refused whatever its amount. */
  reached: z.boolean(),
  /** When the oldest use leaves the window and gives back what it took; null: all that is used is open. */
  resets_at: Instant.nullable(),
  last_at: Instant,
});
export type RateUsage = z.infer<typeof Usage>;

/** Rows of a scope in one answer, newest first. */
export const mostUsage = 200;

export const RateLimitUsage = z.object({
  /** Left out of `rows` where there are more. */
  accounts: z.object({ rows: z.array(Usage), more: z.boolean() }),
  members: z.object({ rows: z.array(Usage), more: z.boolean() }),
  at: Instant,
});
export type RateLimitUsage = z.infer<typeof RateLimitUsage>;

/** What limits would refuse if they held now: the accounts and customers whose window is used up, and uses of more than one may be. */
const Reached = z.object({
  accounts: z.object({ count: z.int(), codes: z.array(z.string()) }),
  members: z.int(),
  larger: z.int(),
});
export type RateLimitsReached = z.infer<typeof Reached>;

export const rateLimitGroupColumns = defineColumns({
  name: { filter: "part", most: 60, sort: true, find: "part" },
  status: { filter: "choices", of: rateGroupStatuses },
  created_at: { filter: "time", sort: true },
  updated_at: { filter: "time", sort: true },
});

const base = "/service/payment/api/tenant/v1/rate-limit-groups";
const params = z.strictObject({ uuid: Uuid });
const asked = (schema: z.ZodNullable<z.ZodNumber>) => z.coerce.number().pipe(schema.unwrap()).optional();

export const rateLimitGroupRoutes = defineRoutes({
  ...recordRoutes(base, "pas.rate-limit.groups", {
    one: "RateLimitGroup",
    many: "RateLimitGroups",
    currency: true,
    stepUp: true,
    columns: rateLimitGroupColumns,
    row: RateLimitGroup,
    detail: RateLimitGroupDetail,
    create: RateLimitGroupForm,
    update: RateLimitGroupForm,
    status: rateGroupStatuses,
    remove: true,
  }),
  assignRateLimitAccounts: {
    method: "PUT",
    path: `${base}/{uuid}/accounts`,
    permission: "pas.rate-limit.groups.assign",
    stepUp: true,
    currency: true,
    params,
    body: RateLimitAccounts,
    answer: RateLimitGroup,
    refuses: ["record.stale"],
  },
  readRateLimitUsage: {
    method: "GET",
    path: `${base}/{uuid}/usage`,
    permission: "pas.rate-limit.groups.view",
    currency: true,
    params,
    answer: RateLimitUsage,
  },
  /** Before they are saved: limits as they would be, for the accounts named or else those of the group. */
  readRateLimitsReached: {
    method: "GET",
    path: `${base}/reached`,
    permission: "pas.rate-limit.groups.view",
    currency: true,
    query: z.strictObject({
      group: Uuid.optional(),
      accounts: Uuids.optional(),
      account_window_minutes: asked(Minutes),
      account_max_count: asked(Count),
      account_turnover: PositiveAmount.optional(),
      account_max_amount: PositiveAmount.optional(),
      member_window_minutes: asked(Minutes),
      member_max_count: asked(Count),
      member_turnover: PositiveAmount.optional(),
      member_max_amount: PositiveAmount.optional(),
    }),
    answer: Reached,
  },
});
