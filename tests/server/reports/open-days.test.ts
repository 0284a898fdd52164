import { isDeepStrictEqual } from "node:util";
import { sql } from "kysely";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { seededRandom } from "../../../src/server/demo/random.ts";
import { withdrawalHandlers } from "../../../src/server/payments/withdrawals.ts";
import { inTenant } from "../../../src/server/db/scope.ts";
import { countOpenDays } from "../../../src/server/reports/open-days.ts";
import type { Clock } from "../../support/clock.ts";
import { makeClock } from "../../support/clock.ts";
import { testDatabase } from "../../support/database.ts";
import { long } from "../../support/deep.ts";
import { body, done, only } from "../../support/payments.ts";
import type { House } from "../../support/report-houses.ts";
import {
  accountDay,
  accountRows,
  decidedDay,
  happens,
  makeHouse,
  merchantDay,
  merchantRows,
  nextDay,
  period,
  readDecisions,
  readEntries,
  startOf,
} from "../../support/report-houses.ts";

const db = testDatabase({ patient: true });
const dice = seededRandom(2_011);
const { next: random, pick } = dice;
let clock: Clock;
let houses: House[] = [];

const began = new Date("2026-03-27T11:00:00Z");
const dayAt = (at: number, zone: number): string => new Date(at + zone * 60_000).toISOString().slice(0, 10);

beforeAll(async () => {
  clock = await makeClock(db);
  await db.owner.query("alter table ledger_entries alter column created_at set default clock.clock_timestamp()");
});

beforeEach(async () => {
  houses = [];
  // oxlint-disable-next-line no-await-in-loop -- the houses share one clock
  for (const zone of [-570, 60, 765]) houses.push(await makeHouse(db, clock, zone, began));
});

const asked = ({ office }: House) => sql`${office.tenant.id}::uuid, ${office.tenant.currency}`;
type Counts = "account" | "merchant" | "decided";

/** Counts on a day of a house in steps of so many entries; answers whether there is more. */
function count(house: House, what: Counts, day: string, { fewest = 1, most = 2_000 } = {}): Promise<boolean> {
  const of = sql`${asked(house)}, ${house.zone}::integer, ${day}::date`;
  return inTenant(house.office.deps.database, house.office.tenant.id, async (scoped) => {
    const call =
      what === "decided" ? sql`count_decided_days(${of}, ${most})` : sql`${sql.ref(`count_${what}_days`)}(${of}, ${fewest}, ${most}, 50)`;
    const { rows } = await sql<{ more: boolean }>`select ${call} as more`.execute(scoped);
    return rows[0]?.more === true;
  });
}

async function countAll(house: House, day: string): Promise<void> {
  // oxlint-disable-next-line no-await-in-loop -- until nothing is left
  for (const what of ["account", "merchant", "decided"] as const) while (await count(house, what, day, { most: 3 }));
}

/** Rows of a day that are not what its entries and decisions say: as the report shows them, beside what it should. */
async function untrue(house: House, day: string): Promise<object[]> {
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

const partsOf = async (table: string, { office }: House): Promise<number> =>
  (await db.owner.query(`select from ${table} where tenant_id = $1`, [office.tenant.id])).rowCount ?? 0;

test("whenever a day is counted on between whatever happens, it is what its entries and decisions say, also after later days", async () => {
  const hours = long({ share: 40, whole: 400 });
  const seen = new Map<string, [House, string]>();
  const wrong: object[] = [];
  for (let hour = 0; hour < hours; hour++) {
    const at = began.getTime() + hour * 3_600_000 + Math.floor(random() * 3_500_000);
    // oxlint-disable-next-line no-await-in-loop -- time goes on
    await clock.be(new Date(at));
    for (const house of houses) {
      const day = dayAt(at, house.zone);
      if (random() < 0.7) await happens(house, dice); // oxlint-disable-line no-await-in-loop -- as above
      // oxlint-disable-next-line no-await-in-loop -- as above
      if (random() < 0.5) await count(house, pick(["account", "merchant", "decided"] as const), day, { most: pick([1, 2, 5, 2_000]) });
      if (random() < 0.3) await happens(house, dice); // oxlint-disable-line no-await-in-loop -- as above
      wrong.push(...(random() < 0.2 ? await untrue(house, day) : [])); // oxlint-disable-line no-await-in-loop -- as above
      seen.set(`${house.zone} ${day}`, [house, day]);
    }
  }
  // oxlint-disable-next-line no-await-in-loop -- they share a database
  for (const [house, day] of seen.values()) wrong.push(...(await untrue(house, day)));
  expect(wrong).toEqual([]);
  for (const table of ["account_day_parts", "merchant_day_parts", "merchant_decided_parts"])
    expect(await partsOf(table, houses[0] as House), table).toBeGreaterThan(2); // oxlint-disable-line no-await-in-loop -- as above
});

/** A house where `n` things have happened, now, and its day. */
async function busy(n: number, hour = 12): Promise<[House, string]> {
  const [house] = houses as [House];
  const day = "2026-03-28";
  await clock.be(new Date(startOf(day, house.zone) + hour * 3_600_000));
  for (let i = 0; i < n; i++) await happens(house, dice); // oxlint-disable-line no-await-in-loop -- one after the other
  return [house, day];
}

test("a long day is counted in short steps, each of which says that there is more", async () => {
  const [house, day] = await busy(12);
  for (const what of ["account", "merchant", "decided"] as const) {
    let steps = 0;
    // oxlint-disable-next-line no-await-in-loop -- step by step
    for (; await count(house, what, day, { most: 1 }); steps++) expect(await untrue(house, day)).toEqual([]);
    expect(steps, what).toBeGreaterThan(1);
    expect(await count(house, what, day, { most: 1 }), what).toBe(false); // oxlint-disable-line no-await-in-loop -- as above
  }
  expect(await untrue(house, day)).toEqual([]);
});

test("two processes count on the same day at once, and nothing is counted twice", async () => {
  const [house, day] = await busy(10);
  for (const what of ["account", "merchant", "decided"] as const) {
    await count(house, what, day); // oxlint-disable-line no-await-in-loop -- the parts are there before both begin
    for (let i = 0; i < 4; i++) await happens(house, dice); // oxlint-disable-line no-await-in-loop -- as above
    const holder = await db.owner.connect(); // oxlint-disable-line no-await-in-loop -- as above
    try {
      // both have begun before either can write
      await holder.query(`begin; select 1 from ${what}_day_parts for update`); // oxlint-disable-line no-await-in-loop -- as above
      const both = [count(house, what, day), count(house, what, day)];
      await waiting(2); // oxlint-disable-line no-await-in-loop -- as above
      await holder.query("rollback"); // oxlint-disable-line no-await-in-loop -- as above
      await Promise.all(both); // oxlint-disable-line no-await-in-loop -- as above
    } finally {
      holder.release();
    }
  }
  expect(await untrue(house, day)).toEqual([]);
});

/** Waits until so many connections wait for a lock. */
async function waiting(n: number): Promise<void> {
  await expect
    .poll(
      async () =>
        (await db.owner.query("select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'")).rowCount,
      { timeout: 30_000 },
    )
    .toBe(n);
}

test("a day read while it is counted on, and while that is not committed, is the same", async () => {
  const [house, day] = await busy(10);
  const counting = await db.owner.connect();
  try {
    await counting.query("begin; set role countinghouse_app");
    await counting.query("select set_config('app.tenant_id', $1, true)", [house.office.tenant.id]);
    for (const call of [
      "count_account_days($1, $2, $3, $4, 1, 2000, 50)",
      "count_merchant_days($1, $2, $3, $4, 1, 2000, 50)",
      "count_decided_days($1, $2, $3, $4, 2000)",
    ])
      await counting.query(`select ${call}`, [house.office.tenant.id, house.office.tenant.currency, house.zone, day]); // oxlint-disable-line no-await-in-loop -- one connection
    expect(await untrue(house, day)).toEqual([]);
    await happens(house, dice);
    expect(await untrue(house, day)).toEqual([]);
    await counting.query("commit");
  } finally {
    counting.release(true);
  }
  expect(await untrue(house, day)).toEqual([]);
  await happens(house, dice);
  expect(await untrue(house, day)).toEqual([]);
});

test("what was begun before a counting and committed after it is not lost", async () => {
  const [house, day] = await busy(6);
  await countAll(house, day);
  const { office, merchants } = house;
  const [one, other] = merchants as [House["merchants"][number], House["merchants"][number]];
  const [slow, quick] = [await office.claimed(one, { amount: "10" }), await office.claimed(other, { amount: "20" })];
  const reject = ({ uuid, version }: { uuid: string; version: number }) =>
    withdrawalHandlers.rejectWithdrawals(office.call(), body({ rows: [{ uuid, version }], reason: { code: "other", text: "No" } }));
  const holder = await db.owner.connect();
  try {
    await holder.query("begin");
    await holder.query("select 1 from ledger_accounts where tenant_id = $1 and owner_id = $2 and kind = 'wallet' for update", [
      office.tenant.id,
      one.id,
    ]);
    const late = reject(slow);
    await waiting(1);
    done(only(await reject(quick)));
    await countAll(house, day);
    await holder.query("rollback");
    done(only(await late));
  } finally {
    holder.release();
  }
  expect(await untrue(house, day)).toEqual([]);
  await countAll(house, day);
  expect(await untrue(house, day)).toEqual([]);
});

test("an entry that a clock set back puts into the day before belongs to that day, however its number was counted", async () => {
  const [house, day] = await busy(3, 0.1);
  const { id, currency } = house.office.tenant;
  await clock.be(new Date(startOf(day, house.zone) - 60_000));
  await happens(house, dice);
  await countAll(house, day);
  await clock.be(new Date(startOf(day, house.zone) + 3_600_000));
  await happens(house, dice);
  const differing = async (table: string) => {
    const days = (since: string) => `select * from ${table}_of($1, $2, $3, ${since}, $4::date, null) where day = $4::date`;
    return (await db.owner.query(`${days("null")} except ${days("$4::date")}`, [id, currency, house.zone, day])).rows;
  };
  expect(await differing("account_days")).toEqual([]);
  expect(await differing("merchant_days")).toEqual([]);
  await countAll(house, day);
  expect(await differing("account_days")).toEqual([]);
  expect(await differing("merchant_days")).toEqual([]);
  expect(await partsOf("merchant_day_parts", house)).toBeGreaterThan(0);
});

test("a currency whose zone is changed has the days of its new zone, also today", async () => {
  const [house, day] = await busy(8);
  await countAll(house, day);
  const moved = { ...house, zone: house.zone + 150 };
  await db.owner.query("update currencies set zone_minutes = $2 where tenant_id = $1", [house.office.tenant.id, moved.zone]);
  expect(await untrue(moved, day)).toEqual([]);
  await countAll(moved, day);
  await happens(moved, dice);
  expect(await untrue(moved, day)).toEqual([]);
});

test("a part that a database with more transactions behind it has left is not believed, and is counted anew", async () => {
  const [house, day] = await busy(6);
  await countAll(house, day);
  await db.owner.query(
    "update decided_day_parts set upto = '999999999:999999999:'; update merchant_decided_parts set approved = approved + 1",
  );
  expect(await untrue(house, day)).toEqual([]);
  await countAll(house, day);
  expect(await untrue(house, day)).toEqual([]);
});

test("decisions from before they said their transaction are read, and not counted", async () => {
  const [house, day] = await busy(6);
  await db.owner.query("begin; set local session_replication_role = replica; update transaction_events set xact = null; commit");
  await countAll(house, day);
  expect(await partsOf("decided_day_parts", house)).toBe(0);
  await happens(house, dice);
  expect(await untrue(house, day)).toEqual([]);
});

test("more decisions of one transaction than are counted at a time are counted together, and the counting ends", async () => {
  const [house, day] = await busy(12);
  await db.owner.query("begin; set local session_replication_role = replica; update transaction_events set xact = '3'; commit");
  let steps = 0;
  while (steps < 10 && (await count(house, "decided", day, { most: 1 }))) steps++; // oxlint-disable-line no-await-in-loop -- step by step
  expect(steps).toBeLessThan(10);
  expect(await partsOf("merchant_decided_parts", house)).toBeGreaterThan(0);
  expect(await untrue(house, day)).toEqual([]);
});

test("the server counts on today of every currency, and drops what is counted of days long over", async () => {
  const at = Date.parse("2026-03-28T12:00:00Z");
  await clock.be(new Date(at));
  // oxlint-disable-next-line no-await-in-loop -- one after the other
  for (const house of houses) for (let i = 0; i < 25; i++) await happens(house, dice);
  const [first] = houses as [House];
  await count(first, "account", dayAt(at, first.zone));
  await db.owner.query("update account_day_parts set day = '2026-03-01' where tenant_id = $1", [first.office.tenant.id]);
  expect(await partsOf("account_day_parts", first)).toBeGreaterThan(0);
  await countOpenDays(first.office.deps);
  for (const house of houses) {
    const [day, { id }] = [dayAt(at, house.zone), house.office.tenant];
    // oxlint-disable-next-line no-await-in-loop -- as above
    const { rows } = await db.owner.query<{ day: string }>(
      `select distinct day::text from (select tenant_id, day from account_day_parts union all select tenant_id, day from merchant_day_parts
        union all select tenant_id, day from decided_day_parts) p where tenant_id = $1`,
      [id],
    );
    expect(rows).toEqual([{ day }]);
    expect(await partsOf("merchant_day_parts", house)).toBeGreaterThan(0); // oxlint-disable-line no-await-in-loop -- as above
    expect(await partsOf("decided_day_parts", house)).toBe(1); // oxlint-disable-line no-await-in-loop -- as above
    expect(await untrue(house, day)).toEqual([]); // oxlint-disable-line no-await-in-loop -- as above
  }
});

/** Entries and decisions that a reading of the open day reads, by its plan as the server's role has it. */
async function readBy(house: House, table: string, day: string): Promise<number> {
  const { id, currency } = house.office.tenant;
  const client = await db.owner.connect();
  try {
    await client.query("begin; set local role countinghouse_app");
    await client.query("select set_config('app.tenant_id', $1, true)", [id]);
    const { rows } = await client.query<{ "QUERY PLAN": [{ Plan: PlanNode }] }>(
      `explain (analyze, format json) select * from ${table}_of('${id}', '${currency}', ${house.zone}, null, '${day}', null) where day = '${day}'`,
    );
    return rows[0] ? readIn(rows[0]["QUERY PLAN"][0].Plan) : NaN;
  } finally {
    await client.query("rollback");
    client.release();
  }
}

interface PlanNode {
  readonly "Relation Name"?: string;
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Filter"?: number;
  readonly Plans?: readonly PlanNode[];
}

function readIn(node: PlanNode): number {
  const own = ["ledger_entries", "transaction_events"].includes(node["Relation Name"] ?? "")
    ? Math.round((node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0)) * node["Actual Loops"])
    : 0;
  return own + (node.Plans ?? []).reduce((all, plan) => all + readIn(plan), 0);
}

test("a reading of today reads what came since the last counting, however much there was before", async () => {
  const [house] = await busy(0);
  const day = nextDay("2026-03-28");
  await clock.be(new Date(startOf(day, house.zone) + 3_600_000));
  const reads: number[][] = [];
  for (const n of [8, 40]) {
    for (let i = 0; i < n; i++) await happens(house, dice); // oxlint-disable-line no-await-in-loop -- one after the other
    await countAll(house, day); // oxlint-disable-line no-await-in-loop -- as above
    await db.owner.query("analyze"); // oxlint-disable-line no-await-in-loop -- as above
    reads.push([await readBy(house, "account_days", day), await readBy(house, "merchant_days", day)]); // oxlint-disable-line no-await-in-loop -- as above
  }
  // the first entry, and the balances the day begins and ends with
  expect(reads[0]).toEqual(reads[1]);
  await house.office.credited(house.merchants[0] as House["merchants"][number], { amount: "5" });
  // an entry of the account; one of the wallet, its posting's three and the decision
  expect(await readBy(house, "account_days", day)).toBe((reads[1]?.[0] ?? NaN) + 1);
  expect(await readBy(house, "merchant_days", day)).toBe((reads[1]?.[1] ?? NaN) + 5);
});
