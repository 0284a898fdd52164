import type { RawBuilder } from "kysely";
import { sql } from "kysely";
import type { AuditedEntity } from "../../contract/audit-log.ts";
import { auditedEntities, shownElsewhere } from "../../contract/audit-log.ts";
import type { ScreenName } from "../../contract/screens.ts";
import { screens } from "../../contract/screens.ts";
import type { StaffCall } from "../call.ts";
import type { Scoped } from "../db/scope.ts";
import type { Tables } from "../db/tables.ts";
import { labelIn } from "../records/links.ts";

type Scope = Pick<StaffCall, "tenant" | "caller">;

/** What records of a table are called, by their code where they have one. */
const labelled =
  (table: keyof Tables) =>
  ({ tenant }: Scope) => {
    const { code, name } = labelIn(table);
    return sql`select r.id, coalesce(${code}, ${name}) as name from ${sql.table(table)} r where r.tenant_id = ${tenant}`;
  };
const numbered =
  (table: "transactions" | "transfers") =>
  ({ tenant }: Scope) =>
    sql`select r.id, r.txn_no as name from ${sql.table(table)} r where r.tenant_id = ${tenant}`;

/** What is kept under the tenant's own id. */
const ofTenant = ({ tenant }: Scope) => sql`select r.id, r.name from tenants r where r.id = ${tenant}`;

/** The list of mails was read, and no single one. */
const withoutRecords = "outgoing-mail";

const ofProvider = sql`jsonb_build_object('merchantProviderUuid', r.merchant_provider_id)`;

/** Ids and names of the records of an entity that are there and may be looked at, the screen where that is the record's own, and the records its path names. */
const found: Readonly<Record<Exclude<AuditedEntity, typeof withoutRecords>, (scope: Scope) => RawBuilder<unknown>>> = {
  deposit: numbered("transactions"),
  withdrawal: numbered("transactions"),
  transfer: numbered("transfers"),
  merchant: labelled("merchants"),
  "payment-account": labelled("payment_accounts"),
  "payment-group": labelled("payment_groups"),
  "payout-template": labelled("payout_templates"),
  "rate-limit-group": labelled("rate_limit_groups"),
  // whoever left the tenant keeps their name in its history, and has no place in it any more;
  // but nothing is told of who was only invited
  user: ({ tenant }) => sql`select r.id, m.user_id is null as gone, case when m.status is distinct from 'pending'
        or exists (select from audit_entries a where a.tenant_id = ${tenant} and a.actor_id = r.id) then r.name end as name
      from users r left join memberships m on m.tenant_id = ${tenant} and m.user_id = r.id
      where m.user_id is not null or exists (select from audit_entries a where a.tenant_id = ${tenant} and a.actor_id = r.id)`,
  "user-group": labelled("user_groups"),
  "tenant-setting": ofTenant,
  "first-steps": ofTenant,
  "master-account": labelled("master_accounts"),
  "score-watcher": ({ tenant }) => sql`select r.id, a.code as name from score_watchers r
      join master_accounts a on a.tenant_id = r.tenant_id and a.id = r.master_account_id where r.tenant_id = ${tenant}`,
  downtime: ({ tenant }) => sql`select r.id, coalesce(a.code, p.name, g.code) as name from downtimes r
      left join master_accounts a on a.tenant_id = r.tenant_id and a.id = r.master_account_id
      left join merchant_providers p on p.tenant_id = r.tenant_id and p.id = r.merchant_provider_id
      left join provider_games g on g.tenant_id = r.tenant_id and g.id = r.provider_game_id where r.tenant_id = ${tenant}`,
  "game-merchant": labelled("merchants"),
  "merchant-provider": ({ tenant }) => sql`select r.id, r.name, jsonb_build_object('merchantUuid', r.merchant_id) as params
      from merchant_providers r where r.tenant_id = ${tenant}`,
  "provider-game": ({ tenant }) =>
    sql`select r.id, r.code as name, ${ofProvider} as params from provider_games r where r.tenant_id = ${tenant}`,
  "game-import": ({ tenant }) =>
    sql`select r.id, r.file_name as name, ${ofProvider} as params from game_imports r where r.tenant_id = ${tenant}`,
  vendor: labelled("vendors"),
  "vendor-category": labelled("vendor_categories"),
  "vendor-item": labelled("vendor_items"),
  "bank-line": ({ tenant }) =>
    sql`select r.id, coalesce(r.reference, r.counterparty) as name from bank_lines r where r.tenant_id = ${tenant}`,
  "bank-import": ({ tenant }) => sql`select r.id, r.file_name as name from bank_imports r where r.tenant_id = ${tenant}`,
  payer: ({ tenant }) => sql`select r.id, r.account as name from bank_payers r where r.tenant_id = ${tenant}`,
  "payout-file": ({ tenant }) => sql`select r.id, r.name from payout_files r where r.tenant_id = ${tenant}`,
  "hand-over": ({ tenant }) => sql`select r.id, u.name from hand_overs r join users u on u.id = r.by_user where r.tenant_id = ${tenant}`,
  // a view that is private again is its maker's alone
  view: ({ tenant, caller }) => sql`select r.id, r.name, r.screen from saved_views r
    where r.tenant_id = ${tenant} and (r.shared or r.owner_id = ${caller.id})`,
};

export interface FoundRecord {
  readonly name: string | null;
  /** Where it is looked at; null: it is gone from there. */
  readonly screen: ScreenName | null;
  /** The records that the screen's path names. */
  readonly params: Readonly<Record<string, string>>;
}

/** The record's own screen where it has one, which an edition before may have had and this one lacks. */
const screenOf = (own: string | undefined, otherwise: ScreenName): ScreenName | null => {
  if (own === undefined) return otherwise;
  return Object.hasOwn(screens, own) ? (own as ScreenName) : null; // as just asked
};

/** A record among those of all kinds, because a tenant's id names several of them. */
export const recordKey = ({ entity, id }: { readonly entity: string; readonly id: string | null }): string => `${entity} ${id ?? ""}`;

/** What these records are called by now and where they are looked at, by `recordKey`: one query for each entity among them. */
export async function recordsOf(
  db: Scoped,
  scope: Scope,
  records: readonly { readonly entity: AuditedEntity; readonly id: string }[],
): Promise<ReadonlyMap<string, FoundRecord>> {
  const all = new Map<string, FoundRecord>();
  for (const entity of new Set(records.map((one) => one.entity))) {
    if (entity === withoutRecords) continue;
    const ids = records.filter((one) => one.entity === entity).map(({ id }) => id);
    const screen = shownElsewhere[entity] ?? auditedEntities[entity];
    // oxlint-disable-next-line no-await-in-loop -- one connection answers one after the other
    const { rows } = await sql<{
      id: string;
      name: string | null;
      gone?: boolean;
      screen?: string;
      params?: FoundRecord["params"];
    }>`select t.*
      from (${found[entity](scope)}) t where t.id = any(${ids}::uuid[])`.execute(db);
    for (const row of rows)
      all.set(recordKey({ entity, id: row.id }), {
        name: row.name,
        screen: row.gone === true ? null : screenOf(row.screen, screen),
        params: row.params ?? {},
      });
  }
  return all;
}
