import { expect } from "vitest";
import type { Database } from "../../src/server/db/scope.ts";
import { openDatabase } from "../../src/server/db/scope.ts";
import type { TestDatabase } from "./database.ts";
import { rowsRead } from "./rows-read.ts";

/**
 * Rows of these tables, by default transactions, that one run of `work` reads, of several over one connection: more of them than a
 * statement is planned for its values alone.
 */
export async function readsBy(
  db: TestDatabase,
  work: (database: Database) => Promise<unknown>,
  tables?: readonly string[],
): Promise<number> {
  const begun = await db.owner.query<{ now: string }>("select clock_timestamp()::text as now");
  const watched = openDatabase(db.connectAs, 1);
  const before = await rowsRead(db, tables);
  const times = 8;
  // oxlint-disable-next-line no-await-in-loop -- one after the other
  for (let n = 0; n < times; n++) await work(watched);
  await watched.close();
  // PostgreSQL reports a connection's reads when it has ended
  const open = `select from pg_stat_activity where datname = current_database() and application_name like 'countinghouse %'
    and backend_start > $1::timestamptz`;
  await expect.poll(async () => (await db.owner.query(open, [begun.rows[0]?.now])).rowCount).toBe(0);
  const after = await rowsRead(db, tables);
  return (after.whole - before.whole + after.indexed - before.indexed) / times;
}
