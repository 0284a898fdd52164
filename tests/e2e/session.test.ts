import { describe, expect, test } from "vitest";
import { makeAccount, makeGroup } from "../support/factories.ts";
import type { Employee } from "../support/hall.ts";
import { signIn, testHall } from "../support/hall.ts";
import { makeSigningMerchant } from "../support/merchants.ts";
import { makeOffice } from "../support/payments.ts";
import { atRest } from "./at-rest.ts";
import { makeFloor, sitDown } from "./floor.ts";
import type { Floor } from "./floor.ts";
import { keepToasts, keptToasts, toast } from "./kept-toasts.ts";
import type { Operator } from "./operator.ts";

const hall = testHall();

/** Makes the operator of another floor one of this tenant too. */
async function join({ office }: Floor, operator: Employee): Promise<void> {
  await hall.db.owner.query("insert into memberships (tenant_id, user_id) values ($1, $2)", [office.tenant.id, operator.id]);
  await hall.db.owner.query(
    `with g as (insert into user_groups (tenant_id, code, name, permissions) values ($1, 'guest', 'Guest', $2) returning id)
      insert into membership_groups (tenant_id, user_id, group_id) select $1, $3, id from g`,
    [office.tenant.id, ["view", "process", "approve"].map((action) => `pas.transaction.withdrawals.${action}`), operator.id],
  );
}

/** By keys, until the frame shows it. */
async function chooseCurrency(hands: Operator, code: string): Promise<void> {
  await hands.pressAll("g", "c");
  await hands.page.locator("[cmdk-item]", { hasText: code }).waitFor();
  await hands.page.keyboard.type(code);
  await hands.page.locator("[cmdk-item][data-selected=true]", { hasText: code }).waitFor();
  await hands.press("Enter");
  await hands.page.locator(".head .pick", { hasText: code }).waitFor();
}

describe("signing in and out", () => {
  test("a wrong password says so and keeps what was typed; the right one leads on", async () => {
    const at = await makeFloor(hall, 1);
    const page = await hall.open();
    await page.getByLabel("E-mail").fill(at.operator.email);
    await page.getByLabel("Password", { exact: true }).fill("not the password");
    await page.keyboard.press("Enter");
    await page.getByText("Email or password is wrong.").first().waitFor();
    expect(await page.getByLabel("E-mail").inputValue()).toBe(at.operator.email);
    await signIn(page, at.operator);
    await page.locator(".dashboard .figure").first().waitFor();
  });

  test("a redirect to another site is not followed", async () => {
    const at = await makeFloor(hall, 1);
    const page = await hall.open({ path: "/login?redirect=https%3A%2F%2Fexample.com%2F" });
    await signIn(page, at.operator);
    expect(new URL(page.url()).origin).toBe(hall.url());
  });

  test("the page asked for, to its last sign, is where signing in leads", async () => {
    const at = await makeFloor(hall, 1);
    const page = await hall.open({ path: "/payment/withdrawals?view=all#here" });
    await page.waitForURL((url) => url.pathname === "/login");
    expect(new URL(page.url()).searchParams.get("redirect")).toBe("/payment/withdrawals?view=all#here");
    await signIn(page, at.operator);
    await page.waitForURL((url) => url.pathname === "/payment/withdrawals" && url.hash === "#here");
  });

  test("no address makes a page that is signed in leave its origin", async () => {
    const at = await makeFloor(hall, 1);
    const { page } = await sitDown(hall, at);
    const left: string[] = [];
    page.on("request", (request) => {
      const { origin, protocol } = new URL(request.url());
      if (origin !== hall.url() && protocol.startsWith("http")) left.push(request.url());
    });
    const evil = [
      "https://evil.example/",
      "//evil.example",
      "/\\evil.example",
      "/.//evil.example",
      "/..//evil.example",
      "/payment/..//evil.example",
      "/%2e//evil.example",
      "/%2f/evil.example",
      "/\t/evil.example",
      "javascript:document.title='evil'",
    ];
    for (const redirect of evil) {
      // oxlint-disable-next-line no-await-in-loop -- one page goes from one to the next
      await page.goto(`${hall.url()}/login?redirect=${encodeURIComponent(redirect)}`);
      // oxlint-disable-next-line no-await-in-loop -- as above
      await page.waitForURL((url) => url.href === `${hall.url()}/dashboard`);
    }
    expect(left).toEqual([]);
  });

  test("signing out clears both storages, ends the session on the server, and Back shows nothing", async () => {
    const at = await makeFloor(hall, 1);
    const hands = await sitDown(hall, at);
    await hands.page.locator(".grid .rows .row[aria-rowindex]").first().waitFor();
    await hands.page.goto(`${hall.url()}/logout`);
    await hands.page.waitForURL((url) => url.pathname === "/login");
    expect(await hands.page.evaluate(() => [localStorage.length, sessionStorage.length])).toEqual([0, 0]);
    const { rows } = await hall.db.owner.query("select count(*)::integer as n from sessions where user_id = $1 and ended_at is null", [
      at.operator.id,
    ]);
    expect(rows).toEqual([{ n: 0 }]);
    await hands.page.goBack();
    await hands.page.waitForURL((url) => url.pathname === "/login");
    expect(await hands.page.locator(".grid").count()).toBe(0);
  });
});

describe("switching", () => {
  test("to another tenant by keys: its name, its rows, nothing of the old one, and acts go there", async () => {
    const here = await makeFloor(hall, 2);
    const there = await makeFloor(hall, 1);
    await join(there, here.operator);
    const { rows: tenants } = await hall.db.owner.query<{ id: string; name: string }>("select id, name from tenants where id = any($1)", [
      [here.office.tenant.id, there.office.tenant.id],
    ]);
    const nameOf = (id: string) => tenants.find((tenant) => tenant.id === id)?.name ?? "";
    const hands = await sitDown(hall, here);
    await hands.page.locator(".grid .rows .row[aria-rowindex]").first().waitFor();
    const first = (await hands.page.locator(".head .tenant").innerText()).includes(nameOf(here.office.tenant.id)) ? here : there;
    const second = first === here ? there : here;
    await hands.pressAll("g", "t");
    await hands.page.locator("[cmdk-input]").waitFor();
    await hands.page.keyboard.type(nameOf(second.office.tenant.id));
    await hands.page.locator("[cmdk-item][data-selected=true]", { hasText: nameOf(second.office.tenant.id) }).waitFor();
    await hands.press("Enter");
    await hands.page.locator(".head .tenant", { hasText: nameOf(second.office.tenant.id) }).waitFor();
    // the switch led to the dashboard, where it may be seen
    await hands.pressAll("g", "w");
    const wanted = second === here ? 2 : 1;
    await expect.poll(() => hands.page.locator(".grid .rows .row[aria-rowindex]").count()).toBe(wanted);
    // for half a second after a switch acts are refused: an operator presses again
    const claimed = async () => {
      await hands.press("t");
      const { rows } = await hall.db.owner.query("select tenant_id from transactions where claimed_by = $1", [here.operator.id]);
      return rows;
    };
    await expect.poll(claimed, { interval: 300 }).toEqual([{ tenant_id: second.office.tenant.id }]);
  });

  test("to another currency by keys: its rows and its counters", async () => {
    const office = await makeOffice(hall.db, { currencies: ["THB"] });
    const merchant = await makeSigningMerchant(hall.db, office.deps, office.tenant, { wallet: "1000" });
    await makeGroup(hall.db, office.tenant, [await makeAccount(hall.db, office.tenant)], [merchant]);
    await office.withdraw(merchant, { amount: "100.00" });
    await office.withdraw(merchant, { amount: "100.00" });
    const operator = await hall.employ(office, "Krit Chaiyaporn");
    const hands = await sitDown(hall, { operator });
    await hands.page.locator(".head .pick", { hasText: "MYR" }).waitFor();
    // the address names a record of the currency one is in
    await hands.page.locator(".grid .rows .row[aria-rowindex]").nth(1).waitFor();
    await hands.press("j");
    await hands.page.waitForURL(/record=/);
    const record = new URL(hands.page.url()).searchParams.get("record") ?? "";
    const asked: string[] = [];
    hands.page.on("request", (request) => request.headers()["x-currency"] === "THB" && asked.push(request.url()));
    await hands.page.evaluate(() => {
      const said = () => [...document.querySelectorAll(".stat .said")].map(({ textContent }) => textContent);
      new MutationObserver(() => (document.body.dataset["said"] += said().join())).observe(document.body, {
        subtree: true,
        childList: true,
      });
    });
    // a slow page draws the screen in the new currency before the router has replaced the address
    const machine = await hands.page.context().newCDPSession(hands.page);
    await machine.send("Emulation.setCPUThrottlingRate", { rate: 15 });
    await chooseCurrency(hands, "THB");
    await hands.page.locator(".empty", { hasText: "All done" }).waitFor();
    expect(await hands.page.evaluate(() => document.cookie)).toContain("THB");
    await atRest(hands.page);
    expect(new URL(hands.page.url()).search).not.toContain("record");
    expect(await hands.page.evaluate(() => document.body.dataset["said"])).not.toContain("does not exist here");
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.filter((url) => url.includes(record))).toEqual([]);
  });

  test("what was done in one currency is not offered to be undone in another", async () => {
    const office = await makeOffice(hall.db, { currencies: ["THB"], settings: { recall_seconds: 60 } });
    const merchant = await makeSigningMerchant(hall.db, office.deps, office.tenant, { wallet: "1000" });
    await makeGroup(hall.db, office.tenant, [await makeAccount(hall.db, office.tenant, { balance: "1000" })], [merchant]);
    await office.withdraw(merchant, { amount: "100.00" });
    const hands = await sitDown(hall, { operator: await hall.employ(office, "Krit Chaiyaporn") });
    await hands.page.locator(".grid .rows .row[aria-rowindex]").first().waitFor();
    await hands.press("t");
    await hands.look();
    await hands.press("a");
    await hands.said(/^Approved/);
    await chooseCurrency(hands, "THB");
    await hands.press("z");
    await hands.said(/^Nothing to undo\.$/);
    const { rows } = await hall.db.owner.query("select status from transactions where tenant_id = $1", [office.tenant.id]);
    expect(rows).toEqual([{ status: "approved" }]);
  });
});

describe("while the console is open", () => {
  test("who loses one tenant is in their other one, told so, and the act that met it is done in neither", async () => {
    const here = await makeFloor(hall, 1);
    const there = await makeFloor(hall, 1);
    await join(there, here.operator);
    const hands = await sitDown(hall, here);
    await hands.page.locator(".grid .rows .row[aria-rowindex]").first().waitFor();
    const shown = await hands.page.evaluate(() => sessionStorage.getItem("tenant_id"));
    const [left, kept] = shown === here.office.tenant.id ? [here, there] : [there, here];
    await keepToasts(hands.page);
    // it is on its way when the right goes: the page hears of that by itself, too
    let pass = (): void => undefined;
    const gone = new Promise<void>((resolve) => (pass = resolve));
    await hands.page.route(/\/withdrawals\/claim$/, async (route) => {
      await gone;
      await route.continue();
    });
    const sent = hands.page.waitForRequest(/\/withdrawals\/claim$/);
    await hands.press("t");
    await sent;
    await hall.db.owner.query("update memberships set status = 'suspended' where tenant_id = $1 and user_id = $2", [
      left.office.tenant.id,
      here.operator.id,
    ]);
    const answered = hands.page.waitForResponse(/\/withdrawals\/claim$/);
    pass();
    expect((await answered).ok()).toBe(false);
    await expect.poll(() => keptToasts(hands.page)).toHaveLength(1);
    expect(await hands.page.evaluate(() => sessionStorage.getItem("tenant_id"))).toBe(kept.office.tenant.id);
    expect(await keptToasts(hands.page)).toEqual([expect.objectContaining({ text: "Invalid tenant ID" })]);
    const { rows } = await hall.db.owner.query("select distinct status from transactions where tenant_id = any($1)", [
      [left.office.tenant.id, kept.office.tenant.id],
    ]);
    expect(rows).toEqual([{ status: "pending" }]);
  });

  test("a password that must be changed is asked for with the next act, not forbidden", async () => {
    const at = await makeFloor(hall, 1);
    const hands = await sitDown(hall, at);
    const { page } = hands;
    await page.locator(".grid .rows .row[aria-rowindex]").first().waitFor();
    await hall.db.owner.query("update users set force_reset_password = true where id = $1", [at.operator.id]);
    await hands.press("t");
    await page.locator("h1.unready").waitFor();
    expect(new URL(page.url()).pathname).toBe("/payment/withdrawals");
    expect(await page.locator(".toasts .toast-text").count()).toBe(0);
  });

  test("a currency the tenant has given up gives way to its first with the next list", async () => {
    const office = await makeOffice(hall.db, { currencies: ["THB"] });
    const operator = await hall.employ(office, "Krit Chaiyaporn");
    const hands = await sitDown(hall, { operator });
    await chooseCurrency(hands, "THB");
    await keepToasts(hands.page);
    await hall.db.owner.query("delete from currencies where tenant_id = $1 and code = 'THB'", [office.tenant.id]);
    await hands.page.keyboard.press("Shift+R");
    await hands.page.locator(".head .pick", { hasText: "MYR" }).waitFor();
    await toast(hands.page, { title: "Fail", text: "Invalid selected currency" });
    expect(await keptToasts(hands.page)).toHaveLength(1);
  });

  test("the title is screen and product alone; that withdrawals wait, the mark in the tab tells", async () => {
    for (const waiting of [0, 1]) {
      // oxlint-disable-next-line no-await-in-loop -- one desk after the other
      const { page } = await sitDown(hall, await makeFloor(hall, waiting));
      // with the figure, not while it is on its way
      // oxlint-disable-next-line no-await-in-loop -- as above
      await expect.poll(() => page.locator("aside .ctr.h-pending .fig b").innerText()).toBe(String(waiting));
      const mark = page.locator('link[rel="icon"]');
      // oxlint-disable-next-line no-await-in-loop -- as above
      await expect
        .poll(async () => [await page.title(), (await mark.getAttribute("href"))?.includes("%23e5484d")])
        .toEqual(["Withdrawals – Countinghouse", waiting > 0]);
    }
  });

  test("a link of the rail leaves what stands beside, as the keys do", async () => {
    const at = await makeFloor(hall, 1);
    const hands = await sitDown(hall, at);
    const { page } = hands;
    await hands.pressAll("w", "s");
    // what comes beside takes the focus
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.closest<HTMLElement>("[data-side]")?.dataset["side"]))
      .toBe("beside");
    await page.locator("[data-side=main] [role=grid]").first().focus();
    await page.locator('.nav a[href="/dashboard"]').click();
    await page.waitForURL((url) => url.pathname === "/dashboard");
    expect(new URL(page.url()).searchParams.get("beside")).toMatch(/^\/payment\/withdrawals/);
  });
});

test("who is suspended while the console is open is out with the next act", async () => {
  const at = await makeFloor(hall, 1);
  const hands = await sitDown(hall, at);
  await hands.page.locator(".grid .rows .row[aria-rowindex]").first().waitFor();
  await hall.db.owner.query("update users set status = 'suspended' where id = $1", [at.operator.id]);
  await hands.press("t");
  await hands.page.waitForURL((url) => url.pathname === "/login");
  const told = hands.page.locator(".ended", { hasText: "Your access is suspended" });
  await told.waitFor();
  // on every page before the console, and over a reload, until it is closed
  await hands.page.reload();
  await told.waitFor();
  await hands.page.getByRole("link", { name: "Forgot password?" }).click();
  await hands.page.waitForURL((url) => url.pathname === "/forgot-password");
  await told.getByRole("button", { name: "Close" }).click();
  await told.waitFor({ state: "detached" });
  expect(await hands.page.evaluate(() => [document.activeElement?.tagName, sessionStorage.getItem("countinghouse.ended")])).toEqual([
    "INPUT",
    null,
  ]);
  const { rows } = await hall.db.owner.query("select status from transactions where tenant_id = $1", [at.office.tenant.id]);
  expect(rows).toEqual([{ status: "pending" }]);
});
