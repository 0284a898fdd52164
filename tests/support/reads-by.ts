import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import type { Database } from "../../src/server/db/scope.ts";
import { openDatabase } from "../../src/server/db/scope.ts";
import type { TestDatabase } from "./database.ts";
import { rowsRead } from "./rows-read.ts";

/**
 * Rows of a table that one run of `work` reads, of several over one connection: more of them than a statement is planned for its
 * values alone.
 */
export async function readsBy(db: TestDatabase, work: (database: Database) => Promise<unknown>, table = "transactions"): Promise<number> {
  const name = `reads ${randomUUID()}`;
  const watched = openDatabase((role) => ({ ...db.connectAs(role), application_name: name }), 1);
  const before = await rowsRead(db, table);
  const times = 8;
  // oxlint-disable-next-line no-await-in-loop -- one after the other
  for (let n = 0; n < times; n++) await work(watched);
  await watched.close();
  // PostgreSQL reports a connection's reads when it has ended
  await expect
    .poll(async () => (await db.owner.query("select from pg_stat_activity where application_name = $1", [name])).rowCount)
    .toBe(0);
  const after = await rowsRead(db, table);
  return (after.whole - before.whole + after.indexed - before.indexed) / times;
}
