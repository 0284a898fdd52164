import { afterAll, beforeAll, expect, test } from "vitest";
import { makeCrew } from "../../support/crew.ts";
import type { Operator } from "../../support/crew.ts";
import { testDatabase } from "../../support/database.ts";
import { makeSigningMerchant } from "../../support/merchants.ts";
import { makeOffice } from "../../support/payments.ts";
import type { Office } from "../../support/payments.ts";
import type { ServerProcess } from "../../support/processes.ts";
import { serverProcess } from "../../support/processes.ts";
import { settingsFor } from "../../support/settings-for.ts";

const db = testDatabase();
let server: ServerProcess;
let office: Office;
let operator: Operator;

beforeAll(async () => {
  server = await serverProcess(settingsFor(db));
  await server.start();
  office = await makeOffice(db);
  const at = { deps: office.deps, url: server.url } as unknown as Parameters<typeof makeCrew>[1]; // it asks over the url only
  const [one] = await makeCrew(db, at, office, 1);
  if (!one) throw new Error("there is one");
  operator = one;
  // 200 of them take half a minute
  await db.owner.query(`
    create function slow() returns trigger language plpgsql as $$ begin perform pg_sleep(0.15); return new; end $$;
    create trigger slow before update on transactions for each row when (new.status = 'rejected') execute function slow()`);
});
afterAll(() => server.end());

interface Outcome {
  readonly uuid: string;
  readonly done: boolean;
  readonly problem?: { readonly code: string; readonly status: number; readonly message: string };
}

async function manyPending(): Promise<{ uuid: string; version: number }[]> {
  const merchant = await makeSigningMerchant(db, office.deps, office.tenant, { callback_url: null, wallet: "1000000" });
  const rows: { uuid: string; version: number }[] = [];
  for (let n = 0; n < 200; n++) {
    // oxlint-disable-next-line no-await-in-loop -- one wallet
    const { id: uuid, version } = await office.withdraw(merchant, { amount: "10.00", member: `m ${n}` });
    rows.push({ uuid, version });
  }
  return rows;
}

const rejected = async () =>
  (await db.owner.query<{ id: string }>("select id from transactions where status = 'rejected' order by id")).rows.map(({ id }) => id);

test("an act on 200 slow rows is answered with what was done and what was not tried, nothing goes on after that, and sent again it goes on", async () => {
  const body = { rows: await manyPending(), reason: { code: "duplicate" } };
  const key = "an-act-on-many-slow-rows";
  const first = await operator.ask("rejectWithdrawals", body, key);
  expect(first.status).toBe(200);
  const { outcomes } = first.data as { outcomes: Outcome[] }; // the contract's answer
  expect(outcomes.map(({ uuid }) => uuid)).toEqual(body.rows.map(({ uuid }) => uuid));
  const done = outcomes.filter((one) => one.done).map(({ uuid }) => uuid);
  const left = outcomes.filter((one) => !one.done);
  expect(done.length).toBeGreaterThan(0);
  expect(left.length).toBeGreaterThan(0);
  expect(new Set(left.map(({ problem }) => JSON.stringify(problem)))).toEqual(
    new Set([
      JSON.stringify({ message: "Not sent: the time for one request ran out. Try again.", code: "request.not-tried", status: 503 }),
    ]),
  );

  const again = (await operator.ask("rejectWithdrawals", body, key)).data as { outcomes: Outcome[] }; // the contract's answer
  const since = again.outcomes.filter((one) => one.done).map(({ uuid }) => uuid);
  expect(since).toEqual(expect.arrayContaining(done));
  expect(since.length).toBeGreaterThan(done.length);

  // a stopped server has done what it answered and nothing more
  expect(await server.stop()).toEqual({ code: 0, logged: "" });
  expect(await rejected()).toEqual(since.toSorted());
});

test("an act whose client has gone begins no further row", async () => {
  await server.start();
  const before = (await rejected()).length;
  const body = { rows: await manyPending(), reason: { code: "duplicate" } };
  const holder = await db.owner.connect();
  await holder.query("begin");
  await holder.query("select from transactions where id = $1 for update", [body.rows[3]?.uuid]);
  const gone = new AbortController();
  const sent = operator.ask("rejectWithdrawals", body, "an-act-nobody-waits-for", gone.signal).catch(() => null);
  const waits = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  await expect.poll(async () => (await db.owner.query(waits)).rowCount).toBe(1);
  gone.abort();
  await sent;
  // one asked after the other, so that the server has heard of the connection that closed before
  for (let n = 0; n < 2; n++) expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  await holder.query("rollback");
  holder.release();
  // one that went on would have time for as many rows as these take
  const others = body.rows.slice(-5);
  const beside = await operator.ask("rejectWithdrawals", { ...body, rows: others }, "an-act-beside-it");
  expect((beside.data as { outcomes: Outcome[] }).outcomes.filter((one) => one.done)).toHaveLength(others.length);
  // whatever runs is finished by this; the row that was held had begun, and may have waited too long
  expect(await server.stop()).toEqual({ code: 0, logged: "" });
  const done = (await rejected()).length - before - others.length;
  expect(done).toBeGreaterThanOrEqual(3);
  expect(done).toBeLessThanOrEqual(4);
});
