import { sql } from "kysely";
import { record } from "../audit/record.ts";
import type { Actor, AuditFact } from "../audit/record.ts";
import type { Scoped } from "../db/scope.ts";

/** All tenants of a user, by name, but for those they were only invited to; `open`: the user may enter it. */
export async function allTenantsOf(db: Scoped, user: string): Promise<{ id: string; open: boolean }[]> {
  await sql`select set_config('app.user_id', ${user}, true)`.execute(db);
  const { rows } = await sql<{ id: string; open: boolean }>`select t.id, m.status = 'active' and t.status = 'active' as open
    from memberships m join tenants t on t.id = m.tenant_id where m.user_id = ${user} and m.status <> 'pending' order by t.name, t.id`.execute(
    db,
  );
  return rows;
}

/** Audits a change of a user's identity in each of their tenants, because it is the same in all. */
export async function auditInAllTenants(db: Scoped, user: string, actor: Actor, fact: Pick<AuditFact, "act" | "reason">): Promise<void> {
  for (const { id: tenant } of await allTenantsOf(db, user)) {
    await sql`select set_config('app.tenant_id', ${tenant}, true)`.execute(db);
    await record(db, tenant, actor, { ...fact, entity: "user", entityId: user });
  }
}

/** Whether the user works in another tenant, or is suspended there: then their identity is not this tenant's to change. */
export async function isElsewhere(db: Scoped, user: string, tenant: string): Promise<boolean> {
  await sql`select set_config('app.user_id', ${user}, true)`.execute(db);
  const { rows } = await sql`select from memberships where user_id = ${user} and tenant_id <> ${tenant}
    and status in ('active', 'suspended')`.execute(db);
  await sql`select set_config('app.user_id', '', true)`.execute(db);
  return rows.length > 0;
}
