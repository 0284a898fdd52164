import type { Page } from "playwright";
import { beforeAll, describe, expect, test } from "vitest";
import { answerRequests } from "../../src/server/auth/reset.ts";
import { mailPlace } from "../../src/server/mail/mails.ts";
import { depositHandlers } from "../../src/server/payments/deposits.ts";
import { makeAccount } from "../support/factories.ts";
import { testHall } from "../support/hall.ts";
import type { Employee } from "../support/hall.ts";
import { body } from "../support/payments.ts";
import { makeFloor } from "../e2e/floor.ts";
import type { Floor } from "../e2e/floor.ts";
import { atRest, heardOut } from "../e2e/at-rest.ts";
import { atWithdrawals, operatorRights, seat } from "./desk.ts";

const hall = testHall();
let floor: Floor;
beforeAll(async () => {
  floor = await makeFloor(hall, 2);
});

const base = "/service/centralize-authenticate/api/tenant/v1";

interface Answer {
  readonly status: number;
  /** Of a refusal. */
  readonly code?: string | undefined;
  readonly data: Record<string, unknown>;
}

/** A call as the document writes it, over HTTP. */
async function call(
  method: string,
  path: string,
  { body, headers = {} }: { body?: object; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const reply = await fetch(hall.url() + path, {
    method,
    headers: { ...(body && { "content-type": "application/json" }), ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  const { data = {}, code } = (await reply.json()) as { data?: Record<string, unknown>; code?: string };
  return { status: reply.status, code, data };
}

const login = ({ email, password }: Employee) => call("POST", `${base}/auth/login`, { body: { email, password } });

/** Signed in over HTTP: the headers of every further call. */
async function signedIn(office = floor.office): Promise<{ headers: Record<string, string>; refresh: string; who: Employee }> {
  const who = await hall.employ(office, "Nurul Aisyah", operatorRights);
  const { data } = await login(who);
  const headers = { authorization: `Bearer ${String(data["access_token"])}`, "x-tenant-id": office.tenant.id, "x-currency": "MYR" };
  return { headers, refresh: String(data["refresh_token"]), who };
}

describe("7 · POST …/auth/login: email, password → access_token, refresh_token", () => {
  test("answers both tokens", async () => {
    const { status, data } = await login(await hall.employ(floor.office, "Siti"));
    expect([status, Object.keys(data).toSorted()]).toEqual([200, ["access_token", "refresh_token"]]);
  });
});

describe("7 · POST …/auth/logout (bearer header): refresh_token", () => {
  test("ends the session: neither token is taken afterwards", async () => {
    const { headers, refresh } = await signedIn();
    expect((await call("POST", `${base}/auth/logout`, { body: { refresh_token: refresh }, headers })).status).toBe(200);
    expect((await call("GET", `${base}/auth/context`, { headers })).status).toBe(401);
    expect((await call("POST", `${base}/auth/token/refresh`, { body: { refresh_token: refresh } })).status).toBe(401);
  });
});

describe("7 · POST …/auth/token/refresh: refresh_token → access_token, refresh_token", () => {
  test("answers a new pair, which works", async () => {
    const { headers, refresh } = await signedIn();
    const { status, data } = await call("POST", `${base}/auth/token/refresh`, { body: { refresh_token: refresh } });
    expect([status, Object.keys(data).toSorted()]).toEqual([200, ["access_token", "refresh_token"]]);
    expect(data["refresh_token"]).not.toBe(refresh);
    const renewed = { ...headers, authorization: `Bearer ${String(data["access_token"])}` };
    expect((await call("GET", `${base}/auth/context`, { headers: renewed })).status).toBe(200);
  });
});

describe("7 · GET …/auth/context → user_groups, permissions, current_tenant, available_tenants", () => {
  test("with group codes, a map from area to actions, and tenants each with id", async () => {
    const { headers } = await signedIn();
    const { data } = await call("GET", `${base}/auth/context`, { headers });
    expect(data).toMatchObject({
      user_groups: [expect.any(String)],
      permissions: { "pas.transaction.deposits": ["view"] },
      current_tenant: floor.office.tenant.id,
      available_tenants: [{ id: floor.office.tenant.id }],
    });
  });
});

describe("7 · GET …/profile → user", () => {
  test("with tenant_id and abilities", async () => {
    const { headers, who } = await signedIn();
    const { data } = await call("GET", `${base}/profile`, { headers });
    expect(data).toMatchObject({ user: { tenant_id: floor.office.tenant.id, email: who.email } });
    expect((data["user"] as { abilities: string[] }).abilities.toSorted()).toEqual([...operatorRights].toSorted());
  });
});

describe("7 · POST …/auth/forgot-password: email", () => {
  test("answers alike for a known and an unknown address", async () => {
    const who = await hall.employ(floor.office, "Siti");
    const known = await call("POST", `${base}/auth/forgot-password`, { body: { email: who.email } });
    const unknown = await call("POST", `${base}/auth/forgot-password`, { body: { email: "nobody@example.com" } });
    expect(known).toEqual(unknown);
    expect(known.status).toBe(200);
  });
});

describe("7 · POST …/auth/reset-password: token, email, password, password_confirmation", () => {
  const path = `${base}/auth/reset-password`;
  const given = { token: "x".repeat(43), password: "seven blue lanterns", password_confirmation: "seven blue lanterns" };

  test("the mailed token, once: the new password signs in, the old one no more", async () => {
    const who = await hall.employ(floor.office, "Siti");
    await call("POST", `${base}/auth/forgot-password`, { body: { email: who.email } });
    const { deps } = hall.server();
    await answerRequests(deps);
    const mailed = async () => {
      // or the server's own round was quicker
      await answerRequests(deps);
      const { rows } = await hall.db.owner.query<{ tenant_id: string; id: string; body: Buffer }>(
        "select tenant_id, id, body from mails where recipient = $1",
        [who.email],
      );
      return rows.map((mail) => deps.secrets.open(mail.body, mailPlace(mail.tenant_id, mail.id)));
    };
    await expect.poll(async () => (await mailed()).length).toBe(1);
    const [text = ""] = await mailed();
    const link = new URL(/http\S+/.exec(text)?.[0] ?? "http://none");
    expect(link.searchParams.get("email")).toBe(who.email);
    const body = { ...given, email: who.email, token: link.searchParams.get("token") };
    expect((await call("POST", path, { body })).status).toBe(200);
    expect((await login(who)).status).toBe(401);
    expect((await login({ ...who, password: given.password })).status).toBe(200);
    expect(await call("POST", path, { body })).toMatchObject({ status: 422, code: "reset.refused" });
  });

  test("a token it did not give is refused", async () => {
    const who = await hall.employ(floor.office, "Siti");
    expect(await call("POST", path, { body: { ...given, email: who.email } })).toMatchObject({ status: 422, code: "reset.refused" });
    expect((await login(who)).status).toBe(200);
  });

  test("exactly these four: one less or one more is no such call", async () => {
    const body = { ...given, email: "nurul@example.com" };
    for (const name of Object.keys(body)) {
      const less = Object.fromEntries(Object.entries(body).filter(([one]) => one !== name));
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      expect(await call("POST", path, { body: less }), name).toMatchObject({ status: 422, code: "request.invalid" });
    }
    expect(await call("POST", path, { body: { ...body, name: "Nurul" } })).toMatchObject({ status: 422, code: "request.invalid" });
  });
});

describe("7 · GET …/config → currencies", () => {
  test("each with code and country.timezone.gmt", async () => {
    const { headers } = await signedIn();
    const { data } = await call("GET", `${base}/config`, { headers });
    expect(data).toMatchObject({ currencies: [{ code: "MYR", country: { timezone: { gmt: expect.stringMatching(/^[+-]\d\d:\d\d$/) } } }] });
  });
});

describe("7 · GET /service/payment/api/tenant/v1/notification/details → the three counts", () => {
  test("deposits in process, withdrawals pending, accounts critical: each its own number", async () => {
    const { office, merchant } = await makeFloor(hall, 3);
    for (let n = 0; n < 3; n++) {
      // oxlint-disable-next-line no-await-in-loop -- two in process, one only pending
      const { id, version } = await office.deposit(merchant);
      // oxlint-disable-next-line no-await-in-loop -- as above
      if (n > 0) await depositHandlers.processDeposits(office.call(), body({ rows: [{ uuid: id, version }] }));
    }
    await makeAccount(hall.db, office.tenant, { balance: "1.00", threshold: "500.00" });
    const { headers } = await signedIn(office);
    const { data } = await call("GET", "/service/payment/api/tenant/v1/notification/details", { headers });
    expect(data).toMatchObject({ processDepositCount: 2, pendingWithdrawalCount: 3, criticalAccountCount: 1 });
  });
});

describe("7 · Cookies are sent; every request carries X-Tenant-ID and X-Currency", () => {
  test("every call of a page at work, a refresh between them", async () => {
    const { page } = await seat(hall, floor.office);
    interface Sent {
      readonly path: string;
      readonly tenant: string | undefined;
      readonly currency: string | undefined;
      readonly cookie: string | undefined;
    }
    const seen: Sent[] = [];
    // a call given up on the way has no cookies to tell
    page.on("requestfinished", (request) => {
      const { pathname: path } = new URL(request.url());
      if (!path.startsWith("/service/")) return;
      request.allHeaders().then(
        (all) => seen.push({ path, tenant: all["x-tenant-id"], currency: all["x-currency"], cookie: all["cookie"] }),
        () => undefined, // the page is closed
      );
    });
    await page.reload();
    await atWithdrawals(page);
    await loseAccess(page);
    await page.keyboard.press("Shift+R");
    await expect.poll(() => seen.map(({ path }) => path)).toContain(`${base}/auth/token/refresh`);
    await page.keyboard.press("t");
    await expect.poll(() => seen.map(({ path }) => path)).toContain("/service/payment/api/tenant/v1/withdrawals/claim");
    const { id } = floor.office.tenant;
    expect(seen.filter(({ tenant, currency, cookie }) => tenant !== id || currency !== "MYR" || !cookie?.includes("binding="))).toEqual([]);
  });
});

/** The next signed-in call finds no access token and must refresh first. */
const loseAccess = (page: Page) =>
  page.evaluate(() => {
    document.cookie = "access_token=; max-age=0; path=/";
  });

describe("7 · Before a signed-in request, a refresh is made first if less than 5 minutes remain", () => {
  const refresh = `${base}/auth/token/refresh`;

  /** What is asked of the server, in order, after Shift+R with so many seconds left of the access token. */
  async function askedWith(seconds: number): Promise<string[]> {
    const { page } = await seat(hall, floor.office);
    await atWithdrawals(page);
    await atRest(page);
    // however long what follows takes, so much is left
    await page.clock.setFixedTime(await page.evaluate(() => Date.now()));
    const order: string[] = [];
    page.on("request", (request) => order.push(new URL(request.url()).pathname));
    await page.evaluate((left) => {
      // the same token but for what it says of its end: only the console reads that
      const [head = "", body = "", sign = ""] = (/access_token=([^;]+)/.exec(document.cookie)?.[1] ?? "").split(".");
      const said = JSON.parse(atob(body.replaceAll("-", "+").replaceAll("_", "/"))) as { exp: number };
      const told = btoa(JSON.stringify({ ...said, exp: Math.floor(Date.now() / 1000) + left }));
      document.cookie = `access_token=${[head, told.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", ""), sign].join(".")}; path=/`;
    }, seconds);
    await page.keyboard.press("Shift+R");
    await expect.poll(() => order.some((path) => path.endsWith("/withdrawals"))).toBe(true);
    return order.filter((path) => path.startsWith("/service/"));
  }

  test("295 seconds remain: the refresh comes first, once", async () => {
    const order = await askedWith(295);
    expect(order[0]).toBe(refresh);
    expect(order.filter((path) => path === refresh).length).toBe(1);
  });

  test("305 seconds remain: the call goes out as it is", async () => {
    const order = await askedWith(305);
    // the server refuses the token that was written over, so that a refresh comes after the calls
    expect(order.slice(0, order.findIndex((path) => path.endsWith("/withdrawals")) + 1)).not.toContain(refresh);
  });
});

describe("7 · That refresh is shared by concurrent requests", () => {
  test("several calls started at once make one, and so do two tabs", async () => {
    const { page } = await seat(hall, floor.office);
    await atWithdrawals(page);
    await atRest(page);
    const second = await page.context().newPage();
    await second.goto(page.url());
    await atWithdrawals(second);
    await atRest(second);
    const refreshes: string[] = [];
    for (const tab of [page, second]) {
      tab.on("request", (request) => request.url().endsWith("/auth/token/refresh") && refreshes.push(request.url()));
    }
    // both tabs hold a token that is over
    await loseAccess(page);
    const answered = [page, second].map((tab) => tab.waitForResponse((reply) => reply.ok() && /v1\/withdrawals\?/.test(reply.url())));
    await Promise.all([page.keyboard.press("Shift+R"), second.keyboard.press("Shift+R")]);
    await Promise.all(answered);
    expect(refreshes.length).toBe(1);
  });
});

describe("7 · Counters also refresh when the browser tab becomes visible again", () => {
  test("one question, though it flickers", async () => {
    const { page } = await seat(hall, floor.office);
    await page.clock.install();
    await page.reload();
    await atWithdrawals(page);
    await atRest(page);
    // the trend's own question comes at this leap, and then not for a minute
    const trend = page.waitForResponse((response) => response.url().includes("/notification/details"));
    await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 60_000);
    await trend;
    const asked: string[] = [];
    page.on("request", (request) => request.url().includes("/notification/details") && asked.push(request.url()));
    await page.evaluate(() => {
      for (let n = 0; n < 5; n++) document.dispatchEvent(new Event("visibilitychange"));
    });
    await page.clock.runFor(1_000);
    await expect.poll(() => asked.length).toBe(1);
    await page.clock.runFor(20_000);
    await heardOut(page);
    expect(asked.length).toBe(1);
  });
});
