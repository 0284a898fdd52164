import { z } from "zod";
import { defineColumns } from "./record-columns.ts";
import { recordRoutes } from "./record-routes.ts";
import { RecordEvent } from "./records.ts";
import { Attribute, Attributes } from "./vendor-attributes.ts";
import { Instant, Name, Uuid, Version } from "./wire.ts";

export const VendorCategory = z.object({
  uuid: Uuid,
  version: Version,
  name: z.string(),
  attributes: z.array(Attribute),
  /** Number of items in the category. */
  items: z.int(),
  created_at: Instant,
  updated_at: Instant,
});
export type VendorCategory = z.infer<typeof VendorCategory>;

const VendorCategoryDetail = z.object({ row: VendorCategory, history: z.array(RecordEvent) });

const VendorCategoryForm = z.strictObject({ name: Name(80), attributes: Attributes });
export type VendorCategoryForm = z.infer<typeof VendorCategoryForm>;

export const vendorCategoryColumns = defineColumns({
  name: { filter: "part", most: 80, sort: true, find: "part" },
  created_at: { filter: "time", sort: true },
  uuid: { filter: "rows" },
});

export const vendorCategoryRoutes = recordRoutes("/service/vendor/api/tenant/v1/vendor-categories", "vs.vendor.categories", {
  one: "VendorCategory",
  many: "VendorCategories",
  columns: vendorCategoryColumns,
  row: VendorCategory,
  detail: VendorCategoryDetail,
  create: VendorCategoryForm,
  update: VendorCategoryForm,
  remove: true,
});
