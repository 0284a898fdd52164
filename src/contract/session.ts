import { z } from "zod";
import { control } from "./controls.ts";
import { DecisionSettings } from "./decisions.ts";
import { defineRoutes } from "./route.ts";
import { Instant, Uuid } from "./wire.ts";

const base = "/service/centralize-authenticate/api/tenant/v1";

/** Text with one at sign, no spaces and a dot after it (specification, point 5). */
export const Email = z
  .string()
  .max(254)
  .regex(/^[^\s@]+@[^\s@]+\.[^\s@]+$/, "Invalid Email")
  .meta(control("email", { autoComplete: "username" }));

export const Tokens = z.object({
  access_token: z.string(),
  refresh_token: z.string(),
});
export type Tokens = z.infer<typeof Tokens>;

/** How a session ended; the `data` of session.ended. */
export const SessionEnd = z.object({
  why: z.enum(["signed-out", "password-changed", "password-reset", "two-factor-reset", "token-reused", "suspended", "removed", "expired"]),
  at: Instant,
  /** The name of the person who ended it; null: the user, or nobody. */
  by: z.string().nullable(),
  /** The address it was ended from; null: another person ended it, or nobody. */
  ip: z.string().nullable(),
  /** The User-Agent it was ended from. */
  agent: z.string().nullable(),
});
export type SessionEnd = z.infer<typeof SessionEnd>;

/** The password was right and two-factor is on: signInTwoFactor answers the tokens. */
export const Challenge = z.object({ challenge: z.string(), expires_at: Instant });
export type Challenge = z.infer<typeof Challenge>;

/** Six digits, optionally in two groups. */
export const Code = z
  .string()
  .trim()
  .regex(/^\d{3} ?\d{3}$/, "Must be six digits")
  .meta(control("code"));
const RecoveryCode = z.string().trim().min(1).max(60).meta(control("text"));
/** The password one has, as it proves who one is. */
export const Password = z
  .string()
  .min(1)
  .max(200)
  .meta(control("password", { autoComplete: "current-password" }));

const commonest =
  "1234567890 0123456789 12345678910 1q2w3e4r5t qwertyuiop q1w2e3r4t5 password12 password123 password1234 passw0rd123 letmein1234 welcome123 welcome1234 administrator iloveyou12 iloveyou123 changeme123 1234512345 1111111111 0000000000 abcdefghij abcd123456 qwerty12345 qwerty123456 adminadmin admin12345 admin123456 monkey12345 football123 countinghouse";
const common: ReadonlySet<string> = new Set(commonest.split(" "));

/** At least 10 characters and not one of the most common; the server also refuses the e-mail. */
export const NewPassword = z
  .string()
  .min(10, "Must have at least 10 characters")
  .max(200)
  .refine((text) => !common.has(text.toLowerCase()), "Too common: choose another password")
  .meta(control("password", { autoComplete: "new-password" }));
/** The new password once more; it is judged by being the same. */
export const PasswordAgain = z
  .string()
  .max(200)
  .meta(control("password", { autoComplete: "new-password" }));

/** For bodies with password and password_confirmation. */
export function confirmed({
  value,
  issues,
}: {
  value: { password: string; password_confirmation: string };
  issues: z.core.$ZodRawIssue[];
}): void {
  if (value.password === value.password_confirmation) return;
  issues.push({ code: "custom", path: ["password_confirmation"], message: "Must be the same", input: value.password_confirmation });
}

/** A proof of identity: either the password or a code. */
export const Proof = z
  .strictObject({ password: Password.optional(), code: Code.optional() })
  .refine(({ password, code }) => (password === undefined) !== (code === undefined), {
    path: ["password"],
    message: "Give either password or code",
  });
export type Proof = z.infer<typeof Proof>;

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
  email: z.string().meta(control("email")),
  name: z.string(),
  status: z.string(),
  /** The effective permissions, as strings. */
  abilities: z.array(z.string()),
  /** Until they set a new password every other route refuses them. */
  force_reset_password: z.boolean(),
  two_factor: z.object({
    enabled: z.boolean(),
    /** Required by this tenant: until it is set up every other route refuses the user. */
    required: z.boolean(),
    /** Recovery codes not used yet. */
    recovery_left: z.int(),
  }),
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

/** The tenant's settings and the realtime service, as the console needs them. */
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
  withdrawals: DecisionSettings,
  deposits: DecisionSettings,
  /** The languages a user can choose; the first is English. */
  languages: z.array(z.string()),
  /** Which counters make a sound when they rise, and whether the alarm of score watchers does. */
  sounds: z.object({ deposit: z.boolean(), withdraw: z.boolean(), paymentAccount: z.boolean(), scoreAlarm: z.boolean() }),
  server_time: Instant,
});
export type Config = z.infer<typeof Config>;

/** Minutes a proof of identity is valid for routes with `stepUp`; signing in is a proof. */
export const proofMinutes = 10;

export const sessionRoutes = defineRoutes({
  login: {
    method: "POST",
    path: `${base}/auth/login`,
    permission: "public",
    body: z.strictObject({ email: Email, password: Password }),
    answer: z.union([Tokens, Challenge]),
    refuses: ["login.refused", "login.throttled", "login.busy"],
  },
  /** The second step of signing in: a code of the authenticator, or one recovery code instead. */
  signInTwoFactor: {
    method: "POST",
    path: `${base}/auth/two-factor`,
    permission: "public",
    body: z
      .strictObject({ challenge: z.string().min(1).max(200), code: Code.optional(), recovery_code: RecoveryCode.optional() })
      .refine(({ code, recovery_code }) => (code === undefined) !== (recovery_code === undefined), {
        path: ["code"],
        message: "Give either code or recovery_code",
      }),
    answer: Tokens,
    refuses: ["challenge.over", "code.refused", "login.throttled"],
  },
  /** The answer does not depend on whether the user exists. The mailed link leads to /reset-password?token&email. */
  forgotPassword: {
    method: "POST",
    path: `${base}/auth/forgot-password`,
    permission: "public",
    body: z.strictObject({ email: Email }),
    answer: z.object({}),
    refuses: ["login.throttled"],
  },
  /** The token is valid once and for 60 minutes. All sessions of the user end. */
  resetPassword: {
    method: "POST",
    path: `${base}/auth/reset-password`,
    permission: "public",
    body: z
      .strictObject({
        token: z.string().min(1).max(200),
        email: Email,
        password: NewPassword,
        password_confirmation: PasswordAgain,
      })
      .check(confirmed),
    answer: z.object({}),
    refuses: ["reset.refused", "login.throttled", "login.busy"],
  },
  /** Opens routes with `stepUp` to this session for 10 minutes. */
  stepUp: {
    method: "POST",
    path: `${base}/auth/step-up`,
    permission: "signed-in",
    unready: true,
    body: Proof,
    answer: z.object({}),
    refuses: ["password.wrong", "code.refused", "login.throttled", "login.busy"],
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
    unready: true,
    tenant: "optional",
    answer: SessionContext,
  },
  readProfile: {
    method: "GET",
    path: `${base}/profile`,
    permission: "signed-in",
    unready: true,
    answer: z.object({ user: Profile }),
  },
  readConfig: {
    method: "GET",
    path: `${base}/config`,
    permission: "signed-in",
    unready: true,
    answer: Config,
  },
});
