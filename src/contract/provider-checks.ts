import { z } from "zod";
import { control } from "./controls.ts";
import { Amount, Instant, Line, Uuid } from "./wire.ts";

/** A header sent to a provider; its value may name credentials. */
export const HeaderTemplate = z.strictObject({
  name: z
    .string()
    .trim()
    .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,80}$/, "Must be the name of a header")
    .meta(control("text")),
  value: Line(1_000)
    // oxlint-disable-next-line no-control-regex -- a header must not have one
    .refine((text) => !/[\u0000-\u0008\u000a-\u001f\u007f]/.test(text), "Must be one line")
    .meta(control("text")),
});
export type HeaderTemplate = z.infer<typeof HeaderTemplate>;

export const checkMethods = ["GET", "POST"] as const;

/** {{name}} or {{group.name}}: a value of the credentials. */
export const placeholder = /\{\{\s*([\w-]+(?:\.[\w-]+)*)\s*\}\}/g;
/** The same text with each placeholder as a word, so that it can be checked as what it will be. */
const filledIn = (text: string): string => text.replaceAll(placeholder, "x");

const Template = (length: number) => z.string().trim().max(length);
const isHttp = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);

/** Of a URL: its user and password, and its host with the port; as written, with their placeholders. */
function authorityOf(text: string): { readonly user: string; readonly host: string } {
  const [, user = "", host = ""] = /^[^/]*\/\/(?:([^/?#]*)@)?([^/?#]*)/.exec(text) ?? [];
  return { user, host };
}
const hasPlainHost = (text: string): boolean => !authorityOf(text).host.includes("{{");

/** An http or https URL whose path and query may name credentials; its host may not, so that everybody sees where these go. */
const TargetUrl = Template(1_000)
  .min(1)
  .refine((text) => isHttp(filledIn(text)), "Must be a URL")
  .refine(hasPlainHost, "Must name its host plainly")
  .meta(control("text"));
/** Its user and password are named, because everybody who may see the account sees it; its host is plain. */
const ProxyUrl = Template(500)
  .refine((text) => text === "" || isHttp(filledIn(text)), "Must be a URL")
  .refine(hasPlainHost, "Must name its host plainly")
  .refine((text) => /^:?$/.test(authorityOf(text).user.replaceAll(placeholder, "")), "Must name user and password as {{…}}")
  .meta(control("text"));

/** A JSON pointer (RFC 6901): "/data/balance"; "" is the whole answer. */
const isPointer = (text: string): boolean => /^(?:\/(?:[^~/]|~[01])*)*$/.test(text);
const Pointer = z.string().trim().max(200).refine(isPointer, "Must be a JSON pointer").meta(control("text"));

/** Most seconds a provider may take. */
export const longestCheck = 60;

/** How a provider is asked for the credit left in an account, and how its answer is read. */
export const checkFields = {
  check_url: TargetUrl,
  check_method: z.enum(checkMethods).meta(control("choice")),
  check_headers: z.array(HeaderTemplate).max(20).meta(control("rows")),
  /** Sent with POST; JSON unless a header says otherwise. */
  check_body: Template(8_000).meta(control("lines")),
  timeout_seconds: z.int().min(1).max(longestCheck).meta(control("count")),
  require_proxy: z.boolean().meta(control("switch")),
  proxy_url: ProxyUrl,
  balance_pointer: Pointer,
  /** Empty: there is credit while the balance is above zero. */
  credit_pointer: Pointer,
  /** Where the answer says its currency; empty: it does not. */
  currency_pointer: Pointer,
  /** The answer counts only when it has this value there; empty: any answer with a status of 2xx. */
  success_pointer: Pointer,
  success_value: z.string().trim().max(200).meta(control("text")),
} as const;
export const CheckSettings = z.strictObject(checkFields);
/** The settings of a provider's adapter. */
export type CheckSettings = z.infer<typeof CheckSettings>;

/** Longest credentials, in characters. */
const longestCredentials = 8_000;
const isJsonObject = (text: string): boolean => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
};
/** A JSON object of names and values; empty: those that are kept. */
export const Credentials = z
  .string()
  .trim()
  .max(longestCredentials)
  .refine((text) => text === "" || isJsonObject(text), "Must be a JSON object")
  .meta(control("json"));

/** Why a check failed: its text is `master-account.failure.<code>` in every language, and `about` says what it is about. */
export const checkFailures = [
  "no-credential",
  "bad-credential",
  "blocked",
  "unreachable",
  "proxy",
  "timed-out",
  "redirect",
  "http-status",
  "encoded",
  "too-large",
  "not-json",
  "refused",
  "no-currency",
  "wrong-currency",
  "no-balance",
  "not-amount",
  "no-credit-flag",
  "not-flag",
  "unforeseen",
] as const;
export type CheckFailure = (typeof checkFailures)[number];

/** What one check came to; a failed one has read nothing. */
const outcome = {
  milliseconds: z.int(),
  http_status: z.int().nullable(),
  failure: z.enum(checkFailures).nullable(),
  /** A pointer, a status, a name; never a secret. */
  about: z.string().nullable(),
  balance: Amount.nullable(),
  has_credit: z.boolean().nullable(),
  /** The beginning of the answer, secrets masked; null: there was none. */
  answer: z.string().nullable(),
};

/** Days that checks are kept. */
export const checkDays = 90;

export const CreditCheck = z.object({
  uuid: Uuid,
  at: Instant,
  ...outcome,
  /** null: nobody asked for it, its turn came. */
  by: z.string().nullable(),
  /** The account was down for maintenance: a failure says nothing of it. */
  in_downtime: z.boolean(),
});
export type CreditCheck = z.infer<typeof CreditCheck>;

/** A check that was tried and nothing was written of. */
export const TriedCheck = z.object({
  ...outcome,
  /** As it was sent, secrets masked; null: it could not be made. */
  request: z
    .object({ method: z.string(), url: z.string(), headers: z.array(z.object({ name: z.string(), value: z.string() })), body: z.string() })
    .nullable(),
});
export type TriedCheck = z.infer<typeof TriedCheck>;
