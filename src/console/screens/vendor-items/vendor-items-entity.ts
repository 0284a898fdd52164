import { attributesOf } from "../../../contract/derived-cells.ts";
import { attributeForm } from "../../../contract/vendor-attributes.ts";
import { vendorCategoryRoutes } from "../../../contract/vendor-categories.ts";
import { vendorItemColumns, vendorItemRoutes as routes } from "../../../contract/vendor-items.ts";
import { defineEntity, givenBy } from "../../entity/entity.ts";
import { linksTo } from "../../entity/named.ts";
import { wordOf } from "../../kit/texts/texts.ts";

export const vendorItems = defineEntity({
  screen: "vendor-items",
  subject: "vendor-item",
  routes: {
    list: routes.listVendorItems,
    read: routes.readVendorItem,
    create: routes.createVendorItem,
    update: routes.updateVendorItem,
    remove: routes.deleteVendorItem,
  },
  titleOf: ({ name }) => name,
  codeOf: ({ name }) => name,
  order: "name",
  columns: [
    { field: "name", width: 200, minWidth: 140, grow: 1 },
    { field: "vendor", width: 200, minWidth: 120, grow: 1, at: "vendor.name" },
    { field: "category", width: 160, minWidth: 112, at: "category.name" },
    {
      field: "attributes",
      width: 280,
      minWidth: 120,
      grow: 1,
    },
    { field: "created_at", as: "time", width: 156 },
  ],
  columnMap: vendorItemColumns,
  sections: [
    {
      name: "identity",
      lines: [
        "name",
        { field: "vendor", links: ({ row }) => linksTo("vendors", [row.vendor]) },
        { field: "category", links: ({ row }) => linksTo("vendor-categories", [row.category]) },
      ],
    },
    {
      name: "attributes",
      lines: [],
      linesOf: ({ row }) => attributesOf(row, wordOf).map(({ name, value }) => ({ field: "attributes", label: name, value: () => value })),
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
      { name: "identity", fields: ["name", "vendor", "category"] },
      { name: "attributes", fields: ["attributes"] },
    ],
    given: { attributes: givenBy("category", vendorCategoryRoutes.readVendorCategory, ({ row }) => attributeForm(row.attributes)) },
  },
});
