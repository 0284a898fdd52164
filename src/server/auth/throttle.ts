import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { Database } from "../db/scope.ts";

const hashOf = (key: string) => createHash("sha256").update(key).digest("base64url");

/** The count of each key in its current window. */
export async function countsOf(database: Database, keys: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ n: number; count: number }>`select n::integer, t.count from throttles t
    join unnest(${keys.map(hashOf)}::text[]) with ordinality asked(key, n) on asked.key = t.key
    where t.resets_at > now()`.execute(database.open);
  return new Map(rows.map(({ n, count }) => [keys[n - 1] ?? "", count]));
}

/** Adds one to each key in a fixed window and answers the counts. They are rows, so that all processes share them. */
export async function addToCounts(database: Database, keys: readonly string[], windowSeconds: number): Promise<number[]> {
  // in one order, because concurrent statements would deadlock otherwise
  const { rows } = await sql<{ count: number }>`
    insert into throttles as t (key, count, resets_at)
    select key, 1, now() + make_interval(secs => ${windowSeconds}) from unnest(${keys.map(hashOf)}::text[]) key order by key
    on conflict (key) do update set
      count = case when t.resets_at <= now() then 1 else t.count + 1 end,
      resets_at = case when t.resets_at <= now() then excluded.resets_at else t.resets_at end
    returning count`.execute(database.open);
  return rows.map(({ count }) => count);
}

/** Counts one attempt and answers whether it is within `most`. */
export async function withinThrottle(database: Database, key: string, most: number, windowSeconds: number): Promise<boolean> {
  const [count = 0] = await addToCounts(database, [key], windowSeconds);
  return count <= most;
}

/** Removes an attempt that succeeded from the count, because only failures count. */
export async function takeFromCount(database: Database, key: string): Promise<void> {
  await sql`update throttles set count = count - 1 where key = ${hashOf(key)} and count > 0`.execute(database.open);
}
