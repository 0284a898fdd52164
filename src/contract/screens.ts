import type { Permission } from "./permissions.ts";
import type { SubjectName } from "./index.ts";

/** The groups of the navigation from top to bottom; the last stands at its foot. */
export const navGroups = ["work", "payments", "reports", "administration", "foot"] as const;
export type NavGroup = (typeof navGroups)[number];

export interface Screen {
  /** With {name} for each record in the path. */
  readonly path: string;
  readonly permission: Permission | readonly [Permission, ...Permission[]];
  /** The row type of its main grid; null: it has no grid. */
  readonly subject: SubjectName | null;
  /** The second key of its `g` chord. */
  readonly key: string | null;
  /** Its short codes in the palette's ":" mode. */
  readonly codes: readonly string[];
  /** The name of a kit icon. */
  readonly icon: string;
  /** Its navigation group, in the order of this table; left out: it is not in the navigation. */
  readonly group?: NavGroup;
  /** Search finds its records for users who may see the screen; a lower number comes first. */
  readonly found?: number;
  /** The permission to export its rows; left out: they cannot be exported. */
  readonly exports?: Permission;
  /** The address put beside it first where the page is split; left out: its own. */
  readonly beside?: string;
}

/** The paths that need no permission, of the specification's point 2 but for one, and who can open them. */
export const pages = {
  login: { path: "/login", open: "everybody" },
  "forgot-password": { path: "/forgot-password", open: "everybody" },
  "reset-password": { path: "/reset-password", open: "everybody" },
  /** An addition to the specification's: where a mailed invitation is accepted. */
  invitation: { path: "/invitation", open: "everybody" },
  unauthorized: { path: "/unauthorized", open: "everybody" },
  "not-found": { path: "/not-found", open: "everybody" },
  "internal-server-error": { path: "/internal-server-error", open: "everybody" },
  offline: { path: "/offline", open: "everybody" },
  forbidden: { path: "/forbidden", open: "signed-in" },
  logout: { path: "/logout", open: "signed-in" },
} as const satisfies Record<string, { readonly path: string; readonly open: "everybody" | "signed-in" }>;

/**
 * Every signed-in screen of the specification's point 2. Title: `screen.<name>` in every language.
 * A screen that console/screens/index.ts lacks has no route and is not offered anywhere.
 */
export const screens = {
  dashboard: {
    path: "/dashboard",
    permission: "dashboard.view",
    subject: null,
    key: "h",
    codes: ["home"],
    icon: "dashboard",
    group: "work",
  },
  deposits: {
    path: "/payment/deposits",
    permission: "pas.transaction.deposits.view",
    subject: "deposit",
    key: "d",
    codes: ["dp"],
    exports: "pas.transaction.deposits.export",
    beside: "/payment/bank-transactions",
    icon: "deposit",
    group: "work",
    found: 2,
  },
  withdrawals: {
    path: "/payment/withdrawals",
    permission: "pas.transaction.withdrawals.view",
    subject: "withdrawal",
    key: "w",
    codes: ["wd"],
    exports: "pas.transaction.withdrawals.export",
    icon: "withdrawal",
    group: "work",
    found: 1,
  },
  "bank-transactions": {
    path: "/payment/bank-transactions",
    permission: "pas.transaction.bank-transactions.view",
    subject: "bank-line",
    exports: "pas.transaction.bank-transactions.export",
    // all of them, because a line may belong to one in any state
    beside: "/payment/deposits?view=all",
    key: "b",
    codes: ["bt"],
    icon: "bank",
    group: "work",
    found: 12,
  },
  "payment-accounts": {
    path: "/payment/payment-accounts",
    permission: "pas.account.accounts.view",
    subject: "payment-account",
    key: "a",
    codes: ["pa"],
    exports: "pas.account.accounts.export",
    icon: "account",
    group: "payments",
    found: 4,
  },
  "payment-account-live-balances": {
    path: "/payment/payment-account-live-balances",
    permission: "pas.account.accounts.view",
    subject: "payment-account",
    key: "l",
    codes: ["lb"],
    exports: "pas.account.accounts.export",
    icon: "pulse",
    group: "payments",
  },
  transfers: {
    path: "/payment/transfers",
    permission: "pas.transaction.transfers.view",
    subject: "transfer",
    key: null,
    codes: ["tr"],
    exports: "pas.transaction.transfers.export",
    icon: "flow",
    group: "payments",
    found: 13,
  },
  "payment-groups": {
    path: "/payment/payment-groups",
    permission: "pas.account.groups.view",
    subject: "payment-group",
    key: "p",
    codes: ["pg"],
    exports: "pas.account.groups.export",
    icon: "groups",
    group: "payments",
    found: 14,
  },
  "payout-templates": {
    path: "/payment/payout-templates",
    permission: "pas.transaction.payout-templates.view",
    subject: "payout-template",
    key: null,
    codes: ["pt"],
    exports: "pas.transaction.payout-templates.export",
    icon: "receipt",
    group: "payments",
    found: 17,
  },
  "payment-account-transactions": {
    path: "/payment/payment-account-transactions",
    permission: "pas.account.transactions.view",
    subject: "payment-account-transaction",
    exports: "pas.account.transactions.export",
    key: "q",
    codes: ["at"],
    icon: "ledger",
    group: "payments",
  },
  merchants: {
    path: "/payment/merchants",
    permission: "pas.merchant.merchants.view",
    subject: "merchant",
    key: "m",
    codes: ["me", "mer"],
    exports: "pas.merchant.merchants.export",
    icon: "store",
    group: "payments",
    found: 3,
  },
  "merchant-transactions": {
    path: "/payment/merchant-transactions",
    permission: "pas.merchant.transactions.view",
    subject: "merchant-transaction",
    key: "x",
    codes: ["mt"],
    exports: "pas.merchant.transactions.export",
    icon: "wallet",
    group: "payments",
  },
  /** An addition to the specification's: what merchants were told of, and what did not reach them. */
  "merchant-callbacks": {
    path: "/payment/merchant-callbacks",
    permission: "pas.merchant.transactions.view",
    subject: "merchant-callback",
    key: null,
    codes: ["cb"],
    exports: "pas.merchant.transactions.export",
    icon: "link",
    group: "payments",
  },
  "payment-account-daily-reports": {
    path: "/payment/payment-account-daily-reports",
    permission: "pas.report.account-daily.view",
    subject: "account-day",
    exports: "pas.report.account-daily.export",
    key: "r",
    codes: ["ar"],
    icon: "bars",
    group: "reports",
  },
  "merchant-daily-reports": {
    path: "/payment/merchant-daily-reports",
    permission: "pas.report.merchant-daily.view",
    subject: "merchant-day",
    exports: "pas.report.merchant-daily.export",
    key: "e",
    codes: ["mr"],
    icon: "bars-on-line",
    group: "reports",
  },
  "cash-flow-reports": {
    path: "/payment/cash-flow-reports",
    permission: "pas.report.cash-flow.view",
    subject: "cash-flow-day",
    exports: "pas.report.cash-flow.export",
    key: "f",
    codes: ["cf"],
    icon: "wave",
    group: "reports",
  },
  "rate-limit-groups": {
    path: "/payment/rate-limit-groups",
    permission: "pas.rate-limit.groups.view",
    subject: "rate-limit-group",
    key: "k",
    codes: ["rl"],
    exports: "pas.rate-limit.groups.export",
    icon: "gauge",
    group: "reports",
    found: 15,
  },
  users: {
    path: "/users",
    permission: "cas.user.users.view",
    subject: "user",
    key: "u",
    codes: ["us"],
    exports: "cas.user.users.export",
    icon: "users",
    group: "administration",
    found: 8,
  },
  "user-groups": {
    path: "/user-groups",
    permission: "cas.user.groups.view",
    subject: "user-group",
    key: "o",
    codes: ["ug"],
    exports: "cas.user.groups.export",
    icon: "shield",
    group: "administration",
    found: 16,
  },
  /** An addition to the specification's: who did what. */
  "audit-log": {
    path: "/audit-log",
    permission: "audit-log.view",
    subject: "audit-entry",
    key: null,
    codes: ["al"],
    exports: "audit-log.export",
    icon: "lock",
    group: "administration",
  },
  vendors: {
    path: "/vendors",
    permission: "vs.vendor.vendors.view",
    subject: "vendor",
    key: "v",
    codes: ["ve"],
    exports: "vs.vendor.vendors.export",
    icon: "box",
    group: "administration",
    found: 5,
  },
  "vendor-categories": {
    path: "/vendor-categories",
    permission: "vs.vendor.categories.view",
    subject: "vendor-category",
    key: null,
    codes: ["vc"],
    exports: "vs.vendor.categories.export",
    icon: "folder",
    group: "administration",
    found: 6,
  },
  "vendor-items": {
    path: "/vendor-items",
    permission: "vs.vendor.items.view",
    subject: "vendor-item",
    key: null,
    codes: ["vi"],
    exports: "vs.vendor.items.export",
    icon: "tag",
    group: "administration",
    found: 7,
  },
  "game-merchants": {
    path: "/game-provider/merchants",
    permission: "gps.provider.merchant-providers.view",
    subject: "game-merchant",
    key: "i",
    codes: ["gm"],
    exports: "gps.provider.merchant-providers.export",
    icon: "game",
    group: "administration",
  },
  "master-accounts": {
    path: "/game-provider/master-account",
    permission: "gps.provider.master-accounts.view",
    subject: "master-account",
    key: "j",
    codes: ["ma"],
    exports: "gps.provider.master-accounts.export",
    icon: "user",
    group: "administration",
    found: 9,
  },
  "master-account": {
    path: "/game-provider/master-account/{masterAccountUuid}",
    permission: "gps.provider.master-accounts.view",
    subject: "master-account",
    key: null,
    codes: [],
    icon: "user",
  },
  "merchant-providers": {
    path: "/game-provider/merchants/{merchantUuid}/providers",
    permission: "gps.provider.merchant-providers.view",
    subject: "merchant-provider",
    key: null,
    codes: [],
    exports: "gps.provider.merchant-providers.export",
    icon: "game",
    found: 10,
  },
  "merchant-provider": {
    path: "/game-provider/merchants/{merchantUuid}/providers/{merchantProviderUuid}",
    permission: "gps.provider.merchant-providers.view",
    subject: "merchant-provider",
    key: null,
    codes: [],
    icon: "game",
  },
  "provider-games": {
    path: "/game-provider/merchant-providers/{merchantProviderUuid}/games",
    permission: "gps.provider.games.view",
    subject: "provider-game",
    key: null,
    codes: [],
    exports: "gps.provider.games.export",
    icon: "game",
    found: 11,
  },
  "downtime-schedule": {
    path: "/game-provider/downtime-schedule",
    permission: "gps.provider.downtime.view",
    subject: "downtime",
    key: "n",
    codes: ["ds"],
    exports: "gps.provider.downtime.export",
    icon: "clock",
    group: "administration",
    found: 19,
  },
  "score-watchers": {
    path: "/game-provider/score-watchers",
    permission: "gps.provider.score-watchers.view",
    subject: "score-watcher",
    key: "z",
    codes: ["sw"],
    exports: "gps.provider.score-watchers.export",
    icon: "eye",
    group: "administration",
    found: 18,
  },
  setting: {
    path: "/setting",
    permission: "tenant-setting.view",
    subject: null,
    key: "s",
    codes: ["set"],
    icon: "settings",
    group: "foot",
  },
  profile: { path: "/profile", permission: "profile.view", subject: null, key: "y", codes: ["pr"], icon: "user" },
  "profile-edit": { path: "/profile/edit", permission: "profile.update", subject: null, key: null, codes: ["pe"], icon: "user" },
} as const satisfies Record<string, Screen>;

export type ScreenName = keyof typeof screens;

/** Screens that can be opened without a record, in navigation order. */
export const places = (Object.keys(screens) as ScreenName[]).filter((name) => !screens[name].path.includes("{")); // Object.keys widens
