import type { Permission, PermissionAction, PermissionArea } from "../../../contract/permissions.ts";
import type { MessageKey } from "../texts/messages.ts";
import type { text } from "../texts/texts.ts";
import { actionOf, areaOf, byArea } from "./rights.ts";

/** Each area by the name of its screen. */
const areaTexts = {
  profile: "screen.profile",
  dashboard: "screen.dashboard",
  "tenant-setting": "screen.setting",
  "audit-log": "screen.audit-log",
  "pas.merchant.merchants": "screen.merchants",
  "pas.merchant.transactions": "screen.merchant-transactions",
  "pas.account.accounts": "screen.payment-accounts",
  "pas.account.groups": "screen.payment-groups",
  "pas.account.transactions": "screen.payment-account-transactions",
  "pas.transaction.deposits": "screen.deposits",
  "pas.transaction.withdrawals": "screen.withdrawals",
  "pas.transaction.transfers": "screen.transfers",
  "pas.transaction.payout-templates": "screen.payout-templates",
  "pas.transaction.bank-transactions": "screen.bank-transactions",
  "pas.report.account-daily": "screen.payment-account-daily-reports",
  "pas.report.merchant-daily": "screen.merchant-daily-reports",
  "pas.report.cash-flow": "screen.cash-flow-reports",
  "pas.rate-limit.groups": "screen.rate-limit-groups",
  "cas.user.users": "screen.users",
  "cas.user.groups": "screen.user-groups",
  "vs.vendor.vendors": "screen.vendors",
  "vs.vendor.categories": "screen.vendor-categories",
  "vs.vendor.items": "screen.vendor-items",
  "gps.provider.master-accounts": "screen.master-accounts",
  "gps.provider.merchant-providers": "screen.merchant-providers",
  "gps.provider.games": "screen.provider-games",
  "gps.provider.downtime": "screen.downtime-schedule",
  "gps.provider.score-watchers": "screen.score-watchers",
} as const satisfies Readonly<Record<PermissionArea, MessageKey>>;

export const areaWord = (t: typeof text, area: PermissionArea): string => t(areaTexts[area]);
export const actionWord = (t: typeof text, action: PermissionAction): string => t(`permission.action.${action}`);

/** "Withdrawals: Recall, Take over" for each area. */
export const areaLines = (t: typeof text, all: readonly Permission[]): readonly string[] =>
  byArea(all).map(({ area, all: of }) =>
    t("permission.line", { area: areaWord(t, area), actions: of.map((one) => actionWord(t, actionOf(one))).join(", ") }),
  );

/** One by its name: "Withdrawals: Recall". */
export const rightWord = (t: typeof text, permission: Permission): string =>
  t("permission.line", { area: areaWord(t, areaOf(permission)), actions: actionWord(t, actionOf(permission)) });
