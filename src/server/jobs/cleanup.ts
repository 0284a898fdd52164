import { sql } from "kysely";
import { inTenant } from "../db/scope.ts";
import type { Database } from "../db/scope.ts";

/** Removes what has served its time: throttles, challenges and links, sockets nobody heard of, stale signatures, idempotency keys after 30 days. */
export async function cleanUp(database: Database): Promise<void> {
  await sql`delete from throttles where resets_at < now()`.execute(database.open);
  await sql`delete from realtime_sockets where at < now() - interval '1 day'`.execute(database.open);
  await sql`delete from sign_in_challenges where expires_at < now() - interval '1 day'`.execute(database.open);
  await sql`delete from password_resets where expires_at < now() - interval '1 day'`.execute(database.open);
  const tenants = await database.worker.selectFrom("tenants").select("id").execute();
  for (const { id } of tenants) {
    await inTenant(database, id, async (db) => {
      // refused as stale by their timestamps long before
      await sql`delete from seen_signatures where tenant_id = ${id} and at < now() - interval '15 minutes'`.execute(db);
      await sql`delete from idempotency_keys where ctid in (
        select ctid from idempotency_keys where tenant_id = ${id} and created_at < now() - interval '30 days' limit 5000)`.execute(db);
    });
  }
}
