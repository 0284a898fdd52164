import type { TestDatabase } from "./database.ts";

/** Rows of these tables read by their sequence, and by their indexes, so far. */
export async function rowsRead(
  { owner }: TestDatabase,
  tables: readonly string[] = ["transactions"],
): Promise<{ whole: number; indexed: number }> {
  const { rows } = await owner.query<{ whole: number; indexed: number }>(
    `select sum(seq_tup_read)::float8 as whole, sum((select sum(i.idx_tup_read) from pg_stat_user_indexes i where i.relid = t.relid))::float8 as indexed
     from pg_stat_user_tables t where relname = any($1)`,
    [tables],
  );
  return rows[0] ?? { whole: -1, indexed: -1 };
}
