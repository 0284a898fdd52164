import { z } from "zod";
import { availabilities, availabilityColumn, availabilityFields } from "./availability.ts";
import { AppUrl, IpList, Url } from "./urls.ts";
import { control, Linked } from "./controls.ts";
import { JsonText } from "./json-text.ts";
import { merchantStatuses } from "./merchants.ts";
import { defineColumns } from "./record-columns.ts";
import { recordRoutes } from "./record-routes.ts";
import { RecordEvent } from "./records.ts";
import { defineRoutes } from "./route.ts";
import { Instant, Name, Percent, Uuid, Version } from "./wire.ts";

const base = "/service/game-provider/api/tenant/v1";
const area = "gps.provider.merchant-providers";

export const providerStatuses = ["active", "inactive"] as const;
/** Where the provider's games are played. */
export const platformTypes = ["web", "mobile", "app"] as const;
/** Money is played for in production only. */
export const environments = ["production", "test"] as const;

// ── merchants, as the providers' side sees them ──

export const GameMerchant = z.object({
  uuid: Uuid,
  version: Version,
  code: z.string(),
  name: z.string(),
  currency: z.string(),
  status: z.enum(merchantStatuses),
  /** Production where it has any set-up there. */
  environment: z.enum([...environments, "none"]),
  /** Set-ups in production and in test, by name. */
  production: z.array(z.string()),
  test: z.array(z.string()),
  games: z.int(),
  created_at: Instant,
  updated_at: Instant,
});
export type GameMerchant = z.infer<typeof GameMerchant>;

export const GameMerchantDetail = z.object({
  row: GameMerchant,
  providers: z.array(
    z.object({
      uuid: Uuid,
      name: z.string(),
      environment: z.enum(environments),
      status: z.enum(providerStatuses),
      availability: z.enum(availabilities),
      games: z.int(),
    }),
  ),
});
export type GameMerchantDetail = z.infer<typeof GameMerchantDetail>;

export const gameMerchantColumns = defineColumns({
  name: { filter: "part", most: 120, sort: true, find: "part" },
  code: { filter: "part", most: 40, sort: true, find: "part" },
  status: { filter: "choices", of: merchantStatuses, sort: true },
  environment: { filter: "choices", of: [...environments, "none"], sort: true },
  created_at: { filter: "time", sort: true },
});

export const gameMerchantRoutes = recordRoutes(`${base}/game-merchants`, area, {
  one: "GameMerchant",
  many: "GameMerchants",
  currency: true,
  columns: gameMerchantColumns,
  row: GameMerchant,
  detail: GameMerchantDetail,
});

// ── one merchant's set-up at a provider ──

export const MerchantProvider = z.object({
  uuid: Uuid,
  version: Version,
  name: z.string(),
  merchant: Linked,
  /** The house's account at the provider, whose credit its games draw on. */
  master_account: Linked.nullable(),
  currency: z.string(),
  status: z.enum(providerStatuses),
  ...availabilityFields,
  /** `is_prod` as a word, which lists and filters show. */
  environment: z.enum(environments),
  is_prod: z.boolean(),
  platform_type: z.enum(platformTypes),
  /** Percent of what is played that the provider's side takes. */
  pt: z.string(),
  website_url: z.string().nullable(),
  backoffice_url: z.string().nullable(),
  callback_url: z.string().nullable(),
  deep_link: z.string().nullable(),
  download_url: z.string().nullable(),
  /** Comma list. */
  whitelist_ips: z.string(),
  /** Whether they are kept; what they are is answered by `viewMerchantProviderCredential` alone. */
  has_api_credential: z.boolean(),
  has_account_credentials: z.boolean(),
  games: z.int(),
  active_games: z.int(),
  created_at: Instant,
  updated_at: Instant,
});
export type MerchantProvider = z.infer<typeof MerchantProvider>;

const MerchantProviderDetail = z.object({
  row: MerchantProvider,
  /** The first of its games by name. */
  first_games: z.array(z.string()),
  history: z.array(RecordEvent),
});
export type MerchantProviderDetail = z.infer<typeof MerchantProviderDetail>;

/** Of an empty credential the kept one stays. */
export const MerchantProviderForm = z.strictObject({
  name: Name(80),
  is_prod: z.boolean().meta(control("switch")),
  platform_type: z.enum(platformTypes).meta(control("choice")),
  pt: Percent,
  master_account: Uuid.nullable().meta(control("reference", "master-accounts")),
  website_url: Url,
  backoffice_url: Url,
  callback_url: Url,
  deep_link: AppUrl,
  download_url: Url,
  whitelist_ips: IpList,
  api_credential: JsonText,
  account_credentials: JsonText,
});
export type MerchantProviderForm = z.infer<typeof MerchantProviderForm>;

export const merchantProviderColumns = defineColumns({
  name: { filter: "part", most: 80, sort: true, find: "part" },
  environment: { filter: "choices", of: environments, sort: true },
  status: { filter: "choices", of: providerStatuses, sort: true },
  availability: availabilityColumn,
  platform_type: { filter: "choices", of: platformTypes, sort: true },
  created_at: { filter: "time", sort: true },
  uuid: { filter: "rows" },
});

const providers = `${base}/merchant-providers`;
const params = z.strictObject({ uuid: Uuid });
export const credentialKinds = ["api_credential", "account_credentials"] as const;
export type CredentialKind = (typeof credentialKinds)[number];

const providerRecordRoutes = recordRoutes(providers, area, {
  one: "MerchantProvider",
  many: "MerchantProviders",
  currency: true,
  within: { path: `${base}/merchants/{merchantUuid}/merchant-providers`, params: z.strictObject({ merchantUuid: Uuid }) },
  columns: merchantProviderColumns,
  row: MerchantProvider,
  detail: MerchantProviderDetail,
  create: MerchantProviderForm,
  update: MerchantProviderForm,
  status: providerStatuses,
  remove: true,
});

export const merchantProviderRoutes = defineRoutes({
  ...gameMerchantRoutes,
  ...providerRecordRoutes,
  /** Answers a kept credential. Audited. */
  viewMerchantProviderCredential: {
    method: "POST",
    path: `${providers}/{uuid}/credentials/view`,
    permission: `${area}.view-credentials`,
    currency: true,
    stepUp: true,
    params,
    body: z.strictObject({ which: z.enum(credentialKinds) }),
    answer: z.object({ credential: z.string().nullable() }),
  },
  /**
   * Makes the same set-up for another merchant: inactive, in test, with its games if wanted, and without credentials, which are one
   * merchant's alone. Answers the set-up that was copied; `copy` is the new one.
   */
  copyMerchantProvider: {
    method: "POST",
    path: `${providers}/{uuid}/copy`,
    permission: `${area}.create`,
    currency: true,
    params,
    body: z.strictObject({
      version: Version,
      to_merchant: Uuid.meta(control("reference", "game-merchants")),
      copy_games: z.boolean().meta(control("switch")),
    }),
    answer: MerchantProvider.extend({ copy: Uuid }),
    refuses: ["record.stale"],
  },
});
