import { isDeepStrictEqual } from "node:util";
import { sql } from "kysely";
import type { SubjectName } from "../../contract/index.ts";
import type { RecordEvent } from "../../contract/records.ts";
import { Refusal } from "../../contract/problems.ts";
import type { Scoped } from "../db/scope.ts";
import type { Actor, AuditFact } from "./record.ts";
import { record } from "./record.ts";

/** A record people keep, as the audit log names it. */
export interface RecordRef {
  readonly tenant: string;
  readonly entity: SubjectName | "tenant-setting";
  readonly id: string;
}

type Fields = Readonly<Record<string, unknown>>;

/** The latest lines a record's panel shows. */
const shown = 100;

/** What was done to a record, newest first, at most 100. */
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
    where tenant_id = ${tenant} and entity = ${entity} and entity_id = ${id} order by id desc limit ${shown}`.execute(db);
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

/** The fields that change from `was` to `now`, with both; null when none does. */
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

/** Somebody else was faster: who, when, and the row as it is now. */
export async function stale(db: Scoped, { tenant, entity, id }: RecordRef, row: { updated_at: string }): Promise<Refusal> {
  const { rows } = await sql<{ at: Date; actor_name: string }>`select at, actor_name from audit_entries
    where tenant_id = ${tenant} and entity = ${entity} and entity_id = ${id} order by id desc limit 1`.execute(db);
  const last = rows[0];
  return new Refusal("record.stale", { by: last?.actor_name ?? "", at: last?.at.toISOString() ?? row.updated_at, row });
}
