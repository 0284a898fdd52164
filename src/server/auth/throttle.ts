import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { Database } from "../db/scope.ts";

const hashOf = (key: string) => createHash("sha256").update(key).digest("base64url");

/** Takes a try that succeeded out of the count: only failures add up. */
export async function uncount(database: Database, key: string): Promise<void> {
  await sql`update throttles set count = count - 1 where key = ${hashOf(key)} and count > 0`.execute(database.open);
}

/**
 * Counts one try under `key` in a fixed window and answers whether it is within `most`. Kept in rows, so that every
 * process counts the same tries.
 */
export async function withinThrottle(database: Database, key: string, most: number, windowSeconds: number): Promise<boolean> {
  const hashed = hashOf(key);
  const { rows } = await sql<{ count: number }>`
    insert into throttles as t (key, count, resets_at) values (${hashed}, 1, now() + make_interval(secs => ${windowSeconds}))
    on conflict (key) do update set
      count = case when t.resets_at <= now() then 1 else t.count + 1 end,
      resets_at = case when t.resets_at <= now() then excluded.resets_at else t.resets_at end
    returning count`.execute(database.open);
  return (rows[0]?.count ?? 0) <= most;
}
