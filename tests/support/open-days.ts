import { isDeepStrictEqual } from "node:util";
import { sql } from "kysely";
import { inTenant } from "../../src/server/db/scope.ts";
import type { Clock } from "./clock.ts";
import type { TestDatabase } from "./database.ts";
import type { Dice, House } from "./report-houses.ts";
import {
  accountDay,
  accountRows,
  decidedDay,
  happens,
  merchantDay,
  merchantRows,
  period,
  readDecisions,
  readEntries,
  startOf,
} from "./report-houses.ts";

/** Days of houses that are counted on while they are open. */

const asked = ({ office }: House) => sql`${office.tenant.id}::uuid, ${office.tenant.currency}`;
export type Counts = "account" | "merchant" | "decided";

/** Counts on a day of a house in steps of so many entries; answers whether there is more. */
export function count(house: House, what: Counts, day: string, { fewest = 1, most = 2_000 } = {}): Promise<boolean> {
  const of = sql`${asked(house)}, ${house.zone}::integer, ${day}::date`;
  return inTenant(house.office.deps.database, house.office.tenant.id, async (scoped) => {
    const call =
      what === "decided" ? sql`count_decided_days(${of}, ${most})` : sql`${sql.ref(`count_${what}_days`)}(${of}, ${fewest}, ${most}, 50)`;
    const { rows } = await sql<{ more: boolean }>`select ${call} as more`.execute(scoped);
    return rows[0]?.more === true;
  });
}

/** Counts until nothing is left. */
export async function countAll(house: House, day: string): Promise<void> {
  // oxlint-disable-next-line no-await-in-loop -- until nothing is left
  for (const what of ["account", "merchant", "decided"] as const) while (await count(house, what, day, { most: 3 }));
}

/** Rows of a day that are not what its entries and decisions say: as the report shows them, beside what it should. */
export async function untrue(db: TestDatabase, house: House, day: string): Promise<object[]> {
  const { id } = house.office.tenant;
  const [entries, decisions] = [await readEntries(db, id), await readDecisions(db, id)];
  const accounts = (await accountRows(house, period(day, house.zone))).map((shown) => ({
    shown,
    told: { day, ...accountDay(house, entries, shown.owner?.uuid ?? "", day) },
  }));
  const merchants = (await merchantRows(house, day)).map((shown) => {
    const merchant = shown.owner?.uuid ?? "";
    return { shown, told: { day, ...merchantDay(house, entries, merchant, day), ...decidedDay(house, decisions, merchant, day) } };
  });
  if (accounts.length !== house.accounts.length || merchants.length !== house.merchants.length) return [{ accounts, merchants }];
  return [...accounts, ...merchants].filter(({ shown, told }) => !isDeepStrictEqual({ ...shown, ...told }, shown));
}

/** How much of a house is counted. */
export const partsOf = async (db: TestDatabase, table: string, { office }: House): Promise<number> =>
  (await db.owner.query(`select from ${table} where tenant_id = $1`, [office.tenant.id])).rowCount ?? 0;

/** A day of a house on which `n` things happen at an hour. */
export async function busyDay(house: House, clock: Clock, dice: Dice, n: number, hour = 12): Promise<[House, string]> {
  const day = "2026-03-28";
  await clock.be(new Date(startOf(day, house.zone) + hour * 3_600_000));
  for (let i = 0; i < n; i++) await happens(house, dice); // oxlint-disable-line no-await-in-loop -- one after the other
  return [house, day];
}
