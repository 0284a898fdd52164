import { beforeAll, beforeEach, expect, test } from "vitest";
import { seededRandom } from "../../../src/server/demo/random.ts";
import { withdrawalHandlers } from "../../../src/server/payments/withdrawals.ts";
import type { Clock } from "../../support/clock.ts";
import { makeClock } from "../../support/clock.ts";
import { testDatabase } from "../../support/database.ts";
import { busyDay, count, countAll, untrue } from "../../support/open-days.ts";
import { body, done, only } from "../../support/payments.ts";
import type { House } from "../../support/report-houses.ts";
import { happens, makeHouse, nextDay, startOf } from "../../support/report-houses.ts";

const db = testDatabase({ patient: true });
const dice = seededRandom(2_012);
let clock: Clock;
let house: House;

beforeAll(async () => {
  clock = await makeClock(db);
  await db.owner.query("alter table ledger_entries alter column created_at set default clock.clock_timestamp()");
});

beforeEach(async () => {
  house = await makeHouse(db, clock, 345, new Date("2026-03-27T11:00:00Z"));
});

const busy = async (n: number): Promise<string> => (await busyDay(house, clock, dice, n))[1];

test("two processes count on the same day at once, and nothing is counted twice", async () => {
  const day = await busy(10);
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
  expect(await untrue(db, house, day)).toEqual([]);
});

test("a counting of decisions that began before another one and ends after it takes nothing back", async () => {
  const day = await busy(4);
  await count(house, "decided", day);
  const [one, other] = house.merchants as [House["merchants"][number], House["merchants"][number]];
  const { tenant } = house.office;
  await house.office.credited(one, { amount: "5" });
  await db.owner.query(`create function wait_here() returns trigger language plpgsql as $$ begin
      if current_setting('test.waits', true) = 'yes' then perform pg_advisory_xact_lock_shared(2011); end if; return null; end $$;
    create trigger wait_here before update on decided_day_parts for each statement execute function wait_here()`);
  const [holder, slow] = [await db.owner.connect(), await db.owner.connect()];
  try {
    await holder.query("select pg_advisory_lock(2011)");
    await slow.query("begin; set local test.waits = 'yes'");
    const first = slow.query("select count_decided_days($1, $2, $3, $4, 2000)", [tenant.id, tenant.currency, house.zone, day]);
    await waiting(1);
    await house.office.credited(other, { amount: "5" });
    let isOver = false;
    const second = count(house, "decided", day).finally(() => (isOver = true));
    await expect.poll(async () => isOver || (await waitingNow()) === 2, { timeout: 30_000 }).toBe(true);
    await holder.query("select pg_advisory_unlock(2011)");
    await first;
    await slow.query("commit");
    await second;
  } finally {
    holder.release(true);
    slow.release(true);
    await db.owner.query("drop trigger wait_here on decided_day_parts; drop function wait_here");
  }
  expect(await untrue(db, house, day)).toEqual([]);
});

const waitingNow = async (): Promise<number> =>
  (await db.owner.query("select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'")).rowCount ?? 0;

/** Waits until so many connections wait for a lock. */
async function waiting(n: number): Promise<void> {
  await expect.poll(waitingNow, { timeout: 30_000 }).toBe(n);
}

test("a day read while it is counted on, and while that is not committed, is the same", async () => {
  const day = await busy(10);
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
    expect(await untrue(db, house, day)).toEqual([]);
    await happens(house, dice);
    expect(await untrue(db, house, day)).toEqual([]);
    await counting.query("commit");
  } finally {
    counting.release(true);
  }
  expect(await untrue(db, house, day)).toEqual([]);
  await happens(house, dice);
  expect(await untrue(db, house, day)).toEqual([]);
});

test("what was begun before a counting and committed after it is not lost", async () => {
  const day = await busy(6);
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
  expect(await untrue(db, house, day)).toEqual([]);
  await countAll(house, day);
  expect(await untrue(db, house, day)).toEqual([]);
});

/** Rows of entries and decisions that a reading of the open day fetches, as the server's role. */
async function fetched(table: string, day: string): Promise<number> {
  const { id, currency } = house.office.tenant;
  const client = await db.owner.connect();
  try {
    // what this connection of the pool read before, and has not told yet, is not counted
    await client.query("select pg_stat_force_next_flush()");
    // tables as small as these would be read as a whole
    await client.query("begin; set local role countinghouse_app; set local enable_seqscan = off");
    await client.query("select set_config('app.tenant_id', $1, true)", [id]);
    await client.query(`select * from ${table}_of($1, $2, $3, null, $4, null) where day = $4`, [id, currency, house.zone, day]);
    const { rows } = await client.query<{ n: number }>(
      `select sum(seq_tup_read + idx_tup_fetch)::integer as n from pg_stat_xact_user_tables
        where relname in ('ledger_entries', 'transaction_events')`,
    );
    return rows[0]?.n ?? NaN;
  } finally {
    // with the plans it has made
    client.release(true);
  }
}

/**
 * Waits until every transaction that is older than the last decision has ended. A counting ends at its snapshot, and while an older transaction
 * is open anywhere on the server (that of another test's database too) the decisions made since are read again.
 */
async function oldTransactionsEnd(): Promise<void> {
  const isOver = "select pg_snapshot_xmin(pg_current_snapshot()) > max(xact) as over from transaction_events";
  await expect.poll(async () => (await db.owner.query<{ over: boolean }>(isOver)).rows[0]?.over, { timeout: 60_000 }).toBe(true);
}

test("a reading of today fetches what came since the last counting, however much there was before", async () => {
  const day = nextDay("2026-03-28");
  await clock.be(new Date(startOf(day, house.zone) + 3_600_000));
  const read = async () => [await fetched("account_days", day), await fetched("merchant_days", day)];
  const reads: number[][] = [];
  for (const n of [40, 80]) {
    for (let i = 0; i < n; i++) await happens(house, dice); // oxlint-disable-line no-await-in-loop -- one after the other
    await oldTransactionsEnd(); // oxlint-disable-line no-await-in-loop -- as above
    await countAll(house, day); // oxlint-disable-line no-await-in-loop -- as above
    await db.owner.query("vacuum analyze"); // oxlint-disable-line no-await-in-loop -- as above
    reads.push(await read()); // oxlint-disable-line no-await-in-loop -- as above
  }
  // the balances the day begins and ends with
  expect(reads[0]).toEqual(reads[1]);
  const [accounts = NaN, merchants = NaN] = reads[1] ?? [];
  await house.office.credited(house.merchants[0] as House["merchants"][number], { amount: "5" });
  // an entry of the account; one of the wallet, its posting's three and the decision
  expect(await read()).toEqual([accounts + 1, merchants + 5]);
});
