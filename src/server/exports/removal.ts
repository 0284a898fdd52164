import { sql } from "kysely";
import type { Deps } from "../call.ts";
import type { Scoped } from "../db/scope.ts";
import { inTenant } from "../db/scope.ts";
import { skipFailure } from "../jobs/record.ts";
import { discardParts, giveUpParts } from "./parts.ts";

/** Exports that have ended and served their time. */
const expired = sql`exists (select from jobs j where j.tenant_id = e.tenant_id and j.id = e.id and j.ended_at is not null)
  and e.expires_at < now()`;

/** Tenants with such exports. */
export const tenantsWithOldExports = sql`select distinct e.tenant_id from exports e where ${expired}`;

/** Removes an export, its job and its parts within the caller's transaction. Answers the parts, to be deleted after the commit. */
export async function removeExport(db: Scoped, { tenant, id }: { tenant: string; id: string }): Promise<string[]> {
  const parts = await giveUpParts(db, { tenant, id });
  await db.deleteFrom("exports").where("tenant_id", "=", tenant).where("id", "=", id).execute();
  await db.deleteFrom("jobs").where("tenant_id", "=", tenant).where("id", "=", id).execute();
  return parts;
}

/** Removes a tenant's expired exports. Answers them, at most `limit`; failures are added to `failed`, which are not tried. */
export async function removeOldExports(deps: Deps, tenant: string, limit: number, failed = new Set<string>()): Promise<string[]> {
  const { rows } = await inTenant(deps.database, tenant, (db) =>
    sql<{ id: string }>`select e.id from exports e
      where e.tenant_id = ${tenant} and ${expired} and e.id <> all(${[...failed]}::uuid[]) limit ${limit}`.execute(db),
  );
  const done: string[] = [];
  for (const { id } of rows) {
    const ended = await skipFailure(deps, "exports", { tenant, export: id }, async () => {
      await discardParts(deps, tenant, await inTenant(deps.database, tenant, (db) => removeExport(db, { tenant, id })));
      return id;
    });
    if (ended === undefined) failed.add(id);
    else done.push(ended);
  }
  return done;
}
