import type { RawBuilder } from "kysely";
import { sql } from "kysely";
import type { AuditedEntity } from "../../contract/audit-log.ts";
import type { Scoped } from "../db/scope.ts";
import type { Tables } from "../db/tables.ts";
import { labelIn } from "../records/links.ts";

/** What records of a table are called, by their code where they have one. */
const labelled = (table: keyof Tables) => (tenant: string) => {
  const { code, name } = labelIn(table);
  return sql`select r.id, coalesce(${code}, ${name}) as name from ${sql.table(table)} r where r.tenant_id = ${tenant}`;
};
const numbered = (table: "transactions" | "transfers") => (tenant: string) =>
  sql`select r.id, r.txn_no as name from ${sql.table(table)} r where r.tenant_id = ${tenant}`;

/** What is kept under the tenant's own id. */
const ofTenant = (tenant: string) => sql`select r.id, r.name from tenants r where r.id = ${tenant}`;

/** Ids and names of the records of an entity; left out: they have none. */
const named: Partial<Readonly<Record<AuditedEntity, (tenant: string) => RawBuilder<unknown>>>> = {
  deposit: numbered("transactions"),
  withdrawal: numbered("transactions"),
  transfer: numbered("transfers"),
  merchant: labelled("merchants"),
  "payment-account": labelled("payment_accounts"),
  "payment-group": labelled("payment_groups"),
  "payout-template": labelled("payout_templates"),
  "rate-limit-group": labelled("rate_limit_groups"),
  // whoever left the tenant keeps their name in its history
  // but nothing is told of who was only invited
  user: (tenant) => sql`select r.id, r.name from users r
    where exists (select from memberships m where m.tenant_id = ${tenant} and m.user_id = r.id and m.status <> 'pending')
      or exists (select from audit_entries a where a.tenant_id = ${tenant} and a.actor_id = r.id)`,
  "user-group": labelled("user_groups"),
  "tenant-setting": ofTenant,
  "first-steps": ofTenant,
  vendor: labelled("vendors"),
  "vendor-category": labelled("vendor_categories"),
  "vendor-item": labelled("vendor_items"),
};

/** What these records are called by now, by id: one query for each entity among them. */
export async function namesOf(
  db: Scoped,
  tenant: string,
  records: readonly { readonly entity: AuditedEntity; readonly id: string }[],
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  for (const entity of new Set(records.map((one) => one.entity))) {
    const all = named[entity]?.(tenant);
    if (!all) continue;
    const ids = records.filter((one) => one.entity === entity).map(({ id }) => id);
    // oxlint-disable-next-line no-await-in-loop -- one connection answers one after the other
    const { rows } = await sql<{
      id: string;
      name: string | null;
    }>`select t.id, t.name from (${all}) t where t.id = any(${ids}::uuid[])`.execute(db);
    for (const { id, name } of rows) if (name !== null) names.set(id, name);
  }
  return names;
}
