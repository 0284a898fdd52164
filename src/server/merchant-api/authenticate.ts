import { timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { sql } from "kysely";
import { oldSignaturesSince, oldSignaturesUntil } from "../../contract/merchant-api.ts";
import { Refusal } from "../../contract/problems.ts";
import type { ProblemCode } from "../../contract/problems.ts";
import type { CurrencyFacts, Deps } from "../call.ts";
import { inTenant } from "../db/scope.ts";
import type { Scoped } from "../db/scope.ts";
import { isInNetworks } from "../outbox/addresses.ts";
import { merchantSecretPlace, noticeSecretPlace } from "../secrets/secrets.ts";
import { literalSignatureOf, oldSignatureOf, signatureOf } from "./sign.ts";
import type { Sign, SignedRequest } from "./sign.ts";

interface ReceivedRequest extends Omit<SignedRequest, "idempotencyKey"> {
  readonly headers: IncomingHttpHeaders;
  readonly ip: string;
}

interface Authenticated {
  readonly tenant: string;
  readonly signer: { readonly id: string; readonly name: string; readonly currency: string };
  readonly currencyFacts: CurrencyFacts;
  /** Signed in a form that ends at `oldSignaturesUntil`. */
  readonly isOldForm: boolean;
}

interface KeyHolder {
  readonly id: string;
  readonly name: string;
  readonly currency: string;
  readonly status: string;
  readonly secret: Buffer;
  readonly previous_secret: Buffer | null;
  readonly whitelist_ips: readonly string[];
  readonly minor_digits: number;
  readonly zone_minutes: number;
  /** Whether a use of that secret was noted within the minute. */
  readonly is_secret_noted: boolean;
  readonly is_previous_secret_noted: boolean;
}

/** Whose keys sign a kind of request. */
interface KeyHolders {
  find(db: Scoped, tenant: string, key: string): Promise<KeyHolder | undefined>;
  readonly place: (tenant: string, id: string) => string;
  readonly takesOldForms: boolean;
  /** How one that is not active is refused. */
  readonly inactive: ProblemCode;
  /** Notes by which of its secrets a request was signed. */
  readonly noteUse?: (db: Scoped, tenant: string, id: string, secret: SecretName) => Promise<void>;
}
type SecretName = "secret" | "previous_secret";

const merchants: KeyHolders = {
  find: merchantOf,
  place: merchantSecretPlace,
  takesOldForms: true,
  inactive: "merchant.inactive",
  noteUse: noteMerchantUse,
};
/** A forwarder signs for a payment account, whatever the account's status: what its bank booked is a fact. */
const forwarders: KeyHolders = { find: accountOf, place: noticeSecretPlace, takesOldForms: false, inactive: "signature.invalid" };

/** The merchant that signed the request; throws as `authenticate`, and merchant.inactive | address-refused. */
export const authenticateMerchant = (deps: Deps, request: ReceivedRequest) => authenticate(deps, request, merchants);
/** The payment account by whose key the request is signed. */
export const authenticateForwarder = (deps: Deps, request: ReceivedRequest) => authenticate(deps, request, forwarders);

/** Headers of the answer to a request signed in an old form (RFC 9745, RFC 8594). */
export const oldFormHeaders = {
  deprecation: `@${Date.parse(oldSignaturesSince) / 1000}`,
  sunset: "Tue, 01 Jun 2027 00:00:00 GMT",
  link: '</docs#signing>; rel="deprecation"; type="text/html"',
} as const;

/** Seconds a request's timestamp may differ from ours. It may have decimals, so that equal requests of one second differ. */
export const tolerance = 300;

/**
 * Who signed the request: an HMAC over timestamp, method, path, idempotency key and body, with the current secret or a previous one still
 * valid. The timestamp must be recent, the signature new, the address allowed. Throws signature.missing | milliseconds | upper-case |
 * base64 | invalid | stale | replayed. An unknown key is answered like a wrong signature.
 */
async function authenticate(deps: Deps, request: ReceivedRequest, holders: KeyHolders): Promise<Authenticated> {
  const [key, timestamp, signature] = ["x-api-key", "x-timestamp", "x-signature"].map((name) => request.headers[name]);
  if (!key || !timestamp || !signature) throw new Refusal("signature.missing");
  if (typeof key !== "string" || typeof timestamp !== "string" || typeof signature !== "string") throw new Refusal("signature.invalid");
  const { version, given } = readSigned(timestamp, signature);
  if (!/^[A-Z0-9]{2,6}_[\x21-\x7e]{1,100}$/.test(key)) throw new Refusal("signature.invalid");
  const sent = request.headers["idempotency-key"];
  const signed = { ...request, idempotencyKey: typeof sent === "string" ? sent : "" };
  const tenant = await deps.database.open
    .selectFrom("tenants")
    .select(["id", "status"])
    .where("code", "=", key.slice(0, key.indexOf("_")))
    .executeTakeFirst();
  if (!tenant) throw new Refusal("signature.invalid");
  return inTenant(deps.database, tenant.id, async (db) => {
    const holder = await holders.find(db, tenant.id, key);
    const isSignedBy = (sign: Sign) =>
      holder && signedBy(deps, holders.place(tenant.id, holder.id), holder, given, (secret) => sign(secret, timestamp, signed));
    const takesOldForms = holders.takesOldForms && Date.now() < Date.parse(oldSignaturesUntil);
    const byCurrentForm = version === undefined ? undefined : isSignedBy(signatureOf);
    const by = byCurrentForm ?? (takesOldForms ? isSignedBy(version === undefined ? oldSignatureOf : literalSignatureOf) : undefined);
    if (!holder || !by) throw new Refusal("signature.invalid");
    if (Math.abs(Date.now() / 1000 - Number(timestamp)) > tolerance) throw new Refusal("signature.stale");
    if (tenant.status !== "active" || holder.status !== "active") throw new Refusal(holders.inactive);
    if (holder.whitelist_ips.length > 0 && !isInNetworks(request.ip, holder.whitelist_ips)) throw new Refusal("merchant.address-refused");
    if (!(await isFirst(db, tenant.id, given))) throw new Refusal("signature.replayed");
    if (!holder[`is_${by}_noted`]) await holders.noteUse?.(db, tenant.id, holder.id, by);
    const { id, name, currency, minor_digits, zone_minutes } = holder;
    return {
      tenant: tenant.id,
      signer: { id, name, currency },
      currencyFacts: { minorDigits: minor_digits, zoneMinutes: zone_minutes },
      isOldForm: byCurrentForm === undefined,
    };
  });
}

/** Reads what was sent; refuses the usual mistakes by name, because none of them can be seen in "invalid". */
function readSigned(timestamp: string, signature: string): { version: string | undefined; given: Buffer } {
  if (/^\d{13}$/.test(timestamp)) throw new Refusal("signature.milliseconds");
  const bare = signature.replace(/^v2=/, "");
  if (/^[0-9A-Fa-f]{64}$/.test(bare) && bare !== bare.toLowerCase()) throw new Refusal("signature.upper-case");
  if (/^[A-Za-z0-9+/_-]{43}=?$/.test(bare)) throw new Refusal("signature.base64");
  const form = /^(v2=)?([0-9a-f]{64})$/.exec(signature);
  if (!/^\d{1,12}(\.\d{1,6})?$/.test(timestamp) || !form) throw new Refusal("signature.invalid");
  const [, version, hex = ""] = form;
  return { version, given: Buffer.from(hex, "hex") };
}

/**
 * Stores the signature; answers whether it is new. The commit does not wait for the disk: PostgreSQL writes commits in order, so a
 * request's effect never survives a crash without its signature.
 */
async function isFirst(db: Scoped, tenant: string, signature: Buffer): Promise<boolean> {
  const { numAffectedRows } = await sql`insert into seen_signatures (tenant_id, signature)
    select ${tenant}, ${signature} from set_config('synchronous_commit', 'off', true) on conflict do nothing`.execute(db);
  return numAffectedRows === 1n;
}

async function merchantOf(db: Scoped, tenant: string, key: string): Promise<KeyHolder | undefined> {
  const { rows } = await sql<KeyHolder>`
    select m.id, m.name, m.currency, m.status, m.secret, case when m.previous_secret_until > now() then m.previous_secret end as previous_secret,
      m.whitelist_ips, c.minor_digits, c.zone_minutes,
      coalesce(m.secret_used_at > now() - interval '1 minute', false) as is_secret_noted,
      coalesce(m.previous_secret_used_at > now() - interval '1 minute', false) as is_previous_secret_noted
    from merchants m join currencies c on c.tenant_id = m.tenant_id and c.code = m.currency
    where m.tenant_id = ${tenant} and m.api_key = ${key}`.execute(db);
  return rows[0];
}

async function accountOf(db: Scoped, tenant: string, key: string): Promise<KeyHolder | undefined> {
  const { rows } = await sql<KeyHolder>`
    select a.id, a.code as name, a.currency, 'active' as status, a.notice_secret as secret,
      case when a.previous_notice_secret_until > now() then a.previous_notice_secret end as previous_secret,
      '{}'::text[] as whitelist_ips, c.minor_digits, c.zone_minutes, true as is_secret_noted, true as is_previous_secret_noted
    from payment_accounts a join currencies c on c.tenant_id = a.tenant_id and c.code = a.currency
    where a.tenant_id = ${tenant} and a.notice_key = ${key}`.execute(db);
  return rows[0];
}

/** Passed over while another has the merchant's row, because no request waits for a note. */
async function noteMerchantUse(db: Scoped, tenant: string, id: string, secret: SecretName): Promise<void> {
  await sql`update merchants set ${sql.ref(`${secret}_used_at`)} = now() where tenant_id = ${tenant} and id =
    (select id from merchants where tenant_id = ${tenant} and id = ${id} for no key update skip locked)`.execute(db);
}

/** The secret that made the signature. */
function signedBy(
  deps: Deps,
  place: string,
  holder: KeyHolder,
  given: Buffer,
  wantedOf: (secret: string) => string,
): SecretName | undefined {
  return (["secret", "previous_secret"] as const).find((name) => {
    const sealed = holder[name];
    return sealed !== null && timingSafeEqual(Buffer.from(wantedOf(deps.secrets.open(sealed, place)), "hex"), given);
  });
}
