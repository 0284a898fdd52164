import { afterAll, beforeAll, expect, test } from "vitest";
import { withdrawalHandlers } from "../../src/server/payments/withdrawals.ts";
import { testDatabase } from "../support/database.ts";
import { makeMerchant } from "../support/factories.ts";
import { serve } from "../support/http.ts";
import type { Served } from "../support/http.ts";
import { body, makeOffice } from "../support/payments.ts";

const db = testDatabase();
let served: Served;
let guarded: Served;
const token = "a-token-of-some-length";

beforeAll(async () => {
  served = await serve(db);
  guarded = await serve(db, { environment: { METRICS_TOKEN: token } });
});
afterAll(() => Promise.all([served.app.close(), guarded.app.close()]));

const read = ({ app }: Served, headers: Record<string, string> = {}, remoteAddress = "127.0.0.1") =>
  app.inject({ method: "GET", url: "/metrics", headers, remoteAddress });

test("this machine reads durations by route's pattern, never by address", async () => {
  await served.app.inject({ method: "GET", url: "/service/payment/api/tenant/v1/withdrawals/00000000-0000-4000-8000-000000000000" });
  const { statusCode, payload } = await read(served);
  expect(statusCode).toBe(200);
  expect(payload).toContain('route="/service/payment/api/tenant/v1/withdrawals/:uuid",status="401"');
  expect(payload).not.toContain("00000000-0000");
  expect(payload).toContain("database_connections");
});

test("the waiting work of all tenants and the results of the sweeps are shown, and no gauge whose value is unknown", async () => {
  const office = await makeOffice(db);
  const merchant = await makeMerchant(db, office.tenant, { wallet: "1000" });
  const ids: string[] = [];
  for (let n = 0; n < 3; n++) {
    const { id, version } = await office.withdraw(merchant, { amount: "10.00" });
    await withdrawalHandlers.rejectWithdrawals(office.call(), body({ rows: [{ uuid: id, version }], reason: { code: "duplicate" } }));
    ids.push(id);
  }
  await db.owner.query("update outbox set next_attempt_at = now() - interval '90 seconds' where transaction_id = $1", [ids[0]]);
  await db.owner.query("update outbox set state = 'failed', next_attempt_at = null where transaction_id = $1", [ids[1]]);
  served.deps.sweeps.failed("expiry");
  served.deps.sweeps.ended("expiry");
  const { payload } = await read(served);
  const value = (name: string) =>
    Number(
      payload
        .split("\n")
        .find((line) => line.startsWith(`${name} `))
        ?.split(" ")[1],
    );
  expect([value("callbacks_due"), value("callbacks_failed")]).toEqual([2, 1]);
  expect(value("callbacks_due_age_seconds")).toBeGreaterThanOrEqual(90);
  expect(value("audit_unsealed")).toBeGreaterThan(5);
  expect(value("audit_unsealed_age_seconds")).toBeGreaterThan(0);
  expect(value('sweep_failures{sweep="expiry"}')).toBe(1);
  expect(value('sweep_last_success_timestamp_seconds{sweep="expiry"}')).toBeGreaterThan(1_700_000_000);
  expect(payload).not.toContain('sweep="mail"');
});

test("another machine, or one behind a proxy on this, finds nothing there", async () => {
  expect((await read(served, {}, "203.0.113.9")).statusCode).toBe(404);
  expect((await read(served, { "x-forwarded-for": "127.0.0.1" })).statusCode).toBe(404);
});

test("with a token set, only whoever brings it reads, from anywhere", async () => {
  expect((await read(guarded, { authorization: `Bearer ${token}` }, "203.0.113.9")).statusCode).toBe(200);
  expect((await read(guarded, { authorization: "Bearer another-token-of-length" })).statusCode).toBe(404);
  expect((await read(guarded)).statusCode).toBe(404);
});
