import { beforeAll, describe, expect, test } from "vitest";
import type { Page } from "playwright";
import { screens } from "../../src/contract/screens.ts";
import { addressOf } from "../../src/contract/addresses.ts";
import { sessionRoutes } from "../../src/contract/session.ts";
import { testHall } from "../support/hall.ts";
import { ask } from "../support/http.ts";
import { makeMerchant, makeRateGroup } from "../support/factories.ts";
import { makeProvider } from "../support/game-provider.ts";
import { makeSigningMerchant } from "../support/merchants.ts";
import { makeFloor } from "../e2e/floor.ts";
import type { Floor } from "../e2e/floor.ts";
import { keepToasts, toast } from "../e2e/kept-toasts.ts";
import { atRest } from "../e2e/at-rest.ts";
import { answer, arrive, atWithdrawals, claiming, lookUp, operatorRights, pathOf, seat, service } from "./desk.ts";

const hall = testHall();
let floor: Floor;
beforeAll(async () => {
  floor = await makeFloor(hall, 3);
});

/** Seated at the withdrawals, with the next claim answered so. */
async function refused(status: number, body: unknown = {}): Promise<Page> {
  const { page } = await seat(hall, floor.office);
  await atWithdrawals(page);
  await page.route(claiming, answer(status, body));
  await page.keyboard.press("t");
  return page;
}

describe("8 · 401: one refresh and retry", () => {
  test("the retried call succeeds and nothing is said", async () => {
    // what it claims is no other test's row
    const { page } = await seat(hall, (await makeFloor(hall, 1)).office);
    await atWithdrawals(page);
    const refreshes: string[] = [];
    const keys: (string | undefined)[] = [];
    page.on("request", (request) => {
      if (request.url().endsWith("/auth/token/refresh")) refreshes.push(request.url());
    });
    await page.route(claiming, async (route) => {
      keys.push(route.request().headers()["idempotency-key"]);
      if (keys.length === 1) await answer(401, { message: "expired" })(route);
      else await route.continue();
    });
    await page.keyboard.press("t");
    await expect.poll(() => keys.length).toBe(2);
    await page.locator(".row .claim, .tag.acc").first().waitFor();
    expect(refreshes.length).toBe(1);
    expect(keys[0]).toBe(keys[1]);
    expect(await page.evaluate(() => window.toasted)).toEqual([]);
  });

  test("if it fails, the session is cleared and the user goes to login with the way back", async () => {
    const { page } = await seat(hall, floor.office);
    await atWithdrawals(page);
    await page.route(claiming, answer(401, { message: "expired" }));
    await page.route("**/auth/token/refresh", answer(401, { message: "no more" }));
    await page.keyboard.press("t");
    await arrive(page, "/login");
    expect(new URL(page.url()).searchParams.get("redirect")).toMatch(/^\/payment\/withdrawals/);
    expect(await page.evaluate(() => document.cookie)).not.toContain("_token=");
  });

  test("if a retry was already made, a second 401 does the same without a third try", async () => {
    const { page } = await seat(hall, floor.office);
    await atWithdrawals(page);
    let tries = 0;
    await page.route(claiming, async (route) => {
      tries += 1;
      await answer(401, { message: "expired" })(route);
    });
    await page.keyboard.press("t");
    await arrive(page, "/login");
    expect(tries).toBe(2);
  });

  test("goes to the forbidden page if another tab is still signed in", async () => {
    const { page } = await seat(hall, floor.office);
    await atWithdrawals(page);
    // no other call is to find the token that belongs to nobody here
    await atRest(page);
    await page.route("**/auth/token/refresh", answer(401, { message: "no more" }));
    await page.route(claiming, async (route) => {
      // meanwhile the other tab signs in anew
      const { access_token } = await signedInElsewhere();
      await page.evaluate((token) => {
        document.cookie = `access_token=${token}; path=/`;
      }, access_token);
      await answer(401, { message: "expired" })(route);
    });
    await page.keyboard.press("t");
    await arrive(page, "/forbidden");
  });
});

async function signedInElsewhere(): Promise<{ access_token: string }> {
  const who = await hall.employ(floor.office, "Ben Ooi");
  const reply = await fetch(hall.url() + sessionRoutes.login.path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email: who.email, password: who.password }),
  });
  return ((await reply.json()) as { data: { access_token: string } }).data;
}

describe("8 · 403: reload the auth context once and retry", () => {
  test("the retry that succeeds is all the user sees", async () => {
    const { page } = await seat(hall, (await makeFloor(hall, 1)).office);
    await atWithdrawals(page);
    // rights are read with the page, and again once the channel is joined
    await page.waitForFunction(
      () => performance.getEntriesByType("resource").filter(({ name }) => name.endsWith("/auth/context")).length > 1,
    );
    let [contexts, tries] = [0, 0];
    page.on("request", (request) => {
      if (request.url().endsWith("/auth/context")) contexts += 1;
    });
    await page.route(claiming, async (route) => {
      tries += 1;
      if (tries === 1) await answer(403, { message: "not you" })(route);
      else await route.continue();
    });
    await page.keyboard.press("t");
    await expect.poll(() => [contexts, tries]).toEqual([1, 2]);
    expect(pathOf(page)).toBe("/payment/withdrawals");
  });

  test("a second 403 goes to the forbidden page", async () => {
    const page = await refused(403, { message: "not you" });
    await arrive(page, "/forbidden");
    await toast(page, { title: "Fail", text: "not you" });
  });
});

describe("8 · Requests to the login path skip these handlers", () => {
  test.each([401, 403])("%i is said and nothing else happens", async (status) => {
    const page = await hall.open();
    await keepToasts(page);
    const others: string[] = [];
    await page.route(service, async (route) => {
      const { pathname } = new URL(route.request().url());
      if (pathname === sessionRoutes.login.path) return answer(status, { message: "not so" })(route);
      others.push(pathname);
      await route.continue();
    });
    await page.getByLabel("E-mail").fill("nurul@example.com");
    await page.getByLabel("Password", { exact: true }).fill("not the password");
    await page.keyboard.press("Enter");
    await toast(page, { title: status === 401 ? "Unauthorized" : "Fail", text: "not so" });
    expect(pathOf(page)).toBe("/login");
    expect(others).toEqual([]);
  });
});

describe.each([
  ["400", 400, "Fail", "Bad Request"],
  ["403", 403, "Fail", "Forbidden"],
  ["other", 418, "Fail", "An unknown error occurred"],
] as const)("8 · Toast: %s", (_, status, title, fallback) => {
  test("with the server's message", async () => {
    await toast(await refused(status, { message: "the server's own words" }), { title, text: "the server's own words" });
  });

  test(`without one: ${fallback}`, async () => {
    await toast(await refused(status), { title, text: fallback });
  });
});

describe("8 · Toast: 401", () => {
  test.each([
    ["with the message", { message: "gone" }, "gone"],
    ["without one", {}, "Access denied"],
  ])("%s", async (_, body, text) => {
    const page = await hall.open();
    await keepToasts(page);
    await page.route(`**${sessionRoutes.login.path}`, answer(401, body));
    await page.getByLabel("E-mail").fill("nurul@example.com");
    await page.getByLabel("Password", { exact: true }).fill("not the password");
    await page.keyboard.press("Enter");
    await toast(page, { title: "Unauthorized", text });
  });
});

describe("8 · Toast: 422 with data", () => {
  test("a map of arrays: the message plus the lines joined", async () => {
    const page = await refused(422, { message: "These are wrong.", data: { amount: ["is too large", "is odd"], note: ["is missing"] } });
    await toast(page, { title: "Validation Failed", text: "These are wrong.\nis too large\nis odd\nis missing" });
  });

  test("an array: the message plus the lines joined", async () => {
    const page = await refused(422, { message: "These are wrong.", data: ["is too large", "is missing"] });
    await toast(page, { title: "Validation Failed", text: "These are wrong.\nis too large\nis missing" });
  });
});

describe("8 · Toast: 422 without data", () => {
  test("Fail, Unprocessable Entity", async () => {
    await toast(await refused(422), { title: "Fail", text: "Unprocessable Entity" });
  });

  test("whatever message the server sends in it", async () => {
    await toast(await refused(422, { message: "the server's own words" }), { title: "Fail", text: "Unprocessable Entity" });
  });
});

describe("8 · Toast: no response", () => {
  test("says that the server could not be reached", async () => {
    const { page } = await seat(hall, floor.office);
    await atWithdrawals(page);
    await page.route(claiming, (route) => route.abort());
    await page.keyboard.press("t");
    await toast(page, { title: "", text: "Unable to connect to the server. Please try again." });
  });
});

describe("8 · Toast: anything else", () => {
  test("an answer that is none of ours", async () => {
    const { page } = await seat(hall, floor.office);
    await atWithdrawals(page);
    await page.route(claiming, (route) => route.fulfill({ status: 200, contentType: "text/html", body: "<p>hello" }));
    await page.keyboard.press("t");
    await toast(page, { title: "", text: "An unexpected error occurred. Please check the console for details." });
    expect(hall.complained()).not.toEqual([]);
  });
});

describe("8 · Profile fetch failure", () => {
  test.each([
    ["with the message", { message: "no profile today" }, "no profile today"],
    ["without one", {}, "Failed to fetch profile"],
  ])("toast titled Error %s", async (_, body, text) => {
    const { page } = await seat(hall, floor.office);
    await atWithdrawals(page);
    await page.route(`**${sessionRoutes.readProfile.path}`, answer(500, body));
    await page.reload();
    await toast(page, { title: "Error", text });
  });

  test("the session is cleared on 401", async () => {
    const { page } = await seat(hall, floor.office);
    await atWithdrawals(page);
    await page.route(`**${sessionRoutes.readProfile.path}`, answer(401, { message: "gone" }));
    await page.reload();
    await arrive(page, "/login");
    expect(await page.evaluate(() => document.cookie)).not.toContain("_token=");
  });
});

describe("8 · Screen message: Invalid email", () => {
  test("at the field of the sign-in", async () => {
    const page = await hall.open();
    await page.getByLabel("E-mail").fill("nurul@example");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.locator(".err", { hasText: /^Invalid [Ee]mail$/ }).count()).toBe(1);
  });
});

describe("8 · Screen message: User not found", () => {
  test("is what the look-up of an e-mail that nobody has says", async () => {
    const rights = ["cas.user.users.view", "cas.user.users.invite", "cas.user.users.create"] as const;
    const page = await lookUp(hall, floor.office, rights, `${crypto.randomUUID()}@example.com`);
    await expect.poll(() => page.locator(".sheet [role=status]").allInnerTexts()).toContain("User not found");
  });
});

describe("8 · Screen message: No account found", () => {
  test("is what a merchant hears when no account can take a deposit", async () => {
    const merchant = await makeSigningMerchant(hall.db, floor.office.deps, floor.office.tenant);
    const served = { app: hall.server().app, deps: floor.office.deps, published: [], url: hall.url() };
    const body = { merchant_txn_no: "D1", amount: "50.00", currency: "MYR", method: "bank_transfer", member: "M1", customer_name: "Tan" };
    const { status, text } = await ask(served, "createDeposit", { body, signedBy: merchant });
    expect([status, (JSON.parse(text) as { message: string }).message]).toEqual([422, "No account found"]);
  });
});

describe("8 · Screen message: No account found, on screen", () => {
  test("is what a withdrawal says that no account may pay", async () => {
    const { office, merchant } = await makeFloor(hall, 0);
    const { id } = await office.withdraw(merchant);
    await hall.db.owner.query("update payment_accounts set status = 'inactive' where tenant_id = $1", [office.tenant.id]);
    const { page } = await seat(hall, office, operatorRights, `${screens.withdrawals.path}?view=all&record=${id}`);
    await page.locator(".detail", { hasText: "No account found" }).waitFor();
    expect(await page.locator(".detail .ck.is-fail", { hasText: "No account found" }).count()).toBe(1);
  });
});

describe("8 · Screen message: Receipt unavailable", () => {
  test("is what a deposit without one says", async () => {
    const { id } = await floor.office.deposit(floor.merchant);
    const { page } = await seat(hall, floor.office, operatorRights, `${screens.deposits.path}?view=all&record=${id}`);
    await expect.poll(() => page.locator(".detail .receipts", { hasText: "Receipt unavailable" }).count()).toBe(1);
  });
});

describe("8 · Screen message: Window required when limits set", () => {
  test("at the window's field of a rate-limit group", async () => {
    const { page } = await seat(hall, floor.office, ["pas.rate-limit.groups.view", "pas.rate-limit.groups.create"]);
    await arrive(page, screens["rate-limit-groups"].path);
    await page.locator(".stat .mode").waitFor();
    await page.keyboard.press("c");
    const sheet = page.locator(".sheet");
    await sheet.getByLabel("Name").fill("Night");
    await sheet.getByLabel("Account max transactions").fill("1");
    await page.keyboard.press("Control+Enter");
    await sheet.locator(".err", { hasText: /^Window required when limits set$/ }).waitFor();
  });
});

describe("8 · Screen message: No usage data available", () => {
  test("in the panel of a rate-limit group that no account is in", async () => {
    await makeRateGroup(hall.db, floor.office.tenant, { account_window_minutes: 60, account_max_count: 1 });
    const { page } = await seat(hall, floor.office, ["pas.rate-limit.groups.view"]);
    await arrive(page, screens["rate-limit-groups"].path);
    await page.locator(".detail .rate-usage").getByText("No usage data available", { exact: true }).waitFor();
  });
});

describe("8 · Screen message: No provider selected", () => {
  test("stands beside the set-ups of a merchant that has none, and goes with the first that is chosen", async () => {
    const { office } = floor;
    const merchant = await makeMerchant(hall.db, office.tenant);
    const path = addressOf("merchant-providers", { params: { merchantUuid: merchant.id } });
    const { page } = await seat(hall, office, ["gps.provider.merchant-providers.view"], path);
    await page.locator(".detail").getByText("No provider selected", { exact: true }).waitFor();
    await makeProvider(hall.db, office.tenant, merchant, { name: "Lotus Gaming" });
    await page.reload();
    await page.locator(".detail .payee", { hasText: "Lotus Gaming" }).waitFor();
    expect(await page.getByText("No provider selected").count()).toBe(0);
  });
});
