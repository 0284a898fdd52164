import { createRequire } from "node:module";
import { setTimeout as delay } from "node:timers/promises";
import type { ClientBase } from "pg";
import { queueSchema } from "./queue.ts";

const wanted = (createRequire(import.meta.url)("pg-boss/package.json") as { pgboss: { schema: number } }).pgboss.schema; // as published

/**
 * Makes the queue's schema, or brings that of an older release up to date, and lets the server's roles use it. `client` is connected as
 * the owner. Several processes may do it at once. Answers what was done.
 */
export async function installQueue(client: ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ is_there: boolean; is_open: boolean }>(
    `select to_regclass($1) is not null as is_there,
       coalesce(has_table_privilege('countinghouse_worker', to_regclass($1), 'select'), false) as is_open`,
    [`${queueSchema}.job`],
  );
  const { is_there = false, is_open = false } = rows[0] ?? {};
  const version = is_there ? await client.query<{ version: number }>(`select version from ${queueSchema}.version`) : null;
  const isNew = (version?.rows[0]?.version ?? 0) >= wanted;
  if (!isNew) await bringUp(client);
  if (isNew && is_open) return [];
  // the last of them is what is asked above, so that a start which ended in between is made up for
  await client.query(`
    grant usage on schema ${queueSchema} to countinghouse_app, countinghouse_worker;
    grant select, insert, update, delete on all tables in schema ${queueSchema} to countinghouse_app;
    grant select on ${queueSchema}.job to countinghouse_worker`);
  return [`the queue of jobs, ${wanted}`];
}

async function bringUp(client: ClientBase): Promise<void> {
  // loaded only here, because it takes longer than all else of a start
  const { PgBoss } = await import("pg-boss");
  const boss = new PgBoss({
    db: { executeSql: (text, values) => client.query(text, values) },
    schema: queueSchema,
    supervise: false,
    schedule: false,
    bamIntervalSeconds: 10,
  });
  boss.on("error", () => undefined); // what fails here rejects below
  try {
    await boss.start();
    // some releases build their indexes after the start, which only the owner may
    while ((await boss.getBamStatus()).some(({ status }) => status === "pending" || status === "in_progress")) await delay(100);
  } finally {
    await boss.stop({ close: false, graceful: false });
  }
}
