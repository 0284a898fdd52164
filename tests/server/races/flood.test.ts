import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeAccount, makeGroup, makePerson, makeRateGroup } from "../../support/factories.ts";
import { ask, sessionOf } from "../../support/http.ts";
import type { Answered } from "../../support/http.ts";
import type { SigningMerchant } from "../../support/merchants.ts";
import { makeSigningMerchant } from "../../support/merchants.ts";
import type { Outside } from "../../support/outside.ts";
import { outsideOf } from "../../support/outside.ts";
import { makeOffice } from "../../support/payments.ts";
import type { ServerProcess } from "../../support/processes.ts";
import { serverProcess } from "../../support/processes.ts";

const processes = 2;
const inFlight = 64;
/** Few connections, so that a flood is one with few callers. */
const environment = { DATABASE_POOL: "4" };
let servers: ServerProcess[];
let outside: Outside;

beforeAll(async () => {
  const first = await serverProcess(environment);
  await first.start();
  const others = await Promise.all(Array.from({ length: processes - 1 }, () => serverProcess({ ...environment, DATA_DIR: first.dataDir })));
  await Promise.all(others.map((one) => one.start()));
  servers = [...others, first];
  outside = await outsideOf(first);
});

afterAll(async () => {
  await outside.close();
  // the first server last, because the database is its own
  for (const server of servers) await server.end();
});

const served = (n: number) => outside.at(servers[n % servers.length] ?? { url: "" });

const deposit = (merchant: SigningMerchant, n: number): Promise<Answered> =>
  ask(served(n), "createDeposit", {
    signedBy: merchant,
    body: {
      merchant_txn_no: randomUUID(),
      amount: "10.00",
      currency: merchant.currency,
      method: "bank_transfer",
      member: `M${n % 20}`,
      customer_name: "Tan Wei Ming",
    },
  });

test(`${inFlight} deposits in flight at ${processes} processes: none is refused, and no limit exceeded`, async () => {
  const { db } = outside;
  const office = await makeOffice(db);
  const merchant = await makeSigningMerchant(db, outside.served.deps, office.tenant);
  const limited = await makeRateGroup(db, office.tenant, {
    account_window_minutes: 60,
    account_max_count: 15,
    member_window_minutes: 60,
    member_max_count: 100,
  });
  const accounts = [
    await makeAccount(db, office.tenant, { deposit_daily_limit: "200" }),
    await makeAccount(db, office.tenant, { deposit_monthly_limit: "150" }),
    await makeAccount(db, office.tenant, { rate_limit_group_id: limited }),
    await makeAccount(db, office.tenant),
  ];
  await makeGroup(db, office.tenant, accounts, [merchant]);
  const answers = await Promise.all(Array.from({ length: inFlight }, (_, n) => deposit(merchant, n)));
  expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
  const { rows } = await db.owner.query<{ id: string; n: number; used: number }>(
    `select a.id, (select count(*)::integer from transactions t where t.payment_account_id = a.id) as n,
       coalesce((select u.used from limit_usage u where u.payment_account_id = a.id and u.period = 'day'), 0)::integer as used
     from payment_accounts a where a.tenant_id = $1`,
    [office.tenant.id],
  );
  const on = accounts.map(({ id }) => rows.find((row) => row.id === id));
  expect(on.map((one) => one?.used)).toEqual(on.map((one) => (one?.n ?? 0) * 10));
  const [daily = 0, monthly = 0, counted = 0, free = 0] = on.map((one) => one?.n);
  expect(daily).toBeLessThanOrEqual(20);
  expect(monthly).toBeLessThanOrEqual(15);
  expect(counted).toBeLessThanOrEqual(15);
  expect(daily + monthly + counted + free).toBe(inFlight);
});

test("while one tenant floods beyond all limits and is refused as busy, every request of another is answered", async () => {
  const { db } = outside;
  const [flooding, quiet] = [await makeOffice(db), await makeOffice(db)];
  const merchant = await makeSigningMerchant(db, outside.served.deps, flooding.tenant);
  await makeGroup(db, flooding.tenant, [await makeAccount(db, flooding.tenant)], [merchant]);
  const reader = await makePerson(db, quiet.tenant);
  await db.owner.query("update memberships set permissions = '{pas.transaction.withdrawals.view}' where user_id = $1", [reader.id]);
  const { access_token: token } = await sessionOf(outside.served.deps, reader.id);
  let flood = true;
  const answers: Answered[] = [];
  const one = async (n: number) => {
    // oxlint-disable-next-line no-await-in-loop -- each has one request in flight
    while (flood) answers.push(await deposit(merchant, n));
  };
  const all = Promise.all(Array.from({ length: processes * 80 }, (_, n) => one(n)));
  const lists = [];
  while (lists.length < 20 || !answers.some(({ status }) => status === 503)) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const { status, text } = await ask(served(lists.length), "listWithdrawals", {
      token,
      tenant: quiet.tenant.id,
      currency: quiet.tenant.currency,
      query: { view: "queue" },
    });
    lists.push(status === 200 ? status : text);
  }
  flood = false;
  await all;
  expect(new Set(lists)).toEqual(new Set([200]));
  expect(new Set(answers.map(({ status, code }) => code ?? status))).toEqual(new Set([200, "request.busy"]));
});
