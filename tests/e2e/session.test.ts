import { describe, expect, test } from "vitest";
import { signIn, testHall } from "../support/hall.ts";
import { makeOffice } from "../support/payments.ts";
import { makeFloor, sitDown } from "./floor.ts";

const hall = testHall();

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
    await page.locator(".grid .rows .row[aria-rowindex]").first().waitFor();
  });

  test("a redirect to another site is not followed", async () => {
    const at = await makeFloor(hall, 1);
    const page = await hall.open();
    await page.goto(`${hall.url()}/login?redirect=https%3A%2F%2Fexample.com%2F`);
    await signIn(page, at.operator);
    expect(new URL(page.url()).origin).toBe(hall.url());
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
    await hall.db.owner.query("insert into memberships (tenant_id, user_id) values ($1, $2)", [there.office.tenant.id, here.operator.id]);
    await hall.db.owner.query(
      `with g as (insert into user_groups (tenant_id, code, name, permissions) values ($1, 'guest', 'Guest', $2) returning id)
        insert into membership_groups (tenant_id, user_id, group_id) select $1, $3, id from g`,
      [there.office.tenant.id, ["view", "process", "approve"].map((action) => `pas.transaction.withdrawals.${action}`), here.operator.id],
    );
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
    await hands.page.locator("[cmdk-item]", { hasText: nameOf(second.office.tenant.id) }).waitFor();
    await hands.press("Enter");
    await hands.page.locator(".head .tenant", { hasText: nameOf(second.office.tenant.id) }).waitFor();
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
    const operator = await hall.employ(office, "Krit Chaiyaporn");
    const hands = await sitDown(hall, { operator });
    await hands.page.locator(".head .pick", { hasText: "MYR" }).waitFor();
    await hands.pressAll("g", "c");
    await hands.page.locator("[cmdk-item]", { hasText: "THB" }).waitFor();
    await hands.page.keyboard.type("THB");
    await hands.press("Enter");
    await hands.page.locator(".head .pick", { hasText: "THB" }).waitFor();
    await hands.page.locator(".empty", { hasText: "All done" }).waitFor();
    expect(await hands.page.evaluate(() => document.cookie)).toContain("THB");
  });
});

test("who is suspended while the console is open is out with the next act", async () => {
  const at = await makeFloor(hall, 1);
  const hands = await sitDown(hall, at);
  await hands.page.locator(".grid .rows .row[aria-rowindex]").first().waitFor();
  await hall.db.owner.query("update users set status = 'suspended' where id = $1", [at.operator.id]);
  await hands.press("t");
  await hands.page.waitForURL((url) => url.pathname === "/login");
  const { rows } = await hall.db.owner.query("select status from transactions where tenant_id = $1", [at.office.tenant.id]);
  expect(rows).toEqual([{ status: "pending" }]);
});
