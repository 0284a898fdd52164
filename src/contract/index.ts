import { currencyRoutes } from "./currencies.ts";
import { dashboardRoutes } from "./dashboard.ts";
import type { Deposit } from "./deposits.ts";
import { depositRoutes } from "./deposits.ts";
import { exportRoutes } from "./exports.ts";
import { merchantRoutes } from "./merchant-api.ts";
import type { Merchant } from "./merchants.ts";
import { tenantMerchantRoutes } from "./merchants.ts";
import { notificationRoutes } from "./notifications.ts";
import { outgoingMailRoutes } from "./outgoing-mails.ts";
import type { PaymentAccount } from "./payment-accounts.ts";
import { paymentAccountRoutes } from "./payment-accounts.ts";
import { preferenceRoutes } from "./preferences.ts";
import { profileRoutes } from "./profile.ts";
import { searchRoutes } from "./search.ts";
import { sessionRoutes } from "./session.ts";
import { settingRoutes } from "./settings.ts";
import { twoFactorRoutes } from "./two-factor.ts";
import type { Withdrawal } from "./withdrawals.ts";
import { withdrawalRoutes } from "./withdrawals.ts";

/** Every route of the product. */
export const routes = {
  ...sessionRoutes,
  ...profileRoutes,
  ...twoFactorRoutes,
  ...outgoingMailRoutes,
  ...preferenceRoutes,
  ...notificationRoutes,
  ...searchRoutes,
  ...withdrawalRoutes,
  ...depositRoutes,
  ...tenantMerchantRoutes,
  ...paymentAccountRoutes,
  ...merchantRoutes,
  ...dashboardRoutes,
  ...exportRoutes,
  ...settingRoutes,
  ...currencyRoutes,
};
export type RouteName = keyof typeof routes;

/** What panes show and commands act on: subject → row type. */
export interface Subjects {
  withdrawal: Withdrawal;
  deposit: Deposit;
  merchant: Merchant;
  "payment-account": PaymentAccount;
}
export type SubjectName = keyof Subjects;
