import type { Database } from "../db/scope.ts";
import { inTenant } from "../db/scope.ts";
import type { FileStore } from "./store.ts";

/** Files in the database, where every process of the server finds them. */
export const databaseStore = (database: Database): FileStore => ({
  place: "database:",

  put: ({ tenant, id }, bytes) =>
    inTenant(database, tenant, async (db) => {
      await db
        .insertInto("stored_files")
        .values({ tenant_id: tenant, id, bytes: Buffer.from(bytes) })
        .execute();
    }),

  get: ({ tenant, id }) =>
    inTenant(database, tenant, async (db) => {
      const row = await db
        .selectFrom("stored_files")
        .select("bytes")
        .where("tenant_id", "=", tenant)
        .where("id", "=", id)
        .executeTakeFirst();
      return row?.bytes ?? null;
    }),

  remove: ({ tenant, id }) =>
    inTenant(database, tenant, async (db) => {
      await db.deleteFrom("stored_files").where("tenant_id", "=", tenant).where("id", "=", id).execute();
    }),
});
