import { paymentAccountHandlers } from "./accounts/payment-accounts.ts";
import { login, logout, readConfig, readContext, readProfile, refreshToken } from "./auth/handlers.ts";
import type { routes } from "../contract/index.ts";
import { merchantHandlers } from "./merchant-api/handlers.ts";
import { tenantMerchantHandlers } from "./merchants/merchants.ts";
import type { MountedHandler, UserCall } from "./mount.ts";
import { depositHandlers } from "./payments/deposits.ts";
import { notificationHandlers } from "./payments/notifications.ts";
import { withdrawalHandlers } from "./payments/withdrawals.ts";
import { preferenceHandlers } from "./preferences/handlers.ts";
import { searchHandlers } from "./search/search.ts";

/** Every route's handler; a route without one does not compile. */
export const handlers = {
  login,
  refreshToken,
  async logout(call: UserCall) {
    call.forget();
    return logout(call.house, call.session);
  },
  readContext,
  readProfile,
  readConfig,
  ...preferenceHandlers,
  ...notificationHandlers,
  ...searchHandlers,
  ...withdrawalHandlers,
  ...depositHandlers,
  ...tenantMerchantHandlers,
  ...paymentAccountHandlers,
  ...merchantHandlers,
} satisfies Record<keyof typeof routes, MountedHandler>;
