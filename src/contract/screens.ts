import type { Permission } from "./permissions.ts";
import type { SubjectName } from "./index.ts";

export interface Screen {
  /** With {name} for each record it is about. */
  readonly path: string;
  readonly permission: Permission | readonly [Permission, ...Permission[]];
  /** What its main grid lists, where it has one. */
  readonly subject: SubjectName | null;
  /** Second key of its `g` chord. */
  readonly key: string | null;
  /** Short codes the palette's ":" mode knows it by. */
  readonly codes: readonly string[];
}

/** The routes of the specification's point 2 that need no permission, with who may open them. */
export const pages = {
  login: { path: "/login", open: "everybody" },
  "forgot-password": { path: "/forgot-password", open: "everybody" },
  "reset-password": { path: "/reset-password", open: "everybody" },
  unauthorized: { path: "/unauthorized", open: "everybody" },
  "not-found": { path: "/not-found", open: "everybody" },
  "internal-server-error": { path: "/internal-server-error", open: "everybody" },
  offline: { path: "/offline", open: "everybody" },
  forbidden: { path: "/forbidden", open: "signed-in" },
  logout: { path: "/logout", open: "signed-in" },
} as const satisfies Record<string, { readonly path: string; readonly open: "everybody" | "signed-in" }>;

/**
 * Every signed-in screen of the specification's point 2. Title: `screen.<name>` in every language.
 * A screen not in console/screens/index.ts yet is routed nowhere and offered nowhere.
 */
export const screens = {
  dashboard: { path: "/dashboard", permission: "dashboard.view", subject: null, key: "h", codes: ["home"] },
  deposits: { path: "/payment/deposits", permission: "pas.transaction.deposits.view", subject: "deposit", key: "d", codes: ["dp"] },
  withdrawals: {
    path: "/payment/withdrawals",
    permission: "pas.transaction.withdrawals.view",
    subject: "withdrawal",
    key: "w",
    codes: ["wd"],
  },
  "bank-transactions": {
    path: "/payment/bank-transactions",
    permission: "pas.transaction.bank-transactions.view",
    subject: null,
    key: "b",
    codes: ["bt"],
  },
  "payment-accounts": {
    path: "/payment/payment-accounts",
    permission: "pas.account.accounts.view",
    subject: "payment-account",
    key: "a",
    codes: ["pa"],
  },
  "payment-account-live-balances": {
    path: "/payment/payment-account-live-balances",
    permission: "pas.account.accounts.view",
    subject: null,
    key: "l",
    codes: ["lb"],
  },
  "payment-groups": { path: "/payment/payment-groups", permission: "pas.account.groups.view", subject: null, key: "p", codes: ["pg"] },
  "payment-account-transactions": {
    path: "/payment/payment-account-transactions",
    permission: "pas.account.transactions.view",
    subject: null,
    key: "q",
    codes: ["at"],
  },
  merchants: { path: "/payment/merchants", permission: "pas.merchant.merchants.view", subject: "merchant", key: "m", codes: ["me"] },
  "merchant-transactions": {
    path: "/payment/merchant-transactions",
    permission: "pas.merchant.transactions.view",
    subject: null,
    key: "x",
    codes: ["mt"],
  },
  "payment-account-daily-reports": {
    path: "/payment/payment-account-daily-reports",
    permission: "pas.report.account-daily.view",
    subject: null,
    key: "r",
    codes: ["ar"],
  },
  "merchant-daily-reports": {
    path: "/payment/merchant-daily-reports",
    permission: "pas.report.merchant-daily.view",
    subject: null,
    key: "e",
    codes: ["mr"],
  },
  "cash-flow-reports": {
    path: "/payment/cash-flow-reports",
    permission: "pas.report.cash-flow.view",
    subject: null,
    key: "f",
    codes: ["cf"],
  },
  "rate-limit-groups": {
    path: "/payment/rate-limit-groups",
    permission: "pas.rate-limit.groups.view",
    subject: null,
    key: "k",
    codes: ["rl"],
  },
  users: { path: "/users", permission: "cas.user.users.view", subject: null, key: "u", codes: ["us"] },
  "user-groups": { path: "/user-groups", permission: "cas.user.groups.view", subject: null, key: "o", codes: ["ug"] },
  vendors: { path: "/vendors", permission: "vs.vendor.vendors.view", subject: null, key: "v", codes: ["ve"] },
  "vendor-categories": { path: "/vendor-categories", permission: "vs.vendor.categories.view", subject: null, key: null, codes: ["vc"] },
  "vendor-items": { path: "/vendor-items", permission: "vs.vendor.items.view", subject: null, key: null, codes: ["vi"] },
  "game-merchants": {
    path: "/game-provider/merchants",
    permission: "gps.provider.merchant-providers.view",
    subject: null,
    key: "i",
    codes: ["gm"],
  },
  "master-accounts": {
    path: "/game-provider/master-account",
    permission: "gps.provider.master-accounts.view",
    subject: null,
    key: "j",
    codes: ["ma"],
  },
  "master-account": {
    path: "/game-provider/master-account/{masterAccountUuid}",
    permission: "gps.provider.master-accounts.view",
    subject: null,
    key: null,
    codes: [],
  },
  "merchant-providers": {
    path: "/game-provider/merchants/{merchantUuid}/providers",
    permission: "gps.provider.merchant-providers.view",
    subject: null,
    key: null,
    codes: [],
  },
  "merchant-provider": {
    path: "/game-provider/merchants/{merchantUuid}/providers/{merchantProviderUuid}",
    permission: "gps.provider.merchant-providers.view",
    subject: null,
    key: null,
    codes: [],
  },
  "provider-games": {
    path: "/game-provider/merchant-providers/{merchantProviderUuid}/games",
    permission: "gps.provider.games.view",
    subject: null,
    key: null,
    codes: [],
  },
  "downtime-schedule": {
    path: "/game-provider/downtime-schedule",
    permission: "gps.provider.downtime.view",
    subject: null,
    key: "n",
    codes: ["ds"],
  },
  "score-watchers": {
    path: "/game-provider/score-watchers",
    permission: "gps.provider.score-watchers.view",
    subject: null,
    key: "z",
    codes: ["sw"],
  },
  setting: { path: "/setting", permission: "tenant-setting.view", subject: null, key: "s", codes: ["set"] },
  profile: { path: "/profile", permission: "profile.view", subject: null, key: "y", codes: ["pr"] },
  "profile-edit": { path: "/profile/edit", permission: "profile.update", subject: null, key: null, codes: ["pe"] },
} as const satisfies Record<string, Screen>;

export type ScreenName = keyof typeof screens;

/** Screens that can be gone to as they are; the others need a record. In navigation order. */
export const places = (Object.keys(screens) as ScreenName[]).filter((name) => !screens[name].path.includes("{")); // Object.keys widens
