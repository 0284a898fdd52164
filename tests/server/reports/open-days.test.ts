import { beforeAll, beforeEach, expect, test } from "vitest";
import { seededRandom } from "../../../src/server/demo/random.ts";
import { countOpenDays } from "../../../src/server/reports/open-days.ts";
import type { Clock } from "../../support/clock.ts";
import { makeClock } from "../../support/clock.ts";
import { testDatabase } from "../../support/database.ts";
import { long } from "../../support/deep.ts";
import { busyDay, count, countAll, partsOf, untrue } from "../../support/open-days.ts";
import type { House } from "../../support/report-houses.ts";
import { happens, makeHouse, nextDay, startOf } from "../../support/report-houses.ts";

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
      wrong.push(...(random() < 0.2 ? await untrue(db, house, day) : [])); // oxlint-disable-line no-await-in-loop -- as above
      seen.set(`${house.zone} ${day}`, [house, day]);
    }
  }
  // oxlint-disable-next-line no-await-in-loop -- they share a database
  for (const [house, day] of seen.values()) wrong.push(...(await untrue(db, house, day)));
  expect(wrong).toEqual([]);
  for (const table of ["account_day_parts", "merchant_day_parts", "merchant_decided_parts"])
    expect(await partsOf(db, table, houses[0] as House), table).toBeGreaterThan(2); // oxlint-disable-line no-await-in-loop -- as above
});

const busy = (n: number, hour = 12): Promise<[House, string]> => busyDay((houses as [House])[0], clock, dice, n, hour);

test("a long day is counted in short steps, each of which says that there is more", async () => {
  const [house, day] = await busy(12);
  for (const what of ["account", "merchant", "decided"] as const) {
    let steps = 0;
    // oxlint-disable-next-line no-await-in-loop -- step by step
    for (; await count(house, what, day, { most: 1 }); steps++) expect(await untrue(db, house, day)).toEqual([]);
    // of decisions a step is as long as a transaction of anybody's runs
    expect(steps, what).toBeGreaterThan(what === "decided" ? -1 : 1);
    expect(await count(house, what, day, { most: 1 }), what).toBe(false); // oxlint-disable-line no-await-in-loop -- as above
  }
  expect(await untrue(db, house, day)).toEqual([]);
});

test("an entry that a clock set back puts into the day before belongs to that day, however its number was counted", async () => {
  const [house, day] = await busy(3, 0.1);
  const [merchant] = house.merchants as [House["merchants"][number]];
  const { id, currency } = house.office.tenant;
  const differing = async () => {
    const days = (table: string, since: string) => `select * from ${table}_of($1, $2, $3, ${since}, $4::date, null) where day = $4::date`;
    const found = ["account_days", "merchant_days"].map((table) =>
      db.owner.query(`${days(table, "null")} except ${days(table, "$4::date")}`, [id, currency, house.zone, day]),
    );
    return (await Promise.all(found)).flatMap(({ rows }) => rows);
  };
  for (const minutes of [6, -1, 20, -2, 60]) {
    await clock.be(new Date(startOf(day, house.zone) + minutes * 60_000)); // oxlint-disable-line no-await-in-loop -- time goes on
    await house.office.credited(merchant, { amount: "7" }); // oxlint-disable-line no-await-in-loop -- as above
    expect(await differing()).toEqual([]); // oxlint-disable-line no-await-in-loop -- as above
    await countAll(house, day); // oxlint-disable-line no-await-in-loop -- as above
    expect(await differing()).toEqual([]); // oxlint-disable-line no-await-in-loop -- as above
  }
  expect(await partsOf(db, "merchant_day_parts", house)).toBeGreaterThan(0);
});

test("a currency whose zone is changed has the days of its new zone, also today", async () => {
  // two hours later it is the next day, in the new zone
  const [house, day] = await busy(8, 22);
  await countAll(house, day);
  const moved = { ...house, zone: house.zone + 150 };
  await db.owner.query("update currencies set zone_minutes = $2 where tenant_id = $1", [house.office.tenant.id, moved.zone]);
  expect(await untrue(db, moved, day)).toEqual([]);
  for (const one of [day, nextDay(day)]) {
    await countAll(moved, one); // oxlint-disable-line no-await-in-loop -- as above
    await happens(moved, dice); // oxlint-disable-line no-await-in-loop -- as above
    expect(await untrue(db, moved, one)).toEqual([]); // oxlint-disable-line no-await-in-loop -- as above
  }
});

test("a part that a database with more transactions behind it has left is not believed, and is counted anew", async () => {
  const [house, day] = await busy(12);
  await countAll(house, day);
  expect(await partsOf(db, "merchant_decided_parts", house)).toBeGreaterThan(0);
  await db.owner.query("update decided_day_parts set upto = '999999999:999999999:'");
  await db.owner.query("update merchant_decided_parts set approved = approved + 1, failed = failed + 2");
  expect(await untrue(db, house, day)).toEqual([]);
  await countAll(house, day);
  expect(await untrue(db, house, day)).toEqual([]);
});

test("decisions from before they said their transaction are read, and not counted", async () => {
  const [house, day] = await busy(6);
  await db.owner.query("begin; set local session_replication_role = replica; update transaction_events set xact = null; commit");
  await countAll(house, day);
  expect(await partsOf(db, "decided_day_parts", house)).toBe(0);
  await happens(house, dice);
  expect(await untrue(db, house, day)).toEqual([]);
});

test("more decisions of one transaction than are counted at a time are counted together, and the counting ends", async () => {
  const [house, day] = await busy(12);
  await db.owner.query("begin; set local session_replication_role = replica; update transaction_events set xact = '3'; commit");
  let steps = 0;
  while (steps < 10 && (await count(house, "decided", day, { most: 1 }))) steps++; // oxlint-disable-line no-await-in-loop -- step by step
  expect(steps).toBeLessThan(10);
  expect(await partsOf(db, "merchant_decided_parts", house)).toBeGreaterThan(0);
  expect(await untrue(db, house, day)).toEqual([]);
});

test("decisions are counted once when those of transactions that overlapped come in short steps", async () => {
  const [house, day] = await busy(16);
  const { id, currency } = house.office.tenant;
  await db.owner.query(`begin; set local session_replication_role = replica;
    update transaction_events e set xact = (10 + n.nth)::text::xid8
      from (select tenant_id, transaction_id, n, row_number() over (order by at) as nth from transaction_events) n
      where (e.tenant_id, e.transaction_id, e.n) = (n.tenant_id, n.transaction_id, n.n); commit`);
  // every second one was committed, the others were not
  await db.owner.query(
    `with late as (select v.xact from transaction_events v where v.tenant_id = $1 and v.xact::text::bigint % 2 = 0),
      part as (insert into decided_day_parts (tenant_id, currency, day, starts, upto)
        select $1, $2, $3, day_start($3, $4), (min(xact)::text || ':' || (select max(xact)::text::bigint + 1 from transaction_events) || ':'
          || string_agg(xact::text, ',' order by xact))::pg_snapshot from late returning *)
    insert into merchant_decided_parts (tenant_id, merchant_id, currency, day, approved, failed, seconds, times)
      select $1, v.merchant_id, $2, $3, sum(v.approved), sum(v.failed), coalesce(array_agg(v.seconds) filter (where v.seconds is not null), '{}'),
        coalesce(array_agg(1) filter (where v.seconds is not null), '{}')
      from part p cross join lateral decided_within($1, $2, '3:3:', p.upto, day_start($3, $4), day_start($3 + 1, $4)) v group by v.merchant_id`,
    [id, currency, day, house.zone],
  );
  expect(await partsOf(db, "merchant_decided_parts", house)).toBeGreaterThan(0);
  do
    expect(await untrue(db, house, day)).toEqual([]); // oxlint-disable-line no-await-in-loop -- step by step
  while (await count(house, "decided", day, { most: 1 })); // oxlint-disable-line no-await-in-loop -- as above
  expect(await untrue(db, house, day)).toEqual([]);
});

test("half and all but a twentieth of what is counted by seconds are percentile_disc's", async () => {
  const [house, day] = await busy(0);
  const [merchant] = house.merchants as [House["merchants"][number]];
  const { id, currency } = house.office.tenant;
  const client = await db.owner.connect();
  try {
    await client.query("begin");
    await client.query(
      "insert into decided_day_parts (tenant_id, currency, day, starts, upto) values ($1, $2, $3, day_start($3, $4), pg_current_snapshot())",
      [id, currency, day, house.zone],
    );
    for (let round = 0; round < long({ share: 100, whole: 2_000 }); round++) {
      const seconds = [...new Set(Array.from({ length: 1 + Math.floor(random() * 60) }, () => Math.floor(random() * 500)))].toSorted(
        (a, b) => a - b,
      );
      const times = seconds.map(() => 1 + Math.floor(random() * random() * 30));
      // oxlint-disable-next-line no-await-in-loop -- one connection
      await client.query(
        `insert into merchant_decided_parts (tenant_id, merchant_id, currency, day, approved, failed, seconds, times) values ($1, $2, $3, $4, 0, 0, $5, $6)
          on conflict (tenant_id, merchant_id, day) do update set seconds = excluded.seconds, times = excluded.times`,
        [id, merchant.id, currency, day, seconds, times],
      );
      // oxlint-disable-next-line no-await-in-loop -- as above
      const { rows } = await client.query(
        `select d.median_seconds, d.p95_seconds, p.median, p.p95 from merchant_days_of($1, $2, $3, null, $4, null) d
          cross join (select percentile_disc(0.5) within group (order by u.seconds) as median, percentile_disc(0.95) within group (order by u.seconds) as p95
            from unnest($5::integer[], $6::integer[]) u (seconds, times) cross join lateral generate_series(1, u.times)) p
          where d.day = $4 and d.merchant_id = $7`,
        [id, currency, house.zone, day, seconds, times, merchant.id],
      );
      expect(rows).toEqual([{ median_seconds: rows[0]?.median, p95_seconds: rows[0]?.p95, median: rows[0]?.median, p95: rows[0]?.p95 }]);
    }
  } finally {
    await client.query("rollback");
    client.release();
  }
});

test("the server counts on today of every currency, and drops what is counted of days long over", async () => {
  const at = Date.parse("2026-03-28T12:00:00Z");
  await clock.be(new Date(at));
  // oxlint-disable-next-line no-await-in-loop -- one after the other
  for (const house of houses) for (let i = 0; i < 25; i++) await happens(house, dice);
  const [first] = houses as [House];
  await count(first, "account", dayAt(at, first.zone));
  await db.owner.query("update account_day_parts set day = '2026-03-01' where tenant_id = $1", [first.office.tenant.id]);
  expect(await partsOf(db, "account_day_parts", first)).toBeGreaterThan(0);
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
    expect(await partsOf(db, "merchant_day_parts", house)).toBeGreaterThan(0); // oxlint-disable-line no-await-in-loop -- as above
    expect(await partsOf(db, "decided_day_parts", house)).toBe(1); // oxlint-disable-line no-await-in-loop -- as above
    expect(await untrue(db, house, day)).toEqual([]); // oxlint-disable-line no-await-in-loop -- as above
  }
});
