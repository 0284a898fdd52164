import { permissions, permissionTable } from "../../contract/permissions.ts";
import type { Permission } from "../../contract/permissions.ts";

const reads = permissions.filter(
  (permission) => permission.endsWith(".view") && !permission.startsWith("tenant-setting") && !permission.startsWith("audit-log"),
);
const all = (area: keyof typeof permissionTable): Permission[] => permissions.filter((permission) => permission.startsWith(`${area}.`));
const self: Permission[] = ["profile.view", "profile.update"];

/** The user groups of a new tenant. Owner has an empty list, because its code implies every permission. */
export const startingGroups: readonly { code: string; name: string; permissions: readonly Permission[] }[] = [
  { code: "owner", name: "Owner", permissions: [] },
  {
    code: "operator",
    name: "Operator",
    permissions: [
      ...self,
      "dashboard.view",
      ...[...all("pas.transaction.deposits"), ...all("pas.transaction.withdrawals")].filter(
        (permission) => !/second-approve|take-over/.test(permission),
      ),
      ...all("pas.transaction.bank-transactions"),
      "pas.transaction.payout-templates.view",
      "pas.merchant.merchants.view",
      "pas.account.accounts.view",
      "pas.account.groups.view",
      "pas.account.transactions.view",
      "pas.rate-limit.groups.view",
    ],
  },
  {
    code: "support",
    name: "Support",
    permissions: [
      ...new Set([
        ...self,
        ...reads,
        "pas.transaction.deposits.send-callback" as const,
        "pas.transaction.withdrawals.send-callback" as const,
      ]),
    ],
  },
  {
    code: "supervisor",
    name: "Supervisor",
    permissions: [
      ...new Set([
        ...self,
        ...reads,
        "audit-log.view" as const,
        "pas.transaction.deposits.second-approve" as const,
        "pas.transaction.deposits.take-over" as const,
        "pas.transaction.deposits.process" as const,
        "pas.transaction.withdrawals.second-approve" as const,
        "pas.transaction.withdrawals.take-over" as const,
        "pas.transaction.withdrawals.process" as const,
      ]),
    ],
  },
  { code: "profile-only", name: "Profile only", permissions: self },
];
