import { CompiledQuery, sql } from "kysely";
import { sqlState } from "./errors.ts";
import { prepareAnew } from "./prepared.ts";
import type { BeginValues } from "./role-client.ts";
import { beginnings } from "./role-client.ts";
import type { Scoped } from "./scope.ts";

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * What a transaction may do: write; read row by row what is committed; read rows of one moment; the same of a report, whose statements are
 * planned for their values, because a plan for any stretch of time takes several times as long as one for a year.
 */
type Mode = keyof typeof beginnings | "report";

/** The statement that begins a transaction which sees only `tenant`. Throws when that is no uuid. */
export function beginIn(tenant: string, mode: Mode): CompiledQuery {
  if (!uuid.test(tenant)) throw new Error("a tenant's id is a uuid");
  const values: BeginValues = [tenant, mode === "report" ? "force_custom_plan" : "auto"];
  return CompiledQuery.raw(beginnings[mode === "report" ? "snapshot" : mode], [...values]);
}

/**
 * Runs `work` in the transaction that `begin` begins on a reserved connection: committed, or rolled back when it throws, or when a statement
 * of it had failed, which is thrown.
 */
export async function transact<T>(db: Scoped, begin: CompiledQuery, work: (db: Scoped) => Promise<T>): Promise<T> {
  await db.executeQuery(begin);
  try {
    const result = await work(db);
    const { rows } = await sql<{ command: string }>`commit`.execute(db);
    // so PostgreSQL answers when a statement had failed and `work` went on
    if (rows[0]?.command === "ROLLBACK") throw new Error("a statement of the transaction had failed, so nothing was committed");
    return result;
  } catch (error) {
    await sql`rollback`.execute(db).catch(() => undefined); // the connection may be what failed
    throw error;
  }
}

/** Whether a transaction that failed may succeed when it runs again: after a serialization failure, a deadlock, or a migration. */
export function isRetryable(error: unknown): boolean {
  const state = sqlState(error) ?? "";
  if (state === "0A000") prepareAnew();
  return ["40001", "40P01", "0A000"].includes(state);
}
