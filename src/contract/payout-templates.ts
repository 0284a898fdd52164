import { z } from "zod";
import { control } from "./controls.ts";
import { defineColumns } from "./record-columns.ts";
import { recordRoutes } from "./record-routes.ts";
import { RecordEvent } from "./records.ts";
import { Instant, Name, Uuid, Version } from "./wire.ts";

/** What a column of a bank's bulk file can hold. */
export const payoutFields = [
  "amount",
  "currency",
  "holder",
  "account_number",
  "bank",
  "txn_no",
  "merchant_txn_no",
  "member",
  "customer_name",
  "merchant",
  "paying_code",
  "paying_number",
  "paying_holder",
  "paying_bank",
  "date",
  "line",
  "constant",
] as const;
export type PayoutField = (typeof payoutFields)[number];

export const payoutDelimiters = ["comma", "semicolon", "tab", "pipe"] as const;
export const payoutQuotes = ["needed", "always", "never"] as const;
export const payoutDecimals = ["point", "comma"] as const;
export const payoutDates = ["YYYY-MM-DD", "DD/MM/YYYY", "MM/DD/YYYY", "DD-MM-YYYY", "DD.MM.YYYY", "YYYYMMDD", "DDMMYYYY"] as const;
export const payoutEncodings = ["utf-8", "utf-8-mark", "utf-16le", "windows-1252", "gb18030"] as const;

const PayoutColumn = z.strictObject({
  field: z.enum(payoutFields).meta(control("choice")),
  /** What stands above it where the file has a head. */
  title: z.string().trim().max(60).meta(control("text")),
  /** Of a constant: the same in each row. */
  value: z.string().trim().max(100).meta(control("text")),
});
export type PayoutColumn = z.infer<typeof PayoutColumn>;

const written = {
  columns: z.array(PayoutColumn).min(1).max(40).meta(control("rows")),
  head: z.boolean().meta(control("switch")),
  delimiter: z.enum(payoutDelimiters).meta(control("choice")),
  quotes: z.enum(payoutQuotes).meta(control("choice")),
  decimal_mark: z.enum(payoutDecimals).meta(control("choice")),
  date_format: z.enum(payoutDates).meta(control("choice")),
  encoding: z.enum(payoutEncodings).meta(control("choice")),
};

/** How the bulk file of one bank is written. */
const PayoutLayout = z.object(written);
export type PayoutLayout = z.infer<typeof PayoutLayout>;

export const PayoutTemplate = z.object({
  uuid: Uuid,
  version: Version,
  name: z.string(),
  bank: z.string(),
  ...written,
  created_at: Instant,
  updated_at: Instant,
});
export type PayoutTemplate = z.infer<typeof PayoutTemplate>;

const PayoutTemplateForm = z.strictObject({ name: Name(60), bank: Name(60), ...written });
export type PayoutTemplateForm = z.infer<typeof PayoutTemplateForm>;

export const payoutTemplateColumns = defineColumns({
  name: { filter: "part", most: 60, sort: true, find: "part" },
  bank: { filter: "part", most: 60, sort: true, find: "part" },
  updated_at: { filter: "time", sort: true },
  uuid: { filter: "rows" },
});

export const payoutTemplateRoutes = recordRoutes("/service/payment/api/tenant/v1/payout-templates", "pas.transaction.payout-templates", {
  one: "PayoutTemplate",
  many: "PayoutTemplates",
  columns: payoutTemplateColumns,
  row: PayoutTemplate,
  detail: z.object({ row: PayoutTemplate, history: z.array(RecordEvent) }),
  create: PayoutTemplateForm,
  update: PayoutTemplateForm,
  remove: true,
});
