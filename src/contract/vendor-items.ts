import { z } from "zod";
import { control, Linked } from "./controls.ts";
import { defineColumns } from "./record-columns.ts";
import { recordRoutes } from "./record-routes.ts";
import { RecordEvent } from "./records.ts";
import { Attribute, AttributeValues } from "./vendor-attributes.ts";
import { Instant, Name, Uuid, Version } from "./wire.ts";

export const VendorItem = z.object({
  uuid: Uuid,
  version: Version,
  name: z.string(),
  vendor: Linked,
  category: Linked,
  /** The attributes of its category; `attributes` has the values by attribute name. */
  of_category: z.array(Attribute),
  attributes: AttributeValues,
  created_at: Instant,
  updated_at: Instant,
});
export type VendorItem = z.infer<typeof VendorItem>;

const VendorItemDetail = z.object({ row: VendorItem, history: z.array(RecordEvent) });

const VendorItemForm = z.strictObject({
  name: Name(120),
  vendor: Uuid.meta(control("reference", "vendors")),
  category: Uuid.meta(control("reference", "vendor-categories")),
  /** Checked against the attributes of its category (`attributeForm`). */
  attributes: AttributeValues.meta(control("given")),
});
export type VendorItemForm = z.infer<typeof VendorItemForm>;

export const vendorItemColumns = defineColumns({
  name: { filter: "part", most: 120, sort: true, find: "part" },
  vendor: { filter: "part", most: 120, sort: true },
  category: { filter: "part", most: 80, sort: true },
  created_at: { filter: "time", sort: true },
  uuid: { filter: "rows" },
});

export const vendorItemRoutes = recordRoutes("/service/vendor/api/tenant/v1/vendor-items", "vs.vendor.items", {
  one: "VendorItem",
  many: "VendorItems",
  columns: vendorItemColumns,
  row: VendorItem,
  detail: VendorItemDetail,
  create: VendorItemForm,
  update: VendorItemForm,
  remove: true,
});
