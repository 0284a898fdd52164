import { afterAll, beforeAll, expect, test } from "vitest";
import { testDatabase } from "../support/database.ts";
import { serve } from "../support/http.ts";
import type { Served } from "../support/http.ts";

const db = testDatabase();
let served: Served;
beforeAll(async () => {
  served = await serve(db, { environment: { TRUST_PROXY: "127.0.0.1,10.0.0.0/8" } });
  served.app.get("/who", async ({ ip }) => ip);
});
afterAll(() => served.app.close());

test.each([
  ["203.0.113.7", "203.0.113.7"],
  ["203.0.113.7:51234", "203.0.113.7"],
  ["[2001:db8::7]:51234", "2001:db8::7"],
  ["2001:db8::7", "2001:db8::7"],
  ["::ffff:203.0.113.7", "203.0.113.7"],
  ["198.51.100.1, 203.0.113.7:80, 10.0.0.3:443", "203.0.113.7"],
  // whoever says no address is counted as the proxy that passed it on, not under a name of their own choice
  ["unknown", "127.0.0.1"],
  ["203.0.113.7:port", "127.0.0.1"],
  ["203.0.113.7, _hidden, 10.0.0.3", "10.0.0.3"],
  ["", "127.0.0.1"],
])("a believed proxy that says “%s” passes on %s", async (said, address) => {
  const { payload } = await served.app.inject({ url: "/who", headers: { "x-forwarded-for": said } });
  expect(payload).toBe(address);
});
