import { sql } from "kysely";
import type { Deps } from "../call.ts";
import type { Scoped } from "../db/scope.ts";
import { inTenant } from "../db/scope.ts";
import { roundRobin } from "../jobs/record.ts";
import type { DayKind } from "./days.ts";
import { ofAccounts, ofMerchants } from "./days.ts";

/**
 * Minutes after a day's end before it is kept: what was approved at its end can be recalled until then, and what was posted in it by a
 * transaction that takes long has been committed.
 */
const grace = 5;
/** Owners of one transaction, and days of each: the first closing of a long past is many of them. */
const [batch, span] = [20, 31];

/** Keeps the days of a currency that are over, of the owners furthest behind first; answers how many owners got some. */
async function closeSome(db: Scoped, tenant: string, currency: string, zone: number, { table, ownerId, owners }: DayKind): Promise<number> {
  const [id, days, open] = [sql.ref(ownerId), sql.table(table), sql.ref(`${table}_of`)];
  const until = sql`local_day(now() - make_interval(mins => ${grace}), ${zone}::integer) - 1`;
  const kinds = owners === "merchants" ? ["wallet", "hold"] : ["payment-account"];
  const due = await sql<{ owner: string; begins: string }>`select k.owner, k.begins from (
      select a.owner_id as owner, coalesce((select max(d.day) + 1 from ${days} d where d.tenant_id = ${tenant} and d.${id} = a.owner_id),
        (select local_day(min(e.created_at), ${zone}::integer) from ledger_entries e where e.tenant_id = ${tenant} and e.account_id = a.id)) as begins
      from ledger_accounts a where a.tenant_id = ${tenant} and a.currency = ${currency} and a.kind = ${kinds[0]}) k
    where k.begins <= ${until} order by k.begins, k.owner limit ${batch}`.execute(db);
  const [first] = due.rows;
  if (first === undefined) return 0;
  const ids = due.rows.map(({ owner }) => owner);
  // an entry's time is taken under its account's lock: whoever has that sees all entries of the days before
  await sql`select 1 from ledger_accounts a where a.tenant_id = ${tenant} and a.currency = ${currency} and a.kind = any(${kinds}::text[])
    and a.owner_id = any(${ids}::uuid[]) order by a.id for share`.execute(db);
  await sql`insert into ${days} select d.* from ${open}(${tenant}::uuid, ${currency}, ${zone}::integer, null,
      least(${until}, ${first.begins}::date + ${span - 1}::integer), ${ids}::uuid[]) d on conflict do nothing`.execute(db);
  return ids.length;
}

/** Keeps the days that are over, of every tenant and currency. */
export async function closeDays(deps: Deps): Promise<void> {
  const { rows } = await sql<{
    tenant_id: string;
    code: string;
    zone_minutes: number;
  }>`select tenant_id, code, zone_minutes from currencies`.execute(deps.database.worker);
  const byTenant = Map.groupBy(rows, ({ tenant_id }) => tenant_id);
  await roundRobin(deps, "closing of days", [...byTenant.keys()], async (tenant) => {
    let more = false;
    for (const { code, zone_minutes } of byTenant.get(tenant) ?? []) {
      for (const kind of [ofAccounts, ofMerchants]) {
        const closed = await inTenant(deps.database, tenant, (db) => closeSome(db, tenant, code, zone_minutes, kind));
        more ||= closed > 0;
      }
    }
    return more ? "more" : "done";
  });
}
