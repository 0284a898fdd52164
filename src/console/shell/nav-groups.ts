import type { ScreenName } from "../../contract/screens.ts";
import type { ChangeEventName } from "../../contract/notifications.ts";
import type { IconName } from "../kit/icon.tsx";

export interface NavItem {
  readonly screen: ScreenName;
  readonly icon: IconName;
  /** The count shown at its corner. */
  readonly count?: ChangeEventName;
}

/** The rail, in groups; `last` stands at its foot. */
export const navGroups: readonly (readonly NavItem[])[] = [
  [
    { screen: "dashboard", icon: "dash" },
    { screen: "deposits", icon: "dep", count: "deposit" },
    { screen: "withdrawals", icon: "wd", count: "withdraw" },
    { screen: "bank-transactions", icon: "bank" },
  ],
  [
    { screen: "payment-accounts", icon: "acct", count: "paymentAccount" },
    { screen: "payment-account-live-balances", icon: "pulse" },
    { screen: "payment-groups", icon: "box" },
    { screen: "payment-account-transactions", icon: "ledger" },
    { screen: "merchants", icon: "store" },
    { screen: "merchant-transactions", icon: "ledger" },
  ],
  [
    { screen: "payment-account-daily-reports", icon: "bars" },
    { screen: "merchant-daily-reports", icon: "bars" },
    { screen: "cash-flow-reports", icon: "flow" },
    { screen: "rate-limit-groups", icon: "gauge" },
  ],
  [
    { screen: "users", icon: "users" },
    { screen: "user-groups", icon: "users" },
    { screen: "vendors", icon: "box" },
    { screen: "vendor-categories", icon: "box" },
    { screen: "vendor-items", icon: "box" },
    { screen: "game-merchants", icon: "game" },
    { screen: "master-accounts", icon: "game" },
    { screen: "downtime-schedule", icon: "game" },
    { screen: "score-watchers", icon: "game" },
  ],
];

export const navLast: NavItem = { screen: "setting", icon: "sett" };
