import { z } from "zod";
import { isCurrency } from "../values/currencies.ts";
import { zoneMinutes } from "../values/zones.ts";
import { control } from "./controls.ts";
import { defineRoutes } from "./route.ts";
import { Currency } from "./session.ts";
import { Name } from "./wire.ts";

/** A currency to add to a tenant; its decimals are those of ISO 4217. */
export const NewCurrency = z.strictObject({
  code: z.string().trim().refine(isCurrency, "Must be an ISO 4217 currency, such as VND").meta(control("text")),
  name: Name(60),
  country: Name(60),
  /** An offset, never a zone's name, because days and limits are counted by a fixed offset. */
  zone: z
    .string()
    .trim()
    .refine((text) => /^[+-]\d{2}:\d{2}$/.test(text) && zoneMinutes(text) !== null, "Must be an offset such as +08:00")
    .meta(control("text")),
});
export type NewCurrency = z.infer<typeof NewCurrency>;

const path = "/service/payment/api/tenant/v1/currencies";

export const currencyRoutes = defineRoutes({
  listCurrencies: { method: "GET", path, permission: "tenant-setting.view", answer: z.array(Currency) },
  /** Answers all currencies of the tenant. One it already has is refused at `code`. */
  addCurrency: { method: "POST", path, permission: "tenant-setting.update", body: NewCurrency, answer: z.array(Currency) },
});
