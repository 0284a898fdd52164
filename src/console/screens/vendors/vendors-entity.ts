import { vendorColumns, vendorRoutes as routes } from "../../../contract/vendors.ts";
import { defineEntity } from "../../entity/entity.ts";

export const vendors = defineEntity({
  screen: "vendors",
  subject: "vendor",
  routes: {
    list: routes.listVendors,
    read: routes.readVendor,
    create: routes.createVendor,
    update: routes.updateVendor,
    remove: routes.deleteVendor,
  },
  titleOf: ({ company }) => company,
  codeOf: ({ company }) => company,
  order: "company",
  columns: [
    { field: "company", width: 240, minWidth: 140, grow: 1 },
    { field: "remark", width: 320, minWidth: 140, grow: 1 },
    { field: "items", as: "count", width: 96 },
    { field: "created_at", as: "time", width: 156 },
  ],
  columnMap: vendorColumns,
  sections: [
    { name: "identity", lines: ["company", "remark", { field: "items", as: "count" }] },
    {
      name: "dates",
      lines: [
        { field: "created_at", as: "time" },
        { field: "updated_at", as: "time" },
      ],
    },
  ],
  form: { groups: [{ name: "identity", fields: ["company", "remark"] }] },
});
