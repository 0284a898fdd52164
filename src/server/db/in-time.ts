import type { RawBuilder } from "kysely";
import { sql } from "kysely";
import type { Scoped } from "./scope.ts";
import { sqlState } from "./errors.ts";

/** Ms counts and sums may take. */
const totalsMs = 5_000;

/** The rows a statement finds within that time; null: it takes longer, as with millions of rows. */
export async function inTime<T>(db: Scoped, statement: RawBuilder<T>): Promise<T[] | null> {
  await sql.raw(`savepoint totals; set local statement_timeout = ${totalsMs}`).execute(db);
  try {
    return (await statement.execute(db)).rows;
  } catch (error) {
    if (sqlState(error) !== "57014") throw error;
    await sql`rollback to savepoint totals`.execute(db);
    return null;
  }
}
