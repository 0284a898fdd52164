import type { RawBuilder } from "kysely";
import { CompiledQuery, sql } from "kysely";
import { sqlState } from "./errors.ts";
import { prepareAnew } from "./prepared.ts";
import type { Closing } from "./commit-query.ts";
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

/** A statement that is sent together with the commit, last of all, because it locks rows that many others need. */
export interface Last {
  readonly statement: RawBuilder<unknown>;
  /** Its rows; the commit may fail yet. */
  readonly answered?: (rows: readonly unknown[]) => void;
  /** What is thrown where it failed. */
  readonly refused?: (error: unknown) => unknown;
}

const lasts = new WeakMap<Scoped, Last[]>();

/** Sends the statement with the commit of the transaction, after those given before it. If one fails, nothing is committed. */
export function atCommit(db: Scoped, last: Last): void {
  lasts.set(db, [...(lasts.get(db) ?? []), last]);
}

async function commit(db: Scoped): Promise<void> {
  let refusal: unknown;
  const closings = (lasts.get(db) ?? []).map(({ statement, answered, refused }): Closing => {
    const { sql: text, parameters: values } = statement.compile(db);
    const failed = (error: unknown) => void (refusal ??= refused?.(error) ?? error);
    return { text, values, answered: ({ rows }) => answered?.(rows), failed };
  });
  const { rows } = await db.executeQuery<{ command: string }>(CompiledQuery.raw("commit", closings)).catch((error: unknown) => {
    throw refusal ?? error;
  });
  // so PostgreSQL answers when a statement had failed and `work` went on
  if (rows[0]?.command === "ROLLBACK") throw new Error("a statement of the transaction had failed, so nothing was committed");
}

/**
 * Runs `work` in the transaction that `begin` begins on a reserved connection: committed, or rolled back when it throws, or when a statement
 * of it had failed, which is thrown.
 */
export async function transact<T>(db: Scoped, begin: CompiledQuery, work: (db: Scoped) => Promise<T>): Promise<T> {
  await db.executeQuery(begin);
  try {
    const result = await work(db);
    await commit(db);
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
