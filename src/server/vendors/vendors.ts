import type { Selectable } from "kysely";
import { sql } from "kysely";
import type { VendorForm, vendorRoutes } from "../../contract/vendors.ts";
import { vendorColumns } from "../../contract/vendors.ts";
import type { StaffCall } from "../call.ts";
import type { Tables } from "../db/tables.ts";
import type { Handlers } from "../handlers.ts";
import { recordHandlers } from "../records/record-handlers.ts";

interface VendorRow extends Selectable<Tables["vendors"]> {
  readonly items: number;
}

const { list, read, create, update, remove } = recordHandlers({
  entity: "vendor",
  table: "vendors",
  columns: vendorColumns,
  stored: { company: { sort: [{ name: "company", type: "text" }] } },
  rows: ({ tenant }) => sql`select v.*,
    (select count(*)::integer from vendor_items i where i.tenant_id = v.tenant_id and i.vendor_id = v.id) as items
    from vendors v where v.tenant_id = ${tenant}`,
  view: ({ id, version, company, remark, items, created_at, updated_at }: VendorRow) => ({
    uuid: id,
    version,
    company,
    remark,
    items,
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
  }),
  nameOf: ({ company }) => company,
  fields: ({ company, remark }: VendorForm | VendorRow) => ({ company, remark: remark || null }),
  constraints: { vendors_company: { company: ["Already taken"] } },
  uses: async (_, __, { items }) => ({ items }),
});

export const vendorHandlers: Handlers<typeof vendorRoutes, StaffCall> = {
  listVendors: list,
  readVendor: read,
  createVendor: create,
  updateVendor: update,
  deleteVendor: remove,
};
