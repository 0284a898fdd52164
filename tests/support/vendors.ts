import { randomUUID } from "node:crypto";
import type { Attribute } from "../../src/contract/vendor-attributes.ts";
import type { TestDatabase } from "./database.ts";
import type { Tenant } from "./factories.ts";

/** Inserted as the owner, each under a name of its own. */
async function insert({ owner }: TestDatabase, table: string, tenant: Tenant, columns: Readonly<Record<string, unknown>>): Promise<string> {
  const values = { tenant_id: tenant.id, ...columns };
  const { rows } = await owner.query<{ id: string }>(
    `insert into ${table} (${Object.keys(values).join(", ")}) values (${Object.keys(values).map((_, at) => `$${at + 1}`)}) returning id`,
    Object.values(values),
  );
  return rows[0]?.id ?? "";
}

export const makeVendor = (db: TestDatabase, tenant: Tenant, company = `Vendor ${randomUUID()}`): Promise<string> =>
  insert(db, "vendors", tenant, { company });

export const makeCategory = (
  db: TestDatabase,
  tenant: Tenant,
  attributes: readonly Attribute[] = [],
  name = `Category ${randomUUID()}`,
): Promise<string> => insert(db, "vendor_categories", tenant, { name, attributes: JSON.stringify(attributes) });

export async function makeItem(
  db: TestDatabase,
  tenant: Tenant,
  {
    name = `Item ${randomUUID()}`,
    vendor,
    category,
    attributes = {},
  }: { name?: string; vendor?: string; category?: string; attributes?: object },
): Promise<string> {
  return insert(db, "vendor_items", tenant, {
    name,
    vendor_id: vendor ?? (await makeVendor(db, tenant)),
    category_id: category ?? (await makeCategory(db, tenant)),
    attributes: JSON.stringify(attributes),
  });
}
