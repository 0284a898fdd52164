import type { VendorCategory } from "../../../contract/vendor-categories.ts";
import { vendorCategoryColumns, vendorCategoryRoutes as routes } from "../../../contract/vendor-categories.ts";
import { defineEntity } from "../../entity/entity.ts";
import { tableOf } from "../../entity/named.ts";
import { text } from "../../kit/texts/texts.ts";

export const vendorCategories = defineEntity({
  screen: "vendor-categories",
  subject: "vendor-category",
  routes: {
    list: routes.listVendorCategories,
    read: routes.readVendorCategory,
    create: routes.createVendorCategory,
    update: routes.updateVendorCategory,
    remove: routes.deleteVendorCategory,
  },
  titleOf: ({ name }) => name,
  codeOf: ({ name }) => name,
  order: "name",
  columns: [
    { field: "name", width: 220, minWidth: 140, grow: 1 },
    { field: "attributes", width: 320, minWidth: 140, grow: 1, at: "attributes.name" },
    { field: "items", as: "count", width: 96 },
    { field: "created_at", as: "time", width: 156 },
  ],
  columnMap: vendorCategoryColumns,
  sections: [
    { name: "identity", lines: ["name", { field: "items", as: "count" }] },
    {
      name: "attributes",
      table: tableOf({
        rows: ({ row }: { row: VendorCategory }) => row.attributes,
        columns: [
          { field: "attributes.name", value: ({ name }) => name },
          { field: "attributes.type", as: "choice", value: ({ type }) => type },
          { field: "attributes.options", value: ({ options }) => options },
          { field: "attributes.required", value: ({ required }) => text(required ? "form.given.yes" : "form.given.no") },
        ],
      }),
    },
    {
      name: "dates",
      lines: [
        { field: "created_at", as: "time" },
        { field: "updated_at", as: "time" },
      ],
    },
  ],
  form: {
    groups: [
      { name: "identity", fields: ["name"] },
      { name: "attributes", fields: ["attributes"] },
    ],
  },
});
