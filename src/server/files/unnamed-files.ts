import { sql } from "kysely";
import type { Deps } from "../call.ts";
import { inTenant } from "../db/scope.ts";
import { skipFailure } from "../jobs/record.ts";

/** After which a file without a row counts as an orphan. */
const orphanAfter = sql`interval '1 hour'`;
/** How long the file of a removed receipt is kept. */
const removedAfter = sql`interval '30 days'`;

/** Tenants with files to delete. */
export const tenantsWithUnnamedFiles = sql`select tenant_id from file_uploads where begun_at < now() - ${orphanAfter}
  union select tenant_id from receipts where removed_at < now() - ${removedAfter} and cleared_at is null`;

/** Deletes a file that was stored for a row which did not come about. */
export async function discardUpload(deps: Deps, tenant: string, id: string): Promise<void> {
  // from here on no row can take it
  const given = await inTenant(deps.database, tenant, (db) =>
    db
      .updateTable("file_uploads")
      .set({ is_given_up: true })
      .where("tenant_id", "=", tenant)
      .where("id", "=", id)
      .returning("id")
      .executeTakeFirst(),
  );
  if (!given) return;
  await deps.files.remove({ tenant, id });
  await inTenant(deps.database, tenant, (db) =>
    db.deleteFrom("file_uploads").where("tenant_id", "=", tenant).where("id", "=", id).execute(),
  );
}

/** Deletes the file of a receipt that was removed; its row stays. */
async function clearRemoved(deps: Deps, tenant: string, id: string): Promise<void> {
  await deps.files.remove({ tenant, id });
  await inTenant(deps.database, tenant, (db) =>
    db
      .updateTable("receipts")
      .set({ cleared_at: sql`now()` })
      .where("tenant_id", "=", tenant)
      .where("id", "=", id)
      .execute(),
  );
}

/**
 * Deletes a tenant's files that nothing names: those whose row was rolled back, and those of receipts removed a month ago. Answers the
 * deleted ones, at most `limit`; failures are skipped and added to `failed`, whose files are not tried.
 */
export async function removeUnnamedFiles(deps: Deps, tenant: string, limit: number, failed = new Set<string>()): Promise<string[]> {
  const { rows } = await inTenant(deps.database, tenant, (db) =>
    sql<{ id: string; is_orphan: boolean }>`select id, is_orphan from (
        select id, true as is_orphan from file_uploads where tenant_id = ${tenant} and begun_at < now() - ${orphanAfter}
        union all
        select id, false from receipts where tenant_id = ${tenant} and removed_at < now() - ${removedAfter} and cleared_at is null) due
      where id <> all(${[...failed]}::uuid[]) limit ${limit}`.execute(db),
  );
  const done: string[] = [];
  for (const { id, is_orphan } of rows) {
    const ended = await skipFailure(deps, "files", { tenant, file: id }, async () => {
      await (is_orphan ? discardUpload : clearRemoved)(deps, tenant, id);
      return id;
    });
    if (ended === undefined) failed.add(id);
    else done.push(ended);
  }
  return done;
}
