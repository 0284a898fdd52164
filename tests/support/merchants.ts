import type { Deps } from "../../src/server/call.ts";
import { merchantSecretPlace, noticeSecretPlace } from "../../src/server/secrets/secrets.ts";
import type { TestDatabase } from "./database.ts";
import { makeMerchant } from "./factories.ts";
import type { Account, Merchant, Tenant } from "./factories.ts";

/** Credentials that work: the key names its tenant, the secret is sealed. */
export interface Signer {
  readonly apiKey: string;
  readonly secret: string;
}

const secretFor = (id: string) => `whsec_${Buffer.from(id.repeat(2)).toString("base64").slice(0, 44)}`;

/** Gives the account a key for its bank notices. */
export async function makeForwarder(db: TestDatabase, deps: Deps, tenant: Tenant, { id }: Account): Promise<Signer> {
  const secret = secretFor(id);
  const { rows } = await db.owner.query<{ key: string }>(
    `update payment_accounts a set notice_secret = $2, notice_key = t.code || '_' || a.id from tenants t
      where a.id = $1 and t.id = a.tenant_id returning a.notice_key as key`,
    [id, deps.secrets.seal(secret, noticeSecretPlace(tenant.id, id))],
  );
  return { apiKey: rows[0]?.key ?? "", secret };
}

/** A merchant whose credentials work: its key names its tenant, its secret is sealed. */
export type SigningMerchant = Merchant & Signer;

export async function makeSigningMerchant(
  db: TestDatabase,
  deps: Deps,
  tenant: Tenant,
  columns: Parameters<typeof makeMerchant>[2] = {},
): Promise<SigningMerchant> {
  const merchant = await makeMerchant(db, tenant, columns);
  const secret = secretFor(merchant.id);
  const { rows } = await db.owner.query<{ api_key: string }>(
    `update merchants m set secret = $2, api_key = t.code || '_' || m.id from tenants t where m.id = $1 and t.id = m.tenant_id returning m.api_key`,
    [merchant.id, deps.secrets.seal(secret, merchantSecretPlace(tenant.id, merchant.id))],
  );
  return { ...merchant, apiKey: rows[0]?.api_key ?? "", secret };
}
