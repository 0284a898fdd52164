import type { ClientBase } from "pg";

/** Runs `work` without the tables' indexes, except those of constraints, and builds them again afterwards, which is much faster. */
export async function withoutIndexes(client: ClientBase, tables: readonly string[], work: () => Promise<void>): Promise<void> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition from pg_index i
     where i.indrelid = any($1::regclass[]) and not exists (select from pg_constraint c where c.conindid = i.indexrelid)`,
    [tables],
  );
  if (rows.length > 0) await client.query(`drop index ${rows.map(({ name }) => name).join(", ")}`);
  await work();
  for (const { definition } of rows) await client.query(definition);
}
