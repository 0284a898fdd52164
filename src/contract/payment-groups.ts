import { z } from "zod";
import { control, Linked } from "./controls.ts";
import { defineColumns } from "./record-columns.ts";
import { recordRoutes } from "./record-routes.ts";
import { RecordEvent } from "./records.ts";
import { Instant, Name, Uuid, Version } from "./wire.ts";

/** Most accounts or merchants in one group, and most groups of one account or merchant. */
const most = 200;

/** The field by which the forms of merchants and payment accounts choose groups; left out: the groups stay as they are. */
export const PaymentGroups = z.array(Uuid).max(most).meta(control("references", "payment-groups")).optional();

export const PaymentGroup = z.object({
  uuid: Uuid,
  version: Version,
  name: z.string(),
  currency: z.string(),
  account_count: z.int(),
  merchant_count: z.int(),
  created_at: Instant,
  updated_at: Instant,
});
export type PaymentGroup = z.infer<typeof PaymentGroup>;

const PaymentGroupDetail = z.object({
  row: PaymentGroup,
  accounts: z.array(Linked),
  merchants: z.array(Linked),
  history: z.array(RecordEvent),
});
export type PaymentGroupDetail = z.infer<typeof PaymentGroupDetail>;

/** A group belongs to the currency of the request that creates it. */
export const PaymentGroupForm = z.strictObject({
  name: Name(60),
  accounts: z.array(Uuid).max(most).meta(control("references", "payment-accounts")),
  merchants: z.array(Uuid).max(most).meta(control("references", "merchants")),
});
export type PaymentGroupForm = z.infer<typeof PaymentGroupForm>;

export const paymentGroupColumns = defineColumns({
  name: { filter: "part", most: 60, sort: true, find: "part" },
  created_at: { filter: "time", sort: true },
  updated_at: { filter: "time", sort: true },
});

/** Deleting a group removes its links; the row says how many accounts and merchants these are. */
export const paymentGroupRoutes = recordRoutes("/service/payment/api/tenant/v1/payment-groups", "pas.account.groups", {
  one: "PaymentGroup",
  many: "PaymentGroups",
  currency: true,
  columns: paymentGroupColumns,
  row: PaymentGroup,
  detail: PaymentGroupDetail,
  create: PaymentGroupForm,
  update: PaymentGroupForm,
  remove: true,
});
