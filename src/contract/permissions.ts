/** Every permission of the product: area → actions. */
export const permissionTable = {
  profile: ["view", "update"],
  dashboard: ["view"],
  "tenant-setting": ["view", "update"],
  "audit-log": ["view", "export"],
  "pas.merchant.merchants": [
    "view",
    "create",
    "update",
    "delete",
    "change-status",
    "view-secret",
    "reset-credentials",
    "adjust-wallet",
    "settle",
    "export",
  ],
  "pas.merchant.transactions": ["view", "export"],
  "pas.account.accounts": [
    "view",
    "create",
    "update",
    "delete",
    "change-status",
    "reset-credentials",
    "hold",
    "clear-balance",
    "transfer",
    "export",
  ],
  "pas.account.groups": ["view", "create", "update", "delete", "export"],
  "pas.account.transactions": ["view", "export"],
  "pas.transaction.deposits": [
    "view",
    "create",
    "process",
    "take-over",
    "approve",
    "second-approve",
    "reject",
    "recall",
    "reopen",
    "send-callback",
    "receipt",
    "export",
  ],
  "pas.transaction.withdrawals": [
    "view",
    "create",
    "process",
    "take-over",
    "approve",
    "second-approve",
    "reject",
    "recall",
    "send-callback",
    "receipt",
    "export",
    "payout-file",
  ],
  "pas.transaction.transfers": ["view", "approve", "second-approve", "reject", "recall", "receipt", "export"],
  "pas.transaction.payout-templates": ["view", "create", "update", "delete", "export"],
  "pas.transaction.bank-transactions": ["view", "import", "match", "unmatch", "ignore", "export"],
  "pas.report.account-daily": ["view", "export"],
  "pas.report.merchant-daily": ["view", "export"],
  "pas.report.cash-flow": ["view", "export"],
  "pas.rate-limit.groups": ["view", "create", "update", "delete", "change-status", "assign", "export"],
  "cas.user.users": ["view", "invite", "create", "update", "delete", "change-status", "reset-two-factor", "export"],
  "cas.user.groups": ["view", "create", "update", "delete", "export"],
  "vs.vendor.vendors": ["view", "create", "update", "delete", "export"],
  "vs.vendor.categories": ["view", "create", "update", "delete", "export"],
  "vs.vendor.items": ["view", "create", "update", "delete", "export"],
  "gps.provider.master-accounts": ["view", "create", "update", "delete", "change-status", "view-credentials", "check-credit", "export"],
  "gps.provider.merchant-providers": ["view", "create", "update", "delete", "change-status", "view-credentials", "export"],
  "gps.provider.games": ["view", "create", "update", "delete", "change-status", "export"],
  "gps.provider.downtime": ["view", "create", "update", "delete", "export"],
  "gps.provider.score-watchers": ["view", "create", "update", "delete", "export"],
} as const;

type Table = typeof permissionTable;
export type PermissionArea = keyof Table;
export type PermissionAction = Table[PermissionArea][number];
/** "area.action", at least two dotted parts (specification, point 6). */
export type Permission = { [A in PermissionArea]: `${A}.${Table[A][number]}` }[PermissionArea];

/** All permissions, in the table's order. */
export const permissions = Object.entries(permissionTable).flatMap(([area, actions]) =>
  actions.map((action) => `${area}.${action}`),
) as Permission[]; // Object.entries widens the keys the table fixes

/** Area → actions the caller holds; the area is everything before the last dot. */
export type PermissionMap = Readonly<Record<string, readonly string[]>>;

export function permissionMap(held: Iterable<string>): Record<string, string[]> {
  const map: Record<string, string[]> = {};
  for (const permission of held) {
    const dot = permission.lastIndexOf(".");
    (map[permission.slice(0, dot)] ??= []).push(permission.slice(dot + 1));
  }
  return map;
}

/** Whether the caller holds one of the needed permissions, by the context's map. */
export function isAllowed(map: PermissionMap, needed: Permission | readonly Permission[]): boolean {
  return (typeof needed === "string" ? [needed] : needed).some((permission) => {
    const dot = permission.lastIndexOf(".");
    const area = permission.slice(0, dot);
    return Object.hasOwn(map, area) && (map[area] ?? []).includes(permission.slice(dot + 1));
  });
}

/** The same by a set of whole permissions, as the server has them. */
export function holdsAny(held: ReadonlySet<string>, needed: Permission | readonly Permission[]): boolean {
  return (typeof needed === "string" ? [needed] : needed).some((permission) => held.has(permission));
}
