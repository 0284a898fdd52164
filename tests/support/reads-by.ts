import type pg from "pg";
import { expect } from "vitest";
import type { Database } from "../../src/server/db/scope.ts";
import { openDatabase } from "../../src/server/db/scope.ts";
import type { TestDatabase } from "./database.ts";

/** Rows read of tables by their sequence, and by their indexes. */
interface Reads {
  readonly whole: number;
  readonly indexed: number;
}

interface Watched {
  readonly tables?: readonly string[];
  /** Runs over one connection; by default more than a statement is planned for its values alone. */
  readonly times?: number;
}

type Work = (database: Database) => Promise<unknown>;

/** What one run of `work`, of several over one connection, reads of these tables, by default of the transactions. */
export async function readsOf(db: TestDatabase, work: Work, { tables = ["transactions"], times = 8 }: Watched = {}): Promise<Reads> {
  await Promise.all([db.owner, db.database.pool].map(reportReads));
  const { rows } = await db.owner.query<{ now: string }>("select clock_timestamp()::text as now");
  const watched = openDatabase(db.connectAs, 1);
  const before = await readSoFar(db, tables);
  // oxlint-disable-next-line no-await-in-loop -- one after the other
  for (let n = 0; n < times; n++) await work(watched);
  await watched.close();
  // PostgreSQL reports a connection's reads when it has ended
  const open = `select from pg_stat_activity where datname = current_database() and application_name like 'countinghouse %'
    and backend_start > $1::timestamptz`;
  await expect.poll(async () => (await db.owner.query(open, [rows[0]?.now])).rowCount, { interval: 5 }).toBe(0);
  const after = await readSoFar(db, tables);
  return { whole: (after.whole - before.whole) / times, indexed: (after.indexed - before.indexed) / times };
}

/** What idle connections read before is reported now, and not while others are watched. */
async function reportReads(pool: pg.Pool): Promise<void> {
  const clients = await Promise.all(Array.from({ length: pool.idleCount }, () => pool.connect()));
  await Promise.all(clients.map((client) => client.query("select pg_stat_force_next_flush()")));
  for (const client of clients) client.release();
}

/** All rows that one run of `work` reads, in either way. */
export async function readsBy(db: TestDatabase, work: Work, tables?: readonly string[]): Promise<number> {
  const { whole, indexed } = await readsOf(db, work, tables && { tables });
  return whole + indexed;
}

async function readSoFar({ owner }: TestDatabase, tables: readonly string[]): Promise<Reads> {
  const { rows } = await owner.query<Reads>(
    `select sum(seq_tup_read)::float8 as whole, sum((select sum(i.idx_tup_read) from pg_stat_user_indexes i where i.relid = t.relid))::float8 as indexed
     from pg_stat_user_tables t where relname = any($1)`,
    [tables],
  );
  return rows[0] ?? { whole: Number.NaN, indexed: Number.NaN };
}
