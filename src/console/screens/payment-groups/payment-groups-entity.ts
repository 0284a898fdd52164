import type { Linked } from "../../../contract/controls.ts";
import type { PaymentGroupDetail } from "../../../contract/payment-groups.ts";
import { paymentGroupColumns, paymentGroupRoutes as routes } from "../../../contract/payment-groups.ts";
import type { ScreenName } from "../../../contract/screens.ts";
import { defineEntity } from "../../entity/entity.ts";
import type { Named } from "../../entity/named.ts";
import { tableOf } from "../../entity/named.ts";

const codeAndName = (field: string, screen: ScreenName): readonly Named<Linked>[] => [
  { field: `${field}.code`, as: "mono", value: ({ code }) => code },
  { field: `${field}.name`, links: ({ uuid, name }) => [{ screen, record: uuid, text: name }] },
];

export const paymentGroups = defineEntity({
  screen: "payment-groups",
  subject: "payment-group",
  routes: {
    list: routes.listPaymentGroups,
    read: routes.readPaymentGroup,
    create: routes.createPaymentGroup,
    update: routes.updatePaymentGroup,
    remove: routes.deletePaymentGroup,
  },
  removalText: ({ merchant_count }) => ({ key: "payment-group.ask.delete-text", words: { count: merchant_count } }),
  titleOf: ({ name }) => name,
  codeOf: ({ name }) => name,
  order: "name",
  columns: [
    { field: "name", width: 240, minWidth: 140, grow: 1 },
    { field: "merchant_count", as: "count", width: 116 },
    { field: "account_count", as: "count", width: 116 },
    { field: "created_at", as: "time", width: 156 },
    { field: "updated_at", as: "time", width: 156 },
  ],
  columnMap: paymentGroupColumns,
  sections: [
    {
      name: "merchants",
      table: tableOf({ rows: ({ merchants }: PaymentGroupDetail) => merchants, columns: codeAndName("merchants", "merchants") }),
    },
    {
      name: "accounts",
      table: tableOf({ rows: ({ accounts }: PaymentGroupDetail) => accounts, columns: codeAndName("accounts", "payment-accounts") }),
    },
    {
      name: "dates",
      lines: [
        { field: "currency", as: "mono" },
        { field: "created_at", as: "time" },
        { field: "updated_at", as: "time" },
      ],
    },
  ],
  form: { groups: [{ name: "group", fields: ["name", "merchants", "accounts"] }] },
});
