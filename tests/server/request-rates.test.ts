import { afterEach, expect, test, vi } from "vitest";
import { createRequestRates } from "../../src/server/request-rates.ts";
import type { RequestRates } from "../../src/server/request-rates.ts";
import { testDatabase } from "../support/database.ts";
import { makeDeps, makePerson, makeTenant } from "../support/factories.ts";
import type { Tenant } from "../support/factories.ts";
import { signRequest } from "../../src/server/merchant-api/sign.ts";
import { ask, refusalOf, serve, sessionOf } from "../support/http.ts";
import { makeSigningMerchant } from "../support/merchants.ts";
import type { SigningMerchant } from "../support/merchants.ts";

const db = testDatabase();
const running: RequestRates[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const rates of running.splice(0)) rates.stop();
  await db.owner.query("delete from throttles");
});

/** A process's counts, at a minute that stands still. */
function counting(clock: { at: number }): RequestRates {
  const { database, log } = makeDeps(db);
  const rates = createRequestRates(database, log, () => clock.at);
  running.push(rates);
  return rates;
}

test("both processes refuse what exceeds the limit together, and the next minute starts from zero", async () => {
  const clock = { at: 60_000_000 };
  const [one, other] = [counting(clock), counting(clock)];
  const limits = { "user:a": 10 };
  for (let n = 0; n < 6; n++) expect(one.count(limits)).toBe(true);
  await one.share();
  for (let n = 0; n < 4; n++) expect(other.count(limits)).toBe(true);
  await other.share();
  expect(other.count(limits)).toBe(false);
  expect(one.count({ "user:b": 10 })).toBe(true);
  one.count(limits);
  await one.share();
  expect(one.count(limits)).toBe(false);
  clock.at += 60_000;
  expect([one.count(limits), other.count(limits)]).toEqual([true, true]);
});

test("ordinary work writes no row", async () => {
  const rates = counting({ at: 60_000_000 });
  for (let n = 0; n < 50; n++) rates.count({ "user:a": 1_000 });
  await rates.share();
  expect((await db.owner.query("select from throttles")).rowCount).toBe(0);
});

test("one user is refused from any address, and so is a tenant's eleventh busy user, not another tenant's", async () => {
  // the minute stands still: in the next one all would be let in again
  vi.useFakeTimers({ toFake: ["Date"] });
  const [here, there] = [{ tenant: await makeTenant(db) }, { tenant: await makeTenant(db) }];
  const served = await serve(db, { requestsPerMinute: 3 });
  try {
    let address = 0;
    const read = async (token: string, tenant: string) => {
      address += 1;
      return ask(served, "readContext", { token, tenant, ip: `198.51.${address >> 8}.${address & 255}` });
    };
    const tokenOf = async (tenant: Tenant) => (await sessionOf(served.deps, (await makePerson(db, tenant)).id)).access_token;
    const tokens: string[] = [];
    for (let n = 0; n < 11; n++) {
      tokens.push(await tokenOf(here.tenant));
    }
    for (const token of tokens.slice(0, 10)) {
      const answers = await Promise.all([1, 2, 3].map(() => read(token, here.tenant.id)));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    }
    const guest = await tokenOf(there.tenant);
    expect((await read(guest, there.tenant.id)).status).toBe(200);
    expect(refusalOf(await read(tokens[10] ?? "", here.tenant.id))).toBe("request.too-many");
    for (let n = 0; n < 2; n++) await read(guest, there.tenant.id);
    expect(refusalOf(await read(guest, there.tenant.id))).toBe("request.too-many");
  } finally {
    await served.app.close();
  }
});

test("a merchant is told how many requests its key has left, and when it is refused it waits for the next minute", async () => {
  // the minute stands still
  vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2026-12-24T12:00:20Z") });
  const tenant = await makeTenant(db);
  const served = await serve(db, { requestsPerMinute: 3 });
  try {
    const [one, other] = [await makeSigningMerchant(db, served.deps, tenant), await makeSigningMerchant(db, served.deps, tenant)];
    let sent = 0;
    const read = async (merchant: SigningMerchant) => {
      sent += 1;
      const path = "/service/payment/api/merchant/v1/balance";
      const signed = signRequest(merchant, { method: "GET", path, idempotencyKey: "", body: "" }, new Date(Date.now() - sent));
      const { statusCode, headers } = await served.app.inject({ url: path, headers: signed, remoteAddress: `198.51.100.${sent}` });
      return [statusCode, headers["ratelimit-limit"], headers["ratelimit-remaining"], headers["ratelimit-reset"], headers["retry-after"]];
    };
    expect(await read(one)).toEqual([200, "3", "2", "40", undefined]);
    expect(await read(one)).toEqual([200, "3", "1", "40", undefined]);
    expect(await read(other)).toEqual([200, "3", "2", "40", undefined]);
    expect(await read(one)).toEqual([200, "3", "0", "40", undefined]);
    expect(await read(one)).toEqual([429, "3", "0", "40", "40"]);
    vi.setSystemTime(Date.parse("2026-12-24T12:01:00Z"));
    expect(await read(one)).toEqual([200, "3", "2", "60", undefined]);
  } finally {
    await served.app.close();
  }
});

test("probes are answered where everybody else is refused, up to a bound of their own", async () => {
  // the minute stands still: in the next one all would be let in again
  vi.useFakeTimers({ toFake: ["Date"] });
  const served = await serve(db, { requestsPerMinute: 3 });
  try {
    const statusOf = async (url: string) => (await served.app.inject({ url, remoteAddress: "203.0.113.7" })).statusCode;
    for (let n = 0; n < 3; n++) await statusOf("/nowhere");
    expect(await statusOf("/nowhere")).toBe(429);
    expect([await statusOf("/healthz"), await statusOf("/readyz")]).toEqual([200, 200]);
    for (let n = 2; n < 1_200; n++) await statusOf("/healthz");
    expect([await statusOf("/healthz"), await statusOf("/readyz")]).toEqual([429, 429]);
  } finally {
    await served.app.close();
  }
});
