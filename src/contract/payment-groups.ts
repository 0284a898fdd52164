import { z } from "zod";
import { control, Linked } from "./controls.ts";
import { defineColumns } from "./record-columns.ts";
import { recordRoutes } from "./record-routes.ts";
import { RecordEvent } from "./records.ts";
import { Instant, Name, Uuid, Version } from "./wire.ts";

/** Most accounts or merchants of one group, and most groups of one of those. */
const most = 200;

/** What merchants and payment accounts name their groups by, in their own forms; left out, they stay in those they are in. */
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

/** The currency is that of the request that made it. */
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

/** Deleting a group lets its accounts and merchants go: its row says how many there are. */
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
