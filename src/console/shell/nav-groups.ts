import type { ChangeEventName } from "../../contract/notifications.ts";
import type { ScreenName } from "../../contract/screens.ts";

/** The rail, in groups. */
export const navGroups: readonly (readonly ScreenName[])[] = [
  ["dashboard", "deposits", "withdrawals", "bank-transactions"],
  [
    "payment-accounts",
    "payment-account-live-balances",
    "payment-groups",
    "payment-account-transactions",
    "merchants",
    "merchant-transactions",
  ],
  ["payment-account-daily-reports", "merchant-daily-reports", "cash-flow-reports", "rate-limit-groups"],
  [
    "users",
    "user-groups",
    "vendors",
    "vendor-categories",
    "vendor-items",
    "game-merchants",
    "master-accounts",
    "downtime-schedule",
    "score-watchers",
  ],
];

/** Stands at the rail's foot. */
export const navLast: ScreenName = "setting";

/** The count at an item's corner. */
export const navCounts: Readonly<Partial<Record<ScreenName, ChangeEventName>>> = {
  deposits: "deposit",
  withdrawals: "withdraw",
  "payment-accounts": "paymentAccount",
};
