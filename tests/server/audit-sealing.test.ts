import { sql } from "kysely";
import { expect, test } from "vitest";
import { recordMany, systemActor } from "../../src/server/audit/record.ts";
import type { Database } from "../../src/server/db/scope.ts";
import { inTenant } from "../../src/server/db/scope.ts";
import { testDatabase } from "../support/database.ts";
import { makeTenant } from "../support/factories.ts";
import { readsBy } from "../support/reads-by.ts";

const db = testDatabase();

test("sealing reads no more of a log of thousands than what waits", async () => {
  const tenant = await makeTenant(db);
  const write = (database: Database, count: number) =>
    inTenant(database, tenant.id, (scoped) =>
      recordMany(
        scoped,
        tenant.id,
        systemActor,
        Array.from({ length: count }, (_, n) => ({ act: "test.act", entity: "test", entityId: null, after: { n } })),
      ),
    );
  const seal = (database: Database) =>
    inTenant(database, tenant.id, async (scoped) => (await sql<{ n: number }>`select audit_seal(500) as n`.execute(scoped)).rows[0]?.n);
  // its snapshot would keep the index entries of what was sealed, which then are read, too
  for (const table of ["audit_entries", "audit_unsealed", "audit_chain"])
    await db.owner.query(`alter table ${table} set (autovacuum_enabled = false)`); // oxlint-disable-line no-await-in-loop -- three tables
  await write(db.database, 3_000);
  // so many wait, as the planner is told
  await db.owner.query("vacuum analyze");
  // oxlint-disable-next-line no-await-in-loop -- batch by batch
  for (let sealed: number | undefined = 1; sealed;) sealed = await seal(db.database);
  const reads = await readsBy(
    db,
    async (database) => {
      await write(database, 5);
      expect(await seal(database)).toBe(5);
    },
    ["audit_entries", "audit_unsealed", "audit_chain"],
  );
  expect(reads).toBeLessThan(200);
});
