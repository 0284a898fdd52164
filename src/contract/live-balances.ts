import { z } from "zod";
import { StatementBalance } from "./bank-transactions.ts";
import { Linked } from "./controls.ts";
import { accountStates, accountTypes, PaymentAccount, shownAccountStatuses } from "./payment-accounts.ts";
import { RecordEvent } from "./records.ts";
import { defineRoutes } from "./route.ts";
import { transactionStatuses } from "./transactions.ts";
import { Amount, choices, Instant, ListMeta, longestSearch, Texts, Uuid, Uuids } from "./wire.ts";

/** Open transactions of an account and what they would move. */
const Open = z.object({ count: z.int(), amount: Amount });

/** A payment account with what uses it at this moment. */
export const LiveBalance = PaymentAccount.extend({
  critical_since: Instant.nullable(),
  /** Open deposits on it, and pending transfers that will arrive. */
  open_in: Open,
  /** Open withdrawals a first approver chose it for, and pending transfers that will leave it. */
  open_out: Open,
  /** When the newest line of its bank came in; null: none yet. */
  read_at: Instant.nullable(),
});
export type LiveBalance = z.infer<typeof LiveBalance>;

/** Minutes between two points of a day's course. */
export const pointMinutes = 15;

/** The course of an account's balance over the currency's day: at its start, and at the end of each quarter of an hour begun so far. */
const LiveDay = z.object({ uuid: Uuid, opening: Amount, points: z.array(Amount) });
export type LiveDay = z.infer<typeof LiveDay>;

/** What is open on an account: a row of another screen. */
const OpenItem = z.object({
  uuid: Uuid,
  kind: z.enum(["deposit", "withdrawal", "transfer"]),
  status: z.enum(transactionStatuses),
  txn_no: z.string(),
  /** The customer; of a transfer the other account, or the merchant. */
  party: z.string(),
  /** What the account gains, or with a minus loses. */
  amount: Amount,
  created_at: Instant,
});
export type OpenItem = z.infer<typeof OpenItem>;

/** Items in one answer, the oldest first. */
export const mostItems = 50;

const BankState = z.object({
  /** Its newest line; with a minus where money left. */
  last: z.object({ uuid: Uuid, time: Instant, text: z.string(), amount: Amount, imported_at: Instant }),
  /** Its newest line that tells the bank's balance, beside the ledger's at that moment; null: no line does. */
  balance: StatementBalance.nullable(),
  /** Lines matched to nothing. */
  unmatched: z.int(),
});

export const LiveBalanceDetail = z.object({
  row: LiveBalance,
  /** Left out are those of a kind the caller may not see; `more`: there are further ones. */
  items: z.array(OpenItem),
  more: z.boolean(),
  day_in: Amount,
  day_out: Amount,
  rate_limit_group: Linked.nullable(),
  /** null: none yet, or the caller may not see bank lines. */
  bank: BankState.nullable(),
  history: z.array(RecordEvent),
});
export type LiveBalanceDetail = z.infer<typeof LiveBalanceDetail>;

/** When the used part of the limits begins anew, in the currency's zone, and what the accounts come to where that is asked for. */
export const LiveMeta = z.object({
  at: Instant,
  day_starts_at: Instant,
  day_ends_at: Instant,
  month_ends_at: Instant,
  ...ListMeta.pick({ count: true, sums: true, oldest_at: true }).shape,
});
export type LiveMeta = z.infer<typeof LiveMeta>;

const base = "/service/payment/api/tenant/v1/payment-account-live-balances";
const common = { method: "GET", permission: "pas.account.accounts.view", currency: true } as const;
const query = z.strictObject({ "filter[uuid]": Uuids.optional() });

/** Which accounts a view shows. */
export const shows = ["attention", "pays", "takes", "unread"] as const;
export type Show = (typeof shows)[number];

/** As every list is asked, but that all accounts are there at once. */
const LiveQuery = query.extend({
  q: z.string().trim().max(longestSearch).optional(),
  "filter[show]": choices(shows).optional(),
  "filter[bank]": Texts(100).optional(),
  "filter[type]": choices(accountTypes).optional(),
  "filter[state]": choices(accountStates).optional(),
  "filter[status]": choices(shownAccountStatuses).optional(),
  /** Left out: by their codes. */
  sort: z.literal("created_at").optional(),
  /** Left out: all. */
  limit: z.coerce.number().int().min(1).max(500).optional(),
  /** "count", "sums" (their balances) and "oldest", as of every list. */
  with: z.string().max(40).optional(),
});
export type LiveQuery = z.infer<typeof LiveQuery>;

export const liveBalanceRoutes = defineRoutes({
  /** All accounts of the currency, or those named or filtered. */
  listLiveBalances: { ...common, path: base, query: LiveQuery, answer: z.array(LiveBalance), meta: LiveMeta },
  listLiveDays: { ...common, path: `${base}/days`, query, answer: z.array(LiveDay), meta: LiveMeta },
  readLiveBalance: { ...common, path: `${base}/{uuid}`, params: z.strictObject({ uuid: Uuid }), answer: LiveBalanceDetail },
});
