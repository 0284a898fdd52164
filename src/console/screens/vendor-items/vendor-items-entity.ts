import { attributeForm } from "../../../contract/vendor-attributes.ts";
import { vendorCategoryRoutes } from "../../../contract/vendor-categories.ts";
import type { VendorItem } from "../../../contract/vendor-items.ts";
import { vendorItemColumns, vendorItemRoutes as routes } from "../../../contract/vendor-items.ts";
import { defineEntity, givenBy } from "../../entity/entity.ts";
import { linksTo } from "../../entity/named.ts";
import { text } from "../../kit/texts/texts.ts";

/** Values in the order of the category's attributes, as text; empty where the item has none. */
const valuesOf = ({ of_category, attributes }: VendorItem): { name: string; value: string }[] =>
  of_category.map(({ name, type }) => {
    const value = attributes[name] ?? "";
    return { name, value: type === "boolean" && value !== "" ? text(value === "true" ? "form.given.yes" : "form.given.no") : value };
  });

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
    { field: "vendor", width: 200, minWidth: 120, grow: 1, value: ({ vendor }) => vendor.name },
    { field: "category", width: 160, minWidth: 112, value: ({ category }) => category.name },
    {
      field: "attributes",
      width: 280,
      minWidth: 120,
      grow: 1,
      value: (row) =>
        valuesOf(row)
          .filter(({ value }) => value !== "")
          .map(({ name, value }) => `${name}: ${value}`)
          .join(" · "),
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
      linesOf: ({ row }) => valuesOf(row).map(({ name, value }) => ({ field: "attributes", label: name, value: () => value })),
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
