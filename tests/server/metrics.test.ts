import { afterAll, beforeAll, expect, test } from "vitest";
import { testDatabase } from "../support/database.ts";
import { serve } from "../support/http.ts";
import type { Served } from "../support/http.ts";

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

test("another machine, or one behind a proxy on this, finds nothing there", async () => {
  expect((await read(served, {}, "203.0.113.9")).statusCode).toBe(404);
  expect((await read(served, { "x-forwarded-for": "127.0.0.1" })).statusCode).toBe(404);
});

test("with a token set, only whoever brings it reads, from anywhere", async () => {
  expect((await read(guarded, { authorization: `Bearer ${token}` }, "203.0.113.9")).statusCode).toBe(200);
  expect((await read(guarded, { authorization: "Bearer another-token-of-length" })).statusCode).toBe(404);
  expect((await read(guarded)).statusCode).toBe(404);
});
