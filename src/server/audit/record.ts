import { sql } from "kysely";
import type { ForwarderCall, MerchantCall, StaffCall } from "../call.ts";
import type { Scoped } from "../db/scope.ts";

/** Who acts, as events and audit rows record it. */
export interface Actor {
  readonly kind: "user" | "merchant" | "system";
  readonly id: string | null;
  readonly name: string;
  readonly ip: string | null;
  readonly requestId: string | null;
}

/** The actor of expiry, lapsed claims and callbacks. */
export const systemActor: Actor = { kind: "system", id: null, name: "system", ip: null, requestId: null };

export function actorOf({ caller, ip, requestId }: StaffCall | MerchantCall | ForwarderCall): Actor {
  // a forwarder is a machine of the house
  if (caller.kind === "forwarder") return { ...systemActor, ip, requestId };
  return { kind: caller.kind, id: caller.id, name: caller.name, ip, requestId };
}

export interface AuditFact {
  /** "entity.act". */
  readonly act: string;
  readonly entity: string;
  readonly entityId: string | null;
  /** Changed fields only, secrets left out. */
  readonly before?: Readonly<Record<string, unknown>>;
  readonly after?: Readonly<Record<string, unknown>>;
  readonly reason?: string | null;
}

/** Writes an audit row in the transaction of the act. The events of transactions write their own in SQL (transaction_event). */
export async function record(db: Scoped, tenant: string, actor: Actor, fact: AuditFact): Promise<void> {
  const json = (value: unknown) => (value === undefined ? null : JSON.stringify(value));
  await sql`insert into audit_entries
      (tenant_id, actor_kind, actor_id, actor_name, act, entity, entity_id, before, after, reason, ip, request_id)
    values (${tenant}, ${actor.kind}, ${actor.id}, ${actor.name}, ${fact.act}, ${fact.entity}, ${fact.entityId},
      ${json(fact.before)}::jsonb, ${json(fact.after)}::jsonb, ${fact.reason ?? null}, ${actor.ip}, ${actor.requestId})`.execute(db);
}

/** The same for many acts of one kind, in one statement, in the order given. */
export async function recordMany(db: Scoped, tenant: string, actor: Actor, facts: readonly AuditFact[]): Promise<void> {
  if (facts.length === 0) return;
  const rows = JSON.stringify(
    facts.map(({ act, entity, entityId, before, after, reason }) => ({ act, entity, entity_id: entityId, before, after, reason })),
  );
  await sql`insert into audit_entries
      (tenant_id, actor_kind, actor_id, actor_name, act, entity, entity_id, before, after, reason, ip, request_id)
    select ${tenant}, ${actor.kind}, ${actor.id}::uuid, ${actor.name}, f.act, f.entity, f.entity_id, f.before, f.after, f.reason,
      ${actor.ip}, ${actor.requestId}
    from rows from (jsonb_to_recordset(${rows}::jsonb) as (act text, entity text, entity_id uuid, before jsonb, after jsonb, reason text))
      with ordinality f order by f.ordinality`.execute(db);
}
