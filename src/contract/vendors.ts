import { z } from "zod";
import { control } from "./controls.ts";
import { defineColumns } from "./record-columns.ts";
import { recordRoutes } from "./record-routes.ts";
import { RecordEvent } from "./records.ts";
import { Instant, Name, Uuid, Version } from "./wire.ts";

export const Vendor = z.object({
  uuid: Uuid,
  version: Version,
  company: z.string(),
  remark: z.string().nullable(),
  /** Number of items it supplies. */
  items: z.int(),
  created_at: Instant,
  updated_at: Instant,
});
export type Vendor = z.infer<typeof Vendor>;

const VendorDetail = z.object({ row: Vendor, history: z.array(RecordEvent) });

const VendorForm = z.strictObject({
  company: Name(120),
  remark: z.string().trim().max(1000).meta(control("lines")),
});
export type VendorForm = z.infer<typeof VendorForm>;

export const vendorColumns = defineColumns({
  company: { filter: "part", most: 120, sort: true, find: "part" },
  remark: { filter: "part", most: 120, find: "part" },
  created_at: { filter: "time", sort: true },
  uuid: { filter: "rows" },
});

export const vendorRoutes = recordRoutes("/service/vendor/api/tenant/v1/vendors", "vs.vendor.vendors", {
  one: "Vendor",
  many: "Vendors",
  columns: vendorColumns,
  row: Vendor,
  detail: VendorDetail,
  create: VendorForm,
  update: VendorForm,
  remove: true,
});
