import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import type { Database, Scoped } from "../../../src/server/db/scope.ts";
import { forReading, inTenant } from "../../../src/server/db/scope.ts";
import { together } from "../../../src/server/db/together.ts";
import { testDatabase } from "../../support/database.ts";
import { makeTenant } from "../../support/factories.ts";

const db = testDatabase();
let tenant: string;
beforeAll(async () => void (tenant = (await makeTenant(db)).id));

/** Which transaction it is read in. */
const moment = (within: Database) =>
  inTenant(within, tenant, async (scoped: Scoped) => {
    const { rows } = await sql<{ xact: string }>`select transaction_timestamp()::text || pg_backend_pid() as xact`.execute(scoped);
    return rows[0]?.xact;
  });
const failing = (within: Database) => inTenant(within, tenant, (scoped) => sql`select 1 / 0`.execute(scoped));

test("reads of one moment share a transaction, and a later one has its own", async () => {
  const [one, two] = await Promise.all([together(db.database, tenant, moment), together(db.database, tenant, moment)]);
  expect(one).toBe(two);
  expect(await together(db.database, tenant, moment)).not.toBe(one);
});

test("a read that fails is told to its own caller alone, and what follows it is read", async () => {
  const [before, failed, after] = await Promise.allSettled([
    together(db.database, tenant, moment),
    together(db.database, tenant, failing),
    together(db.database, tenant, moment),
  ]);
  expect([before.status, failed.status, after.status]).toEqual(["fulfilled", "rejected", "fulfilled"]);
});

test("where no transaction begins, every caller is told", async () => {
  const error = new Error("the database is away");
  const away: Database = { ...db.database, turns: { ...db.database.turns, run: () => Promise.reject(error) } };
  const told = await Promise.allSettled([together(away, tenant, moment), together(away, tenant, moment)]);
  expect(told).toEqual([
    { status: "rejected", reason: error },
    { status: "rejected", reason: error },
  ]);
});

test("a read that may succeed in another transaction is read again there, and nobody is told", async () => {
  let tried = 0;
  const unlucky = (within: Database) =>
    inTenant(within, tenant, async (scoped) => {
      tried += 1;
      if (tried === 1) await sql`do $$ begin raise serialization_failure; end $$`.execute(scoped);
      return tried;
    });
  const read = await Promise.all([together(db.database, tenant, moment), together(db.database, tenant, unlucky)]);
  expect(read).toEqual([expect.any(String), 2]);
});

test("reads of a database's reader are gathered, whoever asked for the reader", async () => {
  const read = () => together(forReading(db.database), tenant, moment);
  const [one, two] = await Promise.all([read(), read()]);
  expect(one).toBe(two);
});
