import { z } from "zod";
import { merchantStatuses } from "./merchants.ts";
import { shownAccountStatuses } from "./payment-accounts.ts";
import { defineRoutes } from "./route.ts";
import { transactionStatuses } from "./transactions.ts";
import { Amount, Instant, longestSearch, Uuid } from "./wire.ts";

/** What the one search box finds, by kind. */
export const searchKinds = ["withdrawal", "deposit", "merchant", "payment-account"] as const;

export const searchPermissions = {
  withdrawal: "pas.transaction.withdrawals.view",
  deposit: "pas.transaction.deposits.view",
  merchant: "pas.merchant.merchants.view",
  "payment-account": "pas.account.accounts.view",
} as const;

export const Found = z.object({
  kind: z.enum(searchKinds),
  uuid: Uuid,
  /** Number or code, as it is written. */
  name: z.string(),
  /** Customer, merchant's name or holder. */
  note: z.string(),
  /** Code of a transaction's merchant. */
  merchant: z.string().nullable(),
  /** Of a transaction. */
  created_at: Instant.nullable(),
  /** Of a transaction, or an account's balance; null: none. */
  amount: Amount.nullable(),
  currency: z.string(),
  status: z.enum([...new Set([...transactionStatuses, ...merchantStatuses, ...shownAccountStatuses])]),
});
export type Found = z.infer<typeof Found>;

export const searchRoutes = defineRoutes({
  /**
   * Exact ids first, then a number's last characters (six of a transaction's, four of an account's), beginnings of names and codes,
   * words of names, and where there are none words that differ by one letter; without regard to case and accents. At most 12 of a kind,
   * of the kinds the caller may view. `q`: at least 2 characters; several ids may be given, parted by blanks or commas.
   */
  search: {
    method: "GET",
    path: "/service/payment/api/tenant/v1/search",
    permission: [searchPermissions.withdrawal, searchPermissions.deposit, searchPermissions.merchant, searchPermissions["payment-account"]],
    currency: true,
    query: z.strictObject({ q: z.string().trim().min(2).max(longestSearch) }),
    answer: z.array(Found),
  },
});
