import { z } from "zod";
import type { Permission } from "./permissions.ts";
import { defineRoutes } from "./route.ts";

const noted = <P extends Permission>(screen: string, permission: P) =>
  ({
    method: "POST",
    path: `/service/payment/api/tenant/v1/exports/${screen}`,
    permission,
    currency: true,
    body: z.strictObject({
      rows: z.int().min(1).max(1_000_000),
      /** Search parameters of the screen, without record. */
      filter: z.record(z.string().max(40), z.string().max(500)),
    }),
    answer: z.object({}),
  }) as const;

/** Rows leave the product as a file: noted in the audit log before the file is made. */
export const exportRoutes = defineRoutes({
  exportWithdrawals: noted("withdrawals", "pas.transaction.withdrawals.export"),
  exportMerchants: noted("merchants", "pas.merchant.merchants.export"),
  exportPaymentAccounts: noted("payment-accounts", "pas.account.accounts.export"),
});
