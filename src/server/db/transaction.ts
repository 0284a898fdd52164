import { sql } from "kysely";
import { sqlState } from "./errors.ts";
import { prepareAnew } from "./prepared.ts";
import type { Scoped } from "./scope.ts";

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * What a transaction may do: write; read row by row what is committed; read rows of one moment; the same of a report, whose statements are
 * planned for their values, because a plan for any stretch of time takes several times as long as one for a year.
 */
type Mode = "write" | "read" | "snapshot" | "report";

const frozen = " isolation level repeatable read read only";
const modes: Record<Mode, string> = {
  write: "",
  read: " read only",
  snapshot: frozen,
  report: `${frozen}; set local plan_cache_mode = force_custom_plan`,
};

/** The statements that begin a transaction which sees only `tenant`. Throws when that is no uuid. */
export function beginIn(tenant: string, mode: Mode): string {
  if (!uuid.test(tenant)) throw new Error("a tenant's id is a uuid");
  return `begin${modes[mode]}; set local app.tenant_id = '${tenant}'`;
}

/** Runs `work` in the transaction that `begin` begins on a reserved connection: committed, or rolled back when it throws. */
export async function transact<T>(db: Scoped, begin: string, work: (db: Scoped) => Promise<T>): Promise<T> {
  await sql.raw(begin).execute(db);
  try {
    const result = await work(db);
    await sql`commit`.execute(db);
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
