import type { Selectable } from "kysely";
import { sql } from "kysely";
import type { FieldLines } from "../../contract/problems.ts";
import type { Attribute, AttributeValues } from "../../contract/vendor-attributes.ts";
import { attributeForm } from "../../contract/vendor-attributes.ts";
import type { VendorItemForm, vendorItemRoutes } from "../../contract/vendor-items.ts";
import { vendorItemColumns } from "../../contract/vendor-items.ts";
import type { StaffCall } from "../call.ts";
import type { Scoped } from "../db/scope.ts";
import type { Tables } from "../db/tables.ts";
import type { Handlers } from "../handlers.ts";
import { noSuchRecord } from "../records/links.ts";
import { recordHandlers } from "../records/record-handlers.ts";

interface ItemRow extends Selectable<Tables["vendor_items"]> {
  readonly vendor: string;
  readonly category: string;
  readonly of_category: Attribute[];
}

/** The attributes that are filled in. */
const valuesIn = (attributes: AttributeValues): AttributeValues =>
  Object.fromEntries(Object.entries(attributes).filter(([, text]) => text !== ""));

/** Checks each value by the type of its attribute. */
function valueFaults(attributes: readonly Attribute[], values: AttributeValues): FieldLines {
  const lines: FieldLines = {};
  const { error } = attributeForm(attributes).safeParse(values);
  for (const issue of error?.issues ?? []) {
    const isUnknown = issue.code === "unrecognized_keys";
    for (const name of isUnknown ? issue.keys : issue.path.map(String)) {
      const line = isUnknown ? "Not an attribute of this category" : name in values ? issue.message : "Must be filled in";
      (lines[`attributes.${name}`] ??= []).push(line);
    }
  }
  return lines;
}

/** Locks the category, so that its attributes do not change until the item is written. */
async function faultsOf(db: Scoped, { tenant }: StaffCall, now: { vendor_id: string; category_id: string; attributes: AttributeValues }) {
  const { rows } = await sql<{ attributes: Attribute[] }>`select attributes from vendor_categories
    where tenant_id = ${tenant} and id = ${now.category_id} for share`.execute(db);
  const vendor = await sql`select from vendors where tenant_id = ${tenant} and id = ${now.vendor_id} for key share`.execute(db);
  const category = rows[0];
  return {
    ...(vendor.rows.length === 0 && { vendor: [noSuchRecord] }),
    ...(category ? valueFaults(category.attributes, now.attributes) : { category: [noSuchRecord] }),
  };
}

const { list, read, create, update, remove } = recordHandlers({
  entity: "vendor-item",
  table: "vendor_items",
  columns: vendorItemColumns,
  rows: ({ tenant }) => sql`select i.*, v.company as vendor, c.name as category, c.attributes as of_category from vendor_items i
    join vendors v on v.tenant_id = i.tenant_id and v.id = i.vendor_id
    join vendor_categories c on c.tenant_id = i.tenant_id and c.id = i.category_id
    where i.tenant_id = ${tenant}`,
  view: ({ id, version, name, vendor, vendor_id, category, category_id, of_category, attributes, created_at, updated_at }: ItemRow) => ({
    uuid: id,
    version,
    name,
    vendor: { uuid: vendor_id, name: vendor, code: null },
    category: { uuid: category_id, name: category, code: null },
    of_category,
    attributes,
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
  }),
  nameOf: ({ name }) => name,
  fields: (of: VendorItemForm | ItemRow) => ({
    name: of.name,
    vendor_id: "vendor_id" in of ? of.vendor_id : of.vendor,
    category_id: "category_id" in of ? of.category_id : of.category,
    attributes: valuesIn(of.attributes),
  }),
  json: ["attributes"],
  refersTo: { vendor_id: { field: "vendor", table: "vendors" }, category_id: { field: "category", table: "vendor_categories" } },
  faults: (db, call, { now }) => faultsOf(db, call, now),
  constraints: { vendor_items_name: { name: ["Already taken by this vendor"] } },
});

export const vendorItemHandlers: Handlers<typeof vendorItemRoutes, StaffCall> = {
  listVendorItems: list,
  readVendorItem: read,
  createVendorItem: create,
  updateVendorItem: update,
  deleteVendorItem: remove,
};
