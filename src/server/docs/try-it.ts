import { sql } from "kysely";
import type { Deps } from "../call.ts";
import { inTenant } from "../db/scope.ts";
import { merchantSecretPlace } from "../secrets/secrets.ts";
import type { TryIt } from "./guide.ts";

/**
 * The credentials of a merchant for the form of /docs: with demo data only, and there of the oldest active merchant whose callbacks stay on
 * this machine. They are public then, so no merchant of a real tenant is ever taken.
 */
export async function findTryIt({ config, database, secrets }: Deps): Promise<TryIt | null> {
  if (config.demo !== true) return null;
  const tenant = await database.open
    .selectFrom("tenants")
    .select("id")
    .where("status", "=", "active")
    .orderBy("code")
    .limit(1)
    .executeTakeFirst();
  if (!tenant) return null;
  const { rows } = await inTenant(database, tenant.id, (db) =>
    sql<{ id: string; api_key: string; secret: Buffer; currency: string }>`select id, api_key, secret, currency from merchants
      where tenant_id = ${tenant.id} and status = 'active' and callback_url like 'http://127.0.0.1:%' order by created_at, id limit 1`.execute(
      db,
    ),
  );
  const [found] = rows;
  if (!found) return null;
  const { id, api_key, secret, currency } = found;
  return { apiKey: api_key, secret: secrets.open(secret, merchantSecretPlace(tenant.id, id)), currency };
}
