import type { RawBuilder } from "kysely";
import { sql } from "kysely";
import type { House } from "../call.ts";
import { inTenant } from "../db/scope.ts";
import { passingBy } from "./record.ts";

/** What belongs to no tenant. */
const shared: readonly RawBuilder<unknown>[] = [
  sql`delete from throttles where resets_at < now()`,
  sql`delete from realtime_sockets where at < now() - interval '1 day'`,
  sql`delete from sign_in_challenges where expires_at < now() - interval '1 day'`,
  sql`delete from password_resets where expires_at < now() - interval '1 day'`,
];

const ofTenant = (id: string): readonly RawBuilder<unknown>[] => [
  // refused as stale by their timestamps long before
  sql`delete from seen_signatures where tenant_id = ${id} and at < now() - interval '15 minutes'`,
  sql`delete from idempotency_keys where ctid in (
    select ctid from idempotency_keys where tenant_id = ${id} and created_at < now() - interval '30 days' limit 5000)`,
];

/**
 * Removes what has served its time: throttles, challenges and links, sockets nobody heard of, stale signatures, idempotency keys after
 * 30 days. What cannot be removed is passed by.
 */
export async function cleanUp(house: House): Promise<void> {
  const { database } = house;
  for (const [n, step] of shared.entries()) await passingBy(house, "cleaning", { step: n }, () => step.execute(database.open));
  const tenants = await database.worker.selectFrom("tenants").select("id").execute();
  for (const { id: tenant } of tenants) {
    for (const [n, step] of ofTenant(tenant).entries()) {
      await passingBy(house, "cleaning", { tenant, step: n }, () => inTenant(database, tenant, (db) => step.execute(db)));
    }
  }
}
