import type { Deps } from "../../src/server/call.ts";
import { merchantSecretPlace } from "../../src/server/secrets/secrets.ts";
import type { TestDatabase } from "./database.ts";
import { makeMerchant } from "./factories.ts";
import type { Merchant, Tenant } from "./factories.ts";

/** A merchant whose credentials work: its key names its tenant, its secret is sealed. */
export interface SigningMerchant extends Merchant {
  readonly apiKey: string;
  readonly secret: string;
}

export async function makeSigningMerchant(
  db: TestDatabase,
  deps: Deps,
  tenant: Tenant,
  columns: Parameters<typeof makeMerchant>[2] = {},
): Promise<SigningMerchant> {
  const merchant = await makeMerchant(db, tenant, columns);
  const secret = `whsec_${Buffer.from(merchant.id.repeat(2)).toString("base64").slice(0, 44)}`;
  const { rows } = await db.owner.query<{ api_key: string }>(
    `update merchants m set secret = $2, api_key = t.code || '_' || m.id from tenants t where m.id = $1 and t.id = m.tenant_id returning m.api_key`,
    [merchant.id, deps.secrets.seal(secret, merchantSecretPlace(tenant.id, merchant.id))],
  );
  return { ...merchant, apiKey: rows[0]?.api_key ?? "", secret };
}
