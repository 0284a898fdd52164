import type { Linked } from "../../contract/controls.ts";
import type { Scoped } from "../db/scope.ts";
import { linkOfBoth, linkedRecords } from "../records/links.ts";

const group = { entity: "payment-group", records: "payment_groups", id: "group_id" } as const;

/** The merchants a group serves, edited by the forms of the group and of the merchant. */
export const [merchantsOfGroup, groupsOfMerchant] = linkOfBoth(
  "payment_group_merchants",
  { ...group, field: "merchants" },
  { entity: "merchant", records: "merchants", id: "merchant_id", field: "groups" },
);

/** The accounts a group pays with, edited by the forms of the group and of the account. */
export const [accountsOfGroup, groupsOfAccount] = linkOfBoth(
  "payment_group_accounts",
  { ...group, field: "accounts" },
  { entity: "payment-account", records: "payment_accounts", id: "payment_account_id", field: "groups" },
);

export const linkedGroups = (db: Scoped, tenant: string, ids: readonly string[]): Promise<Linked[]> =>
  linkedRecords(db, tenant, "payment_groups", ids);
