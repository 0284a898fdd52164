import { sql } from "kysely";
import type { Deps } from "../call.ts";
import { inTenant } from "../db/scope.ts";

/** Rows whose entry the queue has given up, because every attempt was lost with its process. */
const lost = sql`state in ('waiting', 'running') and not exists (
  select from pgboss.job entry where entry.name = jobs.kind and entry.id = jobs.queued_as and entry.state < 'completed')`;

/** Tenants with such rows. */
export const tenantsWithLostJobs = sql`select distinct tenant_id from jobs where ${lost}`;

/** Says of jobs the queue has given up that they have failed. Answers them, at most `limit`. */
export async function failLost({ database, log }: Deps, tenant: string, limit: number): Promise<string[]> {
  const { rows } = await inTenant(database, tenant, (db) =>
    sql<{ id: string }>`update jobs set state = 'failed', failure = 'lost', ended_at = now()
      where tenant_id = ${tenant} and id in (select id from jobs where tenant_id = ${tenant} and ${lost} limit ${limit}) returning id`.execute(
      db,
    ),
  );
  for (const { id } of rows) log.warn({ id, tenant }, "a job was lost with its process in every attempt");
  return rows.map(({ id }) => id);
}
