import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import pg from "pg";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { buildApp } from "../../../src/server/app.ts";
import { checkInvariants } from "../../../src/server/db/invariants.ts";
import { seedDemo } from "../../../src/server/demo/seed.ts";
import { simulateMerchants } from "../../../src/server/demo/traffic.ts";
import { createDispatcher } from "../../../src/server/outbox/dispatch.ts";
import { testDatabase } from "../../support/database.ts";
import { makeDeps } from "../../support/factories.ts";

const db = testDatabase();
let app: FastifyInstance;
let url: string;
const soon = { timeout: 100_000, interval: 50 };

beforeAll(async () => {
  const deps = makeDeps(db);
  const owner = new pg.Client(db.connectAs("app"));
  await owner.connect();
  await seedDemo(owner, { secrets: deps.secrets, now: new Date(), seed: 5, hashPassword: async () => "hash", transactions: 1_500 });
  await owner.end();
  app = await buildApp(deps, { logger: pino({ level: "silent" }), consoleFolder: null });
  await app.listen({ host: "127.0.0.1", port: 0 });
  url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
});
afterAll(() => app.close());

const n = async (sql: string) => Number((await db.owner.query<{ n: string }>(`select count(*) as n from ${sql}`)).rows[0]?.n);

test("simulated merchants create deposits and withdrawals, and take the callbacks that wait for them", async () => {
  const deps = makeDeps(db);
  const ofAiling = "merchant_id in (select id from merchants where code = 'SS')";
  const waiting = `outbox where state = 'pending' and attempts > 0 and not ${ofAiling}`;
  await db.owner.query("update outbox set state = 'pending' where state = 'failed'");
  expect(await n(waiting)).toBeGreaterThan(0);
  const [deposits, withdrawals] = [await n("transactions where kind = 'deposit'"), await n("transactions where kind = 'withdrawal'")];
  const traffic = await simulateMerchants(deps, url, { every: 20, seed: 9 });
  const dispatcher = createDispatcher(deps);
  try {
    await vi.waitFor(async () => {
      expect(await n("transactions where kind = 'deposit'")).toBeGreaterThan(deposits + 5);
      expect(await n("transactions where kind = 'withdrawal'")).toBeGreaterThan(withdrawals + 5);
      expect(await n("receipts")).toBeGreaterThan(5);
      await db.owner.query("update outbox set next_attempt_at = now() where state = 'pending'");
      await dispatcher.round();
      await dispatcher.idle();
      expect(await n(waiting)).toBe(0);
    }, soon);
  } finally {
    await traffic.stop();
    await dispatcher.stop();
  }
  // but for the one whose address goes on failing, for days by now
  expect(await n(`outbox where delivered_at is null and attempts > 0 and ${ofAiling}`)).toBeGreaterThan(0);
  expect(await n(`callback_endpoints where failures > 0 and failing_since < now() - interval '2 days' and ${ofAiling}`)).toBe(1);
  const owner = await db.owner.connect();
  try {
    expect((await checkInvariants(owner)).filter(({ rows }) => rows.length > 0)).toEqual([]);
  } finally {
    owner.release();
  }
});
