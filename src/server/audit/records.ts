import { isDeepStrictEqual } from "node:util";
import { sql } from "kysely";
import type { SubjectName } from "../../contract/index.ts";
import type { RecordEvent } from "../../contract/records.ts";
import { Refusal } from "../../contract/problems.ts";
import type { Scoped } from "../db/scope.ts";
import type { Actor, AuditFact } from "./record.ts";
import { record } from "./record.ts";

/** A record, as the audit log names it. */
export interface RecordRef {
  readonly tenant: string;
  readonly entity: SubjectName | "tenant-setting" | "first-steps";
  readonly id: string;
}

type Fields = Readonly<Record<string, unknown>>;

/** How many entries of its history a record's detail shows. */
const historyLimit = 100;

/** The newest entries of a record's history, at most 100. */
export async function historyOf(db: Scoped, { tenant, entity, id }: RecordRef): Promise<RecordEvent[]> {
  const { rows } = await sql<{
    at: Date;
    act: string;
    actor_name: string;
    reason: string | null;
    before: Fields | null;
    after: Fields | null;
  }>`
    select at, act, actor_name, reason, before, after from audit_entries
    where tenant_id = ${tenant} and entity = ${entity} and entity_id = ${id} order by id desc limit ${historyLimit}`.execute(db);
  return rows.map(({ at, act, actor_name, reason, before, after }) => ({
    at: at.toISOString(),
    act,
    by: actor_name,
    reason,
    changes: Object.fromEntries(
      [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].map((field) => [
        field,
        { before: before?.[field] ?? null, after: after?.[field] ?? null },
      ]),
    ),
  }));
}

/** The fields that differ between `was` and `now`, with both values; null: none. */
export function differences<T extends object>(was: T, now: T): { before: Partial<T>; after: Partial<T> } | null {
  const changed = (Object.keys(now) as (keyof T)[]).filter((field) => !isDeepStrictEqual(was[field], now[field])); // keys of T widen
  if (changed.length === 0) return null;
  const only = (fields: T) => Object.fromEntries(changed.map((field) => [field, fields[field]])) as Partial<T>; // a part of T by its keys
  return { before: only(was), after: only(now) };
}

export async function audit(
  db: Scoped,
  { tenant, entity, id }: RecordRef,
  actor: Actor,
  act: string,
  fact: Pick<AuditFact, "before" | "after" | "reason">,
): Promise<void> {
  await record(db, tenant, actor, { act: `${entity}.${act}`, entity, entityId: id, ...fact });
}

/** The refusal of an outdated version: who changed the row, when, and the current row. */
export async function stale(db: Scoped, { tenant, entity, id }: RecordRef, row: { updated_at: string }): Promise<Refusal> {
  const { rows } = await sql<{ at: Date; actor_name: string }>`select at, actor_name from audit_entries
    where tenant_id = ${tenant} and entity = ${entity} and entity_id = ${id} order by id desc limit 1`.execute(db);
  const last = rows[0];
  return new Refusal("record.stale", { by: last?.actor_name ?? "", at: last?.at.toISOString() ?? row.updated_at, row });
}
