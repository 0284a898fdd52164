import { sql } from "kysely";
import type { MasterAccountDetail } from "../../contract/master-accounts.ts";
import { mostDependents } from "../../contract/master-accounts.ts";
import type { Scoped } from "../db/scope.ts";

type Dependents = Pick<MasterAccountDetail, "dependents" | "dependent_count">;
type Found = Dependents["dependents"][number] & { readonly count: number };

/** Merchants' set-ups whose games draw on a master account's credit, by merchant and name. */
export async function dependentsOf(db: Scoped, tenant: string, account: string): Promise<Dependents> {
  const { rows } = await sql<Found>`select p.id as uuid, p.name, p.status,
      case when p.is_prod then 'production' else 'test' end as environment,
      jsonb_build_object('uuid', m.id, 'name', m.name, 'code', m.code) as merchant, count(*) over ()::integer as count
    from merchant_providers p join merchants m on m.tenant_id = p.tenant_id and m.id = p.merchant_id
    where p.tenant_id = ${tenant} and p.master_account_id = ${account}
    order by lower(m.name), m.id, p.name_key, p.id limit ${mostDependents}`.execute(db);
  return { dependents: rows.map(({ count: _count, ...one }) => one), dependent_count: rows[0]?.count ?? 0 };
}
