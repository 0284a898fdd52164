import type { AuditEntry } from "./audit-log.ts";
import { auditLogRoutes } from "./audit-log.ts";
import { firstStepRoutes } from "./first-steps.ts";
import type { BankLine, Payer } from "./bank-transactions.ts";
import { bankTransactionRoutes } from "./bank-transaction-routes.ts";
import { bankImportRoutes } from "./bank-imports.ts";
import { bankNoticeRoutes } from "./bank-notices.ts";
import { currencyRoutes } from "./currencies.ts";
import { dashboardRoutes } from "./dashboard.ts";
import type { Deposit } from "./deposits.ts";
import { depositRoutes } from "./deposit-routes.ts";
import { exportRoutes } from "./exports.ts";
import { liveBalanceRoutes } from "./live-balances.ts";
import { invitationRoutes } from "./invitations.ts";
import { merchantRoutes } from "./merchant-api.ts";
import type { MasterAccount } from "./master-accounts.ts";
import { masterAccountRoutes } from "./master-accounts.ts";
import type { MerchantCallback } from "./merchant-callbacks.ts";
import { merchantCallbackRoutes } from "./merchant-callbacks.ts";
import type { GameMerchant, MerchantProvider } from "./merchant-providers.ts";
import { gameImportRoutes } from "./game-imports.ts";
import { merchantProviderRoutes } from "./merchant-providers.ts";
import type { ProviderGame } from "./provider-games.ts";
import { providerGameRoutes } from "./provider-games.ts";
import type { Merchant } from "./merchants.ts";
import { tenantMerchantRoutes } from "./merchants.ts";
import { notificationRoutes } from "./notifications.ts";
import { outgoingMailRoutes } from "./outgoing-mails.ts";
import type { PaymentAccount } from "./payment-accounts.ts";
import { paymentAccountRoutes } from "./payment-accounts.ts";
import { payoutFileRoutes } from "./payout-files.ts";
import type { PayoutTemplate } from "./payout-templates.ts";
import { payoutTemplateRoutes } from "./payout-templates.ts";
import type { PaymentGroup } from "./payment-groups.ts";
import { paymentGroupRoutes } from "./payment-groups.ts";
import { payoutRoutes } from "./payouts.ts";
import { pinRoutes } from "./pins.ts";
import { preferenceRoutes } from "./preferences.ts";
import { profileRoutes } from "./profile.ts";
import type { Downtime } from "./downtimes.ts";
import { downtimeRoutes } from "./downtimes.ts";
import type { RateLimitGroup } from "./rate-limit-groups.ts";
import { rateLimitGroupRoutes } from "./rate-limit-groups.ts";
import { receiptRoutes } from "./receipts.ts";
import type { ScoreWatcher } from "./score-watchers.ts";
import { scoreWatcherRoutes } from "./score-watchers.ts";
import type { AccountDay, CashFlowDay, MerchantDay } from "./reports.ts";
import { accountDayRoutes, cashFlowRoutes, merchantDayRoutes } from "./reports.ts";
import { searchRoutes } from "./search.ts";
import { sessionRoutes } from "./session.ts";
import { settingRoutes } from "./settings.ts";
import { shiftRoutes } from "./shifts.ts";
import type { StatementLine } from "./statements.ts";
import { accountTransactionRoutes, merchantTransactionRoutes } from "./statements.ts";
import type { Transfer } from "./transfers.ts";
import { transferRoutes } from "./transfers.ts";
import { twoFactorRoutes } from "./two-factor.ts";
import type { UserGroup } from "./user-groups.ts";
import { userGroupRoutes } from "./user-groups.ts";
import type { User } from "./users.ts";
import { userRoutes } from "./users.ts";
import type { VendorCategory } from "./vendor-categories.ts";
import { vendorCategoryRoutes } from "./vendor-categories.ts";
import type { VendorItem } from "./vendor-items.ts";
import { vendorItemRoutes } from "./vendor-items.ts";
import type { Vendor } from "./vendors.ts";
import { vendorRoutes } from "./vendors.ts";
import type { Withdrawal } from "./withdrawals.ts";
import { withdrawalRoutes } from "./withdrawals.ts";

/** Every route of the product. */
export const routes = {
  ...sessionRoutes,
  ...profileRoutes,
  ...twoFactorRoutes,
  ...outgoingMailRoutes,
  ...preferenceRoutes,
  ...pinRoutes,
  ...notificationRoutes,
  ...searchRoutes,
  ...withdrawalRoutes,
  ...payoutRoutes,
  ...transferRoutes,
  ...depositRoutes,
  ...shiftRoutes,
  ...payoutTemplateRoutes,
  ...payoutFileRoutes,
  ...receiptRoutes,
  ...bankTransactionRoutes,
  ...tenantMerchantRoutes,
  ...merchantTransactionRoutes,
  ...merchantCallbackRoutes,
  ...accountTransactionRoutes,
  ...accountDayRoutes,
  ...merchantDayRoutes,
  ...cashFlowRoutes,
  ...paymentAccountRoutes,
  ...paymentGroupRoutes,
  ...rateLimitGroupRoutes,
  ...liveBalanceRoutes,
  ...merchantRoutes,
  ...bankNoticeRoutes,
  ...dashboardRoutes,
  ...exportRoutes,
  ...settingRoutes,
  ...currencyRoutes,
  ...vendorRoutes,
  ...vendorCategoryRoutes,
  ...vendorItemRoutes,
  ...bankImportRoutes,
  ...merchantProviderRoutes,
  ...providerGameRoutes,
  ...gameImportRoutes,
  ...userRoutes,
  ...userGroupRoutes,
  ...invitationRoutes,
  ...auditLogRoutes,
  ...firstStepRoutes,
  ...masterAccountRoutes,
  ...scoreWatcherRoutes,
  ...downtimeRoutes,
};
export type RouteName = keyof typeof routes;

/** The row type of each subject, for what panes show and commands act on. */
export interface Subjects {
  withdrawal: Withdrawal;
  deposit: Deposit;
  "bank-line": BankLine;
  payer: Payer;
  merchant: Merchant;
  "merchant-transaction": StatementLine;
  "payment-account-transaction": StatementLine;
  "merchant-callback": MerchantCallback;
  "account-day": AccountDay;
  "merchant-day": MerchantDay;
  "cash-flow-day": CashFlowDay;
  "payment-account": PaymentAccount;
  vendor: Vendor;
  "vendor-category": VendorCategory;
  "vendor-item": VendorItem;
  "game-merchant": GameMerchant;
  "merchant-provider": MerchantProvider;
  "provider-game": ProviderGame;
  "payment-group": PaymentGroup;
  "payout-template": PayoutTemplate;
  transfer: Transfer;
  "rate-limit-group": RateLimitGroup;
  user: User;
  "user-group": UserGroup;
  "audit-entry": AuditEntry;
  "master-account": MasterAccount;
  "score-watcher": ScoreWatcher;
  downtime: Downtime;
}
export type SubjectName = keyof Subjects;
