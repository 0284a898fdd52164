import type { Linked } from "../../contract/controls.ts";
import type { Scoped } from "../db/scope.ts";
import { linkOfBoth, named } from "../records/links.ts";

const group = { entity: "payment-group", records: "payment_groups", id: "group_id" } as const;

/** Which merchants a group serves: as its own form names them, and as a merchant's form names its groups. */
export const [merchantsOfGroup, groupsOfMerchant] = linkOfBoth(
  "payment_group_merchants",
  { ...group, field: "merchants" },
  { entity: "merchant", records: "merchants", id: "merchant_id", field: "groups" },
);

/** Which accounts a group pays with, likewise. */
export const [accountsOfGroup, groupsOfAccount] = linkOfBoth(
  "payment_group_accounts",
  { ...group, field: "accounts" },
  { entity: "payment-account", records: "payment_accounts", id: "payment_account_id", field: "groups" },
);

export const groupsNamed = (db: Scoped, tenant: string, ids: readonly string[]): Promise<Linked[]> =>
  named(db, tenant, "payment_groups", ids);
