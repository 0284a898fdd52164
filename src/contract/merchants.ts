import { z } from "zod";
import { RecordEvent } from "./records.ts";
import { defineRoutes } from "./route.ts";
import { Amount, choices, Instant, ListMeta, listQuery, Name, range, Uuid, Version } from "./wire.ts";

const base = "/service/payment/api/tenant/v1/merchants";
const area = "pas.merchant.merchants";
const params = z.strictObject({ uuid: Uuid });

export const merchantStatuses = ["active", "inactive", "suspended"] as const;
const chargesBearers = ["merchant", "house"] as const;

/** Percent, 0 to 100, with up to 4 decimals. */
const Rate = z.string().regex(/^(100(\.0{1,4})?|\d{1,2}(\.\d{1,4})?)$/, "Must be a percent from 0 to 100 with at most 4 decimals");
/** http or https; empty is none. */
const Url = z
  .string()
  .trim()
  .max(500)
  .refine((text) => text === "" || (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)), "Must be a URL");
/** Comma list of IPv4 or IPv6 addresses or networks (specification, point 5). */
const IpList = z
  .string()
  .trim()
  .max(2000)
  .refine(
    (text) => text.split(",").every((part) => part.trim() === "" || /^[0-9a-fA-F:.]{2,45}(\/\d{1,3})?$/.test(part.trim())),
    "Must be IP addresses, comma separated",
  );

export const Merchant = z.object({
  uuid: Uuid,
  version: Version,
  code: z.string(),
  name: z.string(),
  currency: z.string(),
  status: z.enum(merchantStatuses),
  deposit_rate: z.string(),
  withdrawal_rate: z.string(),
  settlement_rate: z.string(),
  charges_borne_by: z.enum(chargesBearers),
  website_url: z.string().nullable(),
  backoffice_url: z.string().nullable(),
  callback_url: z.string().nullable(),
  /** Comma list. */
  whitelist_ips: z.string(),
  api_key: z.string(),
  /** What the merchant can draw on, and what open withdrawals hold. */
  wallet: Amount,
  hold: Amount,
  created_at: Instant,
  updated_at: Instant,
});
export type Merchant = z.infer<typeof Merchant>;

export const MerchantDetail = z.object({
  row: Merchant,
  groups: z.array(z.object({ uuid: Uuid, name: z.string() })),
  today: z.object({ deposits: z.int(), deposit_amount: Amount, withdrawals: z.int(), withdrawal_amount: Amount, open: z.int() }),
  history: z.array(RecordEvent),
});
export type MerchantDetail = z.infer<typeof MerchantDetail>;

/** What a form of a merchant edits; code and currency are fixed after creation. */
export const MerchantForm = z.strictObject({
  name: Name(120),
  deposit_rate: Rate,
  withdrawal_rate: Rate,
  settlement_rate: Rate,
  charges_borne_by: z.enum(chargesBearers),
  website_url: Url,
  backoffice_url: Url,
  callback_url: Url,
  whitelist_ips: IpList,
});
export type MerchantForm = z.infer<typeof MerchantForm>;

export const merchantSorts = ["name", "code", "created_at", "status"] as const;

export const tenantMerchantRoutes = defineRoutes({
  listMerchants: {
    method: "GET",
    path: base,
    permission: `${area}.view`,
    currency: true,
    query: listQuery(
      {
        "filter[status]": choices(merchantStatuses).optional(),
        "filter[name]": z.string().max(120).optional(),
        "filter[code]": z.string().max(40).optional(),
        ...range("wallet", Amount),
        ...range("hold", Amount),
        ...range("created_at", Instant),
      },
      merchantSorts,
    ),
    answer: z.array(Merchant),
    meta: ListMeta,
  },
  readMerchant: { method: "GET", path: `${base}/{uuid}`, permission: `${area}.view`, currency: true, params, answer: MerchantDetail },
  /** Answers the merchant; its secret is shown by a reset of its credentials only. */
  createMerchant: {
    method: "POST",
    path: base,
    permission: `${area}.create`,
    currency: true,
    body: MerchantForm.extend({
      code: z
        .string()
        .trim()
        .regex(/^[A-Z0-9]{2,12}$/, "Must be 2 to 12 capital letters or digits"),
    }),
    answer: Merchant,
  },
  /** A changed callback address, allow-list or rate asks again who one is. */
  updateMerchant: {
    method: "PUT",
    path: `${base}/{uuid}`,
    permission: `${area}.update`,
    currency: true,
    params,
    body: MerchantForm.extend({ version: Version }),
    answer: Merchant,
    refuses: ["record.stale"],
  },
  changeMerchantStatus: {
    method: "POST",
    path: `${base}/{uuid}/status`,
    permission: `${area}.change-status`,
    currency: true,
    params,
    body: z.strictObject({ version: Version, status: z.enum(merchantStatuses), reason: z.string().trim().max(500) }),
    answer: Merchant,
    refuses: ["record.stale"],
  },
  /** Refused while anything names it. */
  deleteMerchant: {
    method: "DELETE",
    path: `${base}/{uuid}`,
    permission: `${area}.delete`,
    currency: true,
    params,
    query: z.strictObject({ version: z.coerce.number().pipe(Version) }),
    answer: z.object({}),
    refuses: ["record.stale", "record.in-use"],
  },
});
