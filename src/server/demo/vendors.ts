import type { ClientBase } from "pg";
import type { Attribute } from "../../contract/vendor-attributes.ts";
import { insertRows } from "./insert.ts";
import { seededRandom } from "./random.ts";

const attribute = (name: string, type: Attribute["type"], required = false, options = ""): Attribute => ({ name, type, options, required });

const categories: readonly { readonly name: string; readonly attributes: readonly Attribute[] }[] = [
  {
    name: "Card terminals",
    attributes: [
      attribute("Model", "text", true),
      attribute("Weight (g)", "number"),
      attribute("Connection", "options", true, "Wi-Fi, LTE, Ethernet"),
      attribute("Warranty until", "date"),
      attribute("Contactless", "boolean", true),
    ],
  },
  {
    name: "SIM cards",
    attributes: [attribute("Carrier", "text", true), attribute("Data (GB)", "number", true), attribute("Roaming", "boolean")],
  },
  {
    name: "Receipt paper",
    attributes: [attribute("Width", "options", true, "57 mm, 80 mm"), attribute("Length (m)", "number"), attribute("BPA free", "boolean")],
  },
];

const vendors: readonly (readonly [company: string, remark: string | null])[] = [
  ["Andaman Devices", "Delivers on Tuesdays and Fridays"],
  ["Kinta Paper", null],
  ["Mekong Telecom", "Contract runs to the end of the year"],
  ["Straits Office Supply", null],
];

/** Items with their vendor and category by index. */
const items: readonly (readonly [name: string, vendor: number, category: number, values: Readonly<Record<string, string>>])[] = [
  ["AT-20 terminal", 0, 0, { Model: "AT-20", "Weight (g)": "310", Connection: "LTE", "Warranty until": "2028-06-30", Contactless: "true" }],
  ["AT-10 terminal", 0, 0, { Model: "AT-10", "Weight (g)": "284.5", Connection: "Wi-Fi", Contactless: "false" }],
  ["Counter terminal", 3, 0, { Model: "S9", Connection: "Ethernet", "Warranty until": "2027-12-31", Contactless: "true" }],
  ["Terminal SIM 5 GB", 2, 1, { Carrier: "Mekong Mobile", "Data (GB)": "5", Roaming: "false" }],
  ["Field SIM 20 GB", 2, 1, { Carrier: "Mekong Mobile", "Data (GB)": "20", Roaming: "true" }],
  ["Thermal roll, narrow", 1, 2, { Width: "57 mm", "Length (m)": "30", "BPA free": "true" }],
  ["Thermal roll, wide", 1, 2, { Width: "80 mm", "Length (m)": "80", "BPA free": "true" }],
  ["Thermal roll, wide", 3, 2, { Width: "80 mm" }],
];

/** A tenant's vendors, categories and items, from a generator of their own, so that the rest of the demo stays the same. */
export async function insertVendors(client: ClientBase, tenant: string, seed: number, since: number): Promise<void> {
  const random = seededRandom(seed);
  const at = new Date(since);
  const ids = (of: readonly unknown[]) => of.map(() => random.uuid(since));
  const [vendorIds, categoryIds] = [ids(vendors), ids(categories)];
  const stamps = ["created_at timestamptz", "updated_at timestamptz"];
  await insertRows(
    client,
    "vendors",
    ["tenant_id uuid", "id uuid", "company text", "remark text", ...stamps],
    vendors.map(([company, remark], n) => [tenant, vendorIds[n], company, remark, at, at]),
  );
  await insertRows(
    client,
    "vendor_categories",
    ["tenant_id uuid", "id uuid", "name text", "attributes jsonb", ...stamps],
    categories.map(({ name, attributes }, n) => [tenant, categoryIds[n], name, JSON.stringify(attributes), at, at]),
  );
  await insertRows(
    client,
    "vendor_items",
    ["tenant_id uuid", "id uuid", "vendor_id uuid", "category_id uuid", "name text", "attributes jsonb", ...stamps],
    items.map(([name, vendor, category, values]) => [
      tenant,
      random.uuid(since),
      vendorIds[vendor],
      categoryIds[category],
      name,
      JSON.stringify(values),
      at,
      at,
    ]),
  );
}
