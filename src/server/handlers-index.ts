import { paymentAccountHandlers } from "./accounts/payment-accounts.ts";
import { auditLogHandlers } from "./audit/audit-log.ts";
import { login, logout, readConfig, readContext, readProfile, refreshToken, signInTwoFactor, stepUp } from "./auth/handlers.ts";
import { profileHandlers } from "./auth/profile.ts";
import { forgotPassword, resetPassword } from "./auth/reset.ts";
import { twoFactorHandlers } from "./auth/two-factor-handlers.ts";
import { bankTransactionHandlers } from "./bank-lines/bank-lines.ts";
import { bankNoticeHandlers } from "./bank-lines/notices.ts";
import { bankImportHandlers } from "./bank-lines/imports.ts";
import type { routes } from "../contract/index.ts";
import { exportHandlers } from "./exports/exports.ts";
import { receiptHandlers } from "./files/receipt-handlers.ts";
import { outgoingMailHandlers } from "./mail/mails.ts";
import { merchantHandlers } from "./merchant-api/handlers.ts";
import { tenantMerchantHandlers } from "./merchants/merchants.ts";
import { gameImportHandlers } from "./game-provider/game-imports.ts";
import { merchantProviderHandlers } from "./game-provider/merchant-providers.ts";
import { providerGameHandlers } from "./game-provider/provider-games.ts";
import type { MountedHandler } from "./mount.ts";
import { merchantCallbackHandlers } from "./outbox/callbacks.ts";
import { depositHandlers } from "./payments/deposits.ts";
import { paymentGroupHandlers } from "./payment-groups/payment-groups.ts";
import { payoutFileHandlers } from "./payout-files/payout-files.ts";
import { payoutTemplateHandlers } from "./payout-files/payout-templates.ts";
import { notificationHandlers } from "./payments/notifications.ts";
import { payoutHandlers } from "./payouts/payouts.ts";
import { transferHandlers } from "./transfers/transfers.ts";
import { withdrawalHandlers } from "./payments/withdrawals.ts";
import { pinHandlers, preferenceHandlers } from "./preferences/handlers.ts";
import { liveBalanceHandlers } from "./live-balances/live-balances.ts";
import { rateLimitGroupHandlers } from "./rate-limits/rate-limit-groups.ts";
import { dashboardHandlers } from "./reports/dashboard.ts";
import { accountDayHandlers, cashFlowHandlers, merchantDayHandlers } from "./reports/reports.ts";
import { searchHandlers } from "./search/search.ts";
import { currencyHandlers } from "./settings/currencies.ts";
import { settingHandlers } from "./settings/handlers.ts";
import { acceptInvitation, acceptWithPassword, readInvitation } from "./users/invitations.ts";
import { masterAccountHandlers } from "./game-provider/master-accounts.ts";
import { downtimeHandlers } from "./game-provider/downtimes.ts";
import { scoreWatcherHandlers } from "./game-provider/score-watchers.ts";
import { shiftHandlers } from "./shifts/shifts.ts";
import { firstStepHandlers } from "./tenants/first-steps.ts";
import { userGroupHandlers } from "./users/user-groups.ts";
import { userHandlers } from "./users/users.ts";
import { accountTransactionHandlers, merchantTransactionHandlers } from "./statements/statements.ts";
import { vendorCategoryHandlers } from "./vendors/vendor-categories.ts";
import { vendorItemHandlers } from "./vendors/vendor-items.ts";
import { vendorHandlers } from "./vendors/vendors.ts";

/** The handlers of all routes; a route without one does not compile. */
export const handlers = {
  login,
  signInTwoFactor,
  forgotPassword,
  resetPassword,
  stepUp,
  refreshToken,
  logout,
  readContext,
  readProfile,
  readConfig,
  ...profileHandlers,
  ...twoFactorHandlers,
  ...outgoingMailHandlers,
  ...preferenceHandlers,
  ...pinHandlers,
  ...notificationHandlers,
  ...searchHandlers,
  ...withdrawalHandlers,
  ...payoutHandlers,
  ...transferHandlers,
  ...depositHandlers,
  ...shiftHandlers,
  ...payoutTemplateHandlers,
  ...payoutFileHandlers,
  ...receiptHandlers,
  ...bankTransactionHandlers,
  ...tenantMerchantHandlers,
  ...merchantTransactionHandlers,
  ...merchantCallbackHandlers,
  ...accountTransactionHandlers,
  ...accountDayHandlers,
  ...merchantDayHandlers,
  ...cashFlowHandlers,
  ...paymentAccountHandlers,
  ...paymentGroupHandlers,
  ...rateLimitGroupHandlers,
  ...liveBalanceHandlers,
  ...merchantHandlers,
  ...dashboardHandlers,
  ...exportHandlers,
  ...settingHandlers,
  ...currencyHandlers,
  ...firstStepHandlers,
  ...vendorHandlers,
  ...vendorCategoryHandlers,
  ...vendorItemHandlers,
  ...bankImportHandlers,
  ...merchantProviderHandlers,
  ...providerGameHandlers,
  ...gameImportHandlers,
  ...bankNoticeHandlers,
  ...auditLogHandlers,
  ...userHandlers,
  ...userGroupHandlers,
  ...masterAccountHandlers,
  ...scoreWatcherHandlers,
  ...downtimeHandlers,
  readInvitation,
  acceptInvitation,
  acceptWithPassword,
} satisfies Record<keyof typeof routes, MountedHandler>;
