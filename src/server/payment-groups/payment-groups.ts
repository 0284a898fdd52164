import type { Selectable } from "kysely";
import { sql } from "kysely";
import type { PaymentGroup, PaymentGroupForm, paymentGroupRoutes } from "../../contract/payment-groups.ts";
import { paymentGroupColumns } from "../../contract/payment-groups.ts";
import type { StaffCall } from "../call.ts";
import type { Tables } from "../db/tables.ts";
import type { Handlers } from "../handlers.ts";
import { inOrder, linked, linkedTo, linkedRecords } from "../records/links.ts";
import { recordHandlers } from "../records/record-handlers.ts";
import { accountsOfGroup, merchantsOfGroup } from "./group-links.ts";

interface GroupRow extends Selectable<Tables["payment_groups"]> {
  readonly accounts: string[];
  readonly merchants: string[];
}

const groupView = (row: GroupRow): PaymentGroup => ({
  uuid: row.id,
  version: row.version,
  name: row.name,
  currency: row.currency,
  account_count: row.accounts.length,
  merchant_count: row.merchants.length,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

const parts = { accounts: linked(accountsOfGroup), merchants: linked(merchantsOfGroup) };

const { list, read, create, update, remove } = recordHandlers({
  entity: "payment-group",
  table: "payment_groups",
  currency: true,
  columns: paymentGroupColumns,
  stored: { name: { sort: [{ name: "name_key", type: "text" }] } },
  rows: ({ tenant, currency }) => sql`select g.*, lower(g.name) as name_key,
      ${linkedTo(accountsOfGroup, tenant, sql.ref("g.id"))} as accounts, ${linkedTo(merchantsOfGroup, tenant, sql.ref("g.id"))} as merchants
    from payment_groups g where g.tenant_id = ${tenant} and g.currency = ${currency}`,
  view: groupView,
  nameOf: ({ name }) => name,
  fields: ({ name, accounts, merchants }: PaymentGroupForm | GroupRow) => ({
    name,
    accounts: inOrder(accounts),
    merchants: inOrder(merchants),
  }),
  detail: async (db, { tenant }, { accounts, merchants }) => ({
    accounts: await linkedRecords(db, tenant, "payment_accounts", accounts),
    merchants: await linkedRecords(db, tenant, "merchants", merchants),
  }),
  constraints: { payment_groups_name: { name: ["Already taken"] } },
  parts,
  // its links are removed as if by a form, so that each linked record has it in its history
  async release(db, call, { id }) {
    await parts.accounts(db, call, id, []);
    await parts.merchants(db, call, id, []);
  },
});

export const paymentGroupHandlers: Handlers<typeof paymentGroupRoutes, StaffCall> = {
  listPaymentGroups: list,
  readPaymentGroup: read,
  createPaymentGroup: create,
  updatePaymentGroup: update,
  deletePaymentGroup: remove,
};
