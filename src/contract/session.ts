import { z } from "zod";
import { defineRoutes } from "./route.ts";
import { Amount, Instant, Uuid } from "./wire.ts";

const base = "/service/centralize-authenticate/api/tenant/v1";

/** Text with one at sign, no spaces and a dot after it (specification, point 5). */
export const Email = z
  .string()
  .trim()
  .max(254)
  .regex(/^[^\s@]+@[^\s@]+\.[^\s@]+$/, "Invalid Email");

export const Tokens = z.object({
  access_token: z.string(),
  refresh_token: z.string(),
});
export type Tokens = z.infer<typeof Tokens>;

export const Tenant = z.object({
  id: Uuid,
  code: z.string(),
  name: z.string(),
  /** CSS colour of the tenant's band. */
  colour: z.string(),
});
export type Tenant = z.infer<typeof Tenant>;

export const SessionContext = z.object({
  user_groups: z.array(z.string()),
  /** area → actions */
  permissions: z.record(z.string(), z.array(z.string())),
  current_tenant: Uuid,
  available_tenants: z.array(Tenant),
});
export type SessionContext = z.infer<typeof SessionContext>;

export const Profile = z.object({
  uuid: Uuid,
  tenant_id: Uuid,
  email: z.string(),
  name: z.string(),
  status: z.string(),
  /** The effective permissions, as strings. */
  abilities: z.array(z.string()),
  force_reset_password: z.boolean(),
  last_login_at: Instant.nullable(),
  last_login_ip: z.string().nullable(),
  created_at: Instant,
  updated_at: Instant,
});
export type Profile = z.infer<typeof Profile>;

export const Currency = z.object({
  code: z.string(),
  name: z.string(),
  minor_digits: z.int(),
  country: z.object({ name: z.string(), timezone: z.object({ gmt: z.string() }) }),
});
export type Currency = z.infer<typeof Currency>;

/** What the console must know of the tenant's settings and of the service it is connected to. */
export const Config = z.object({
  currencies: z.array(Currency),
  realtime: z.object({
    key: z.string(),
    cluster: z.string(),
    /** null: same host and port as the page. */
    host: z.string().nullable(),
    port: z.int().nullable(),
    tls: z.boolean(),
  }),
  withdrawals: z.object({
    claim_limit: z.int(),
    lease_seconds: z.int(),
    recall_seconds: z.int(),
    /** Currency → amounts from which a second key, and a second person, is asked. */
    tiers: z.record(z.string(), z.object({ confirm_from: Amount, second_from: Amount })),
    /** In the order of the digits 1–9. */
    reject_reasons: z.array(z.object({ code: z.string(), text: z.string().nullable() })),
    /** Minutes of age from which a row is amber, and red. */
    sla: z.object({ amber_minutes: z.int(), red_minutes: z.int() }),
  }),
  server_time: Instant,
});
export type Config = z.infer<typeof Config>;

export const sessionRoutes = defineRoutes({
  login: {
    method: "POST",
    path: `${base}/auth/login`,
    permission: "public",
    body: z.strictObject({ email: Email, password: z.string().min(1).max(200) }),
    answer: Tokens,
    refuses: ["login.refused", "login.throttled"],
  },
  logout: {
    method: "POST",
    path: `${base}/auth/logout`,
    permission: "signed-in",
    tenant: "none",
    body: z.strictObject({ refresh_token: z.string().max(200) }),
    answer: z.object({}),
  },
  refreshToken: {
    method: "POST",
    path: `${base}/auth/token/refresh`,
    permission: "public",
    body: z.strictObject({ refresh_token: z.string().min(1).max(200) }),
    answer: Tokens,
    refuses: ["refresh.refused"],
  },
  readContext: {
    method: "GET",
    path: `${base}/auth/context`,
    permission: "signed-in",
    tenant: "optional",
    answer: SessionContext,
  },
  readProfile: {
    method: "GET",
    path: `${base}/profile`,
    permission: "signed-in",
    answer: z.object({ user: Profile }),
  },
  readConfig: {
    method: "GET",
    path: `${base}/config`,
    permission: "signed-in",
    answer: Config,
  },
});
