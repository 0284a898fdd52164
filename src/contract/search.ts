import { z } from "zod";
import { merchantStatuses } from "./merchants.ts";
import { shownAccountStatuses } from "./payment-accounts.ts";
import { defineRoutes } from "./route.ts";
import { transactionStatuses } from "./transactions.ts";
import { Amount, Uuid } from "./wire.ts";

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
  /** Of a transaction, or an account's balance; null: none. */
  amount: Amount.nullable(),
  currency: z.string(),
  status: z.enum([...new Set([...transactionStatuses, ...merchantStatuses, ...shownAccountStatuses])]),
});
export type Found = z.infer<typeof Found>;

export const searchRoutes = defineRoutes({
  /**
   * Exact ids first, then a number's last characters (six at least), then beginnings of names and codes; at most 12 of a kind, of the
   * kinds the caller may view. `q`: at least 2 characters.
   */
  search: {
    method: "GET",
    path: "/service/payment/api/tenant/v1/search",
    permission: [searchPermissions.withdrawal, searchPermissions.deposit, searchPermissions.merchant, searchPermissions["payment-account"]],
    currency: true,
    query: z.strictObject({ q: z.string().trim().min(2).max(100) }),
    answer: z.array(Found),
  },
});
