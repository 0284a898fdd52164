import type { RawBuilder } from "kysely";
import { sql } from "kysely";
import type { Deps } from "../call.ts";
import { inTenant } from "../db/scope.ts";
import { roundRobin } from "../jobs/record.ts";
import { currenciesByTenant } from "./close-days.ts";
import type { Currency } from "./close-days.ts";

/** Entries that are not worth a counting of their own, most of one ledger account at a time, most accounts or merchants of one transaction. */
const [least, most, owners] = [16, 2_000, 50];
/** Decisions counted at a time. */
const mostDecisions = 10_000;

const parts = ["account_day_parts", "merchant_day_parts", "decided_day_parts"] as const;

/** Counts on what came today in one currency; answers whether there is more to count at once. */
async function countOn({ database }: Deps, { tenant_id: tenant, code, zone_minutes }: Currency): Promise<boolean> {
  const zone = sql`${zone_minutes}::integer`;
  const today = sql`local_day(clock_timestamp(), ${zone})`;
  const of = sql`${tenant}::uuid, ${code}, ${zone}, ${today}`;
  const counted = (count: RawBuilder<unknown>) =>
    inTenant(database, tenant, async (db) => {
      const { rows } = await sql<{ more: boolean }>`select ${count} as more`.execute(db);
      return rows[0]?.more === true;
    });
  const more = [
    await counted(sql`count_account_days(${of}, ${least}, ${most}, ${owners})`),
    await counted(sql`count_merchant_days(${of}, ${least}, ${most}, ${owners})`),
    await counted(sql`count_decided_days(${of}, ${mostDecisions})`),
  ];
  // a day is kept soon after its end; one that is not yet is read as a whole
  await inTenant(database, tenant, async (db) => {
    for (const table of parts)
      // oxlint-disable-next-line no-await-in-loop -- one connection
      await sql`delete from ${sql.table(table)} where tenant_id = ${tenant} and currency = ${code}
        and day not between ${today} - 1 and ${today} + 1`.execute(db);
  });
  return more.includes(true);
}

/**
 * Counts on what came today of every tenant and currency, in short steps, so that a reading of today adds no more than what came since
 * (functions/open-days.sql).
 */
export async function countOpenDays(deps: Deps): Promise<void> {
  const byTenant = await currenciesByTenant(deps);
  await roundRobin(deps, "counting of open days", [...byTenant.keys()], async (tenant) => {
    let more = false;
    // oxlint-disable-next-line no-await-in-loop -- in the background, one after the other
    for (const currency of byTenant.get(tenant) ?? []) more = (await countOn(deps, currency)) || more;
    return more ? "more" : "done";
  });
}
