import type { Selectable } from "kysely";
import { sql } from "kysely";
import type { FieldLines } from "../../contract/problems.ts";
import type { Attribute } from "../../contract/vendor-attributes.ts";
import { attributeForm, keptAttributes } from "../../contract/vendor-attributes.ts";
import type { VendorCategoryForm, vendorCategoryRoutes } from "../../contract/vendor-categories.ts";
import { vendorCategoryColumns } from "../../contract/vendor-categories.ts";
import type { StaffCall } from "../call.ts";
import type { Scoped } from "../db/scope.ts";
import type { Tables } from "../db/tables.ts";
import type { Handlers } from "../handlers.ts";
import { recordHandlers } from "../records/record-handlers.ts";

interface CategoryRow extends Selectable<Tables["vendor_categories"]> {
  readonly items: number;
}

/**
 * An attribute with values in items cannot be removed, change its type or lose a used option, because these values would be lost or become
 * invalid.
 */
async function attributeFaults(
  db: Scoped,
  { tenant }: StaffCall,
  { id, attributes: were }: CategoryRow,
  now: readonly Attribute[],
): Promise<FieldLines> {
  const { rows } = await sql<{ name: string; value: string; items: number }>`select a.key as name, a.value, count(*)::integer as items
    from vendor_items i, jsonb_each_text(i.attributes) a where i.tenant_id = ${tenant} and i.category_id = ${id} group by 1, 2`.execute(db);
  const lines: FieldLines = {};
  for (const was of were) {
    const at = now.findIndex(({ name }) => name === was.name);
    const is = now[at];
    const rule = is?.type === was.type ? attributeForm([is]) : null;
    const lost = rows.filter(({ name, value }) => name === was.name && rule?.safeParse({ [name]: value }).success !== true);
    const items = lost.reduce((sum, { items: each }) => sum + each, 0);
    if (items === 0) continue;
    const options = lost.map(({ value }) => value).join(", ");
    if (!is) (lines["attributes"] ??= []).push(`Cannot be removed: ${was.name}. Items with a value: ${items}`);
    else if (is.type !== was.type) lines[`attributes.${at}.type`] = [`Cannot be changed. Items with a value: ${items}`];
    else lines[`attributes.${at}.options`] = [`Cannot be removed: ${options}. Items with this choice: ${items}`];
  }
  return lines;
}

const { list, read, create, update, remove } = recordHandlers({
  entity: "vendor-category",
  table: "vendor_categories",
  columns: vendorCategoryColumns,
  rows: ({ tenant }) => sql`select c.*,
    (select count(*)::integer from vendor_items i where i.tenant_id = c.tenant_id and i.category_id = c.id) as items
    from vendor_categories c where c.tenant_id = ${tenant}`,
  view: ({ id, version, name, attributes, items, created_at, updated_at }: CategoryRow) => ({
    uuid: id,
    version,
    name,
    attributes,
    items,
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
  }),
  nameOf: ({ name }) => name,
  fields: ({ name, attributes }: VendorCategoryForm | CategoryRow) => ({ name, attributes: keptAttributes(attributes) }),
  json: ["attributes"],
  faults: async (db, call, { row, changed }) => (row && changed.attributes ? attributeFaults(db, call, row, changed.attributes) : {}),
  constraints: { vendor_categories_name: { name: ["Already taken"] } },
  uses: async (_, __, { items }) => ({ items }),
});

export const vendorCategoryHandlers: Handlers<typeof vendorCategoryRoutes, StaffCall> = {
  listVendorCategories: list,
  readVendorCategory: read,
  createVendorCategory: create,
  updateVendorCategory: update,
  deleteVendorCategory: remove,
};
