import { sql } from "kysely";
import type { Deps } from "../call.ts";
import { inTenant } from "../db/scope.ts";
import { roundRobin } from "../jobs/record.ts";
import type { DayKind } from "./days.ts";
import { ofAccounts, ofMerchants } from "./days.ts";

/** Minutes after a day's end before it is kept: what was approved at its end can be recalled until then. */
const grace = 5;
/** Owners of one transaction, and days of each, so that the first closing of a long past is many short ones. */
const [batch, span] = [10, 7];

export interface Currency {
  readonly tenant_id: string;
  readonly code: string;
  readonly zone_minutes: number;
}

/** Keeps the days of a currency that are over, of the owners furthest behind first; answers how many rows were kept. */
async function closeSome({ database }: Deps, { tenant_id: tenant, code, zone_minutes }: Currency, kind: DayKind): Promise<number> {
  const { table, ownerId, owners } = kind;
  const [id, days, open] = [sql.ref(ownerId), sql.table(table), sql.ref(`${table}_of`)];
  const zone = sql`${zone_minutes}::integer`;
  const until = sql`local_day(now() - make_interval(mins => ${grace}), ${zone}) - 1`;
  const kinds = owners === "merchants" ? ["wallet", "hold"] : ["payment-account"];
  const due = await inTenant(database, tenant, async (db) => {
    const { rows } = await sql<{ owner: string; begins: string }>`select k.owner, k.begins from (
        select a.owner_id as owner, coalesce((select max(d.day) + 1 from ${days} d where d.tenant_id = ${tenant} and d.${id} = a.owner_id),
          (select local_day(min(e.created_at), ${zone}) from ledger_entries e where e.tenant_id = ${tenant} and e.account_id = a.id)) as begins
        from ledger_accounts a where a.tenant_id = ${tenant} and a.currency = ${code} and a.kind = ${kinds[0]}) k
      where k.begins <= ${until} order by k.begins, k.owner limit ${batch}`.execute(db);
    // an entry's time is taken under its account's lock: whoever has had that once will see all entries of the days before
    const ids = rows.map(({ owner }) => owner);
    await sql`select 1 from ledger_accounts a where a.tenant_id = ${tenant} and a.currency = ${code} and a.kind = any(${kinds}::text[])
      and a.owner_id = any(${ids}::uuid[]) order by a.id for share`.execute(db);
    return rows;
  });
  const [first] = due;
  if (first === undefined) return 0;
  // with no lock any more, because postings must not wait for it
  const { numAffectedRows = 0n } = await inTenant(database, tenant, (db) =>
    sql`insert into ${days} select d.* from ${open}(${tenant}::uuid, ${code}, ${zone}, null,
        least(${until}, ${first.begins}::date + ${span - 1}::integer), ${due.map(({ owner }) => owner)}::uuid[]) d on conflict do nothing`.execute(
      db,
    ),
  );
  return Number(numAffectedRows);
}

/** Every tenant's currencies with the zones of their days. */
export async function currenciesByTenant({ database }: Deps): Promise<Map<string, Currency[]>> {
  const { rows } = await sql<Currency>`select tenant_id, code, zone_minutes from currencies`.execute(database.worker);
  return Map.groupBy(rows, ({ tenant_id }) => tenant_id);
}

/** Keeps the days that are over, of every tenant and currency. */
export async function closeDays(deps: Deps): Promise<void> {
  const byTenant = await currenciesByTenant(deps);
  await roundRobin(deps, "closing of days", [...byTenant.keys()], async (tenant) => {
    let more = false;
    for (const currency of byTenant.get(tenant) ?? []) {
      for (const kind of [ofAccounts, ofMerchants]) {
        // oxlint-disable-next-line no-await-in-loop -- in the background, one after the other
        more = (await closeSome(deps, currency, kind)) > 0 || more;
      }
    }
    return more ? "more" : "done";
  });
}
