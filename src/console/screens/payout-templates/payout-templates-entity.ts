import type { PayoutTemplate } from "../../../contract/payout-templates.ts";
import { payoutTemplateColumns, payoutTemplateRoutes as routes } from "../../../contract/payout-templates.ts";
import { defineEntity } from "../../entity/entity.ts";
import { tableOf } from "../../entity/named.ts";
import { text } from "../../kit/texts/texts.ts";

export const payoutTemplates = defineEntity({
  screen: "payout-templates",
  subject: "payout-template",
  routes: {
    list: routes.listPayoutTemplates,
    read: routes.readPayoutTemplate,
    create: routes.createPayoutTemplate,
    update: routes.updatePayoutTemplate,
    remove: routes.deletePayoutTemplate,
  },
  titleOf: ({ name }) => name,
  codeOf: ({ name }) => name,
  order: "name",
  columns: [
    { field: "name", width: 240, minWidth: 140, grow: 1 },
    { field: "bank", width: 160, minWidth: 100, grow: 1 },
    { field: "columns", as: "count", width: 96 },
    { field: "encoding", as: "choice", width: 140 },
    { field: "updated_at", as: "time", width: 156 },
  ],
  columnMap: payoutTemplateColumns,
  sections: [
    { name: "identity", lines: ["name", "bank"] },
    {
      name: "layout",
      lines: [
        { field: "encoding", as: "choice" },
        { field: "delimiter", as: "choice" },
        { field: "quotes", as: "choice" },
        { field: "decimal_mark", as: "choice" },
        { field: "date_format" },
        { field: "head", value: ({ row }: { row: PayoutTemplate }) => text(row.head ? "form.given.yes" : "form.given.no") },
      ],
    },
    {
      name: "columns",
      table: tableOf({
        rows: ({ row }: { row: PayoutTemplate }) => row.columns,
        columns: [
          { field: "columns.field", as: "choice", value: ({ field }) => field },
          { field: "columns.title", value: ({ title }) => title },
          { field: "columns.value", value: ({ value }) => value },
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
      { name: "identity", fields: ["name", "bank"] },
      { name: "columns", fields: ["columns"] },
      { name: "layout", fields: ["head", "delimiter", "quotes", "decimal_mark", "date_format", "encoding"] },
    ],
  },
});
