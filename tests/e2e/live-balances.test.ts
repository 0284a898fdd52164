import { expect, test } from "vitest";
import { makeAccount, makeGroup, makeMerchant } from "../support/factories.ts";
import { testHall } from "../support/hall.ts";
import { makeOffice } from "../support/payments.ts";
import { atRest } from "./at-rest.ts";
import { sitDown } from "./floor.ts";

const hall = testHall();

const rights = ["pas.account.accounts.view", "pas.transaction.deposits.view"];

test("balances are followed by keys: the critical first, each change in its row, its open items, and a wall of them", async () => {
  const office = await makeOffice(hall.db, { settings: { recall_seconds: 0 } });
  const shop = await makeMerchant(hall.db, office.tenant, { wallet: "1000" });
  const till = await makeAccount(hall.db, office.tenant, { code: "TILL-7", bank: "Maybank", balance: "5000", deposit_daily_limit: "6000" });
  await makeAccount(hall.db, office.tenant, { code: "LOW-1", bank: "CIMB", balance: "500", threshold: "1000", purpose: "withdrawal" });
  await makeGroup(hall.db, office.tenant, [till], [shop]);
  const hands = await sitDown(hall, { operator: await hall.employ(office, "Farah Aziz", rights) });
  const { page } = hands;
  const lists: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/payment-account-live-balances"))
      lists.push(new URL(request.url()).pathname + new URL(request.url()).search);
  });
  const cell = (code: string, column: number) =>
    page.locator(".grid .rows .row", { hasText: code }).locator(`[aria-colindex="${column}"]`).innerText();
  const codes = () => page.locator(".grid .rows .row:visible [aria-colindex='2']").allInnerTexts();

  /** What the office does here no server of the hall has done: it tells of the account, as the server that does it tells. */
  const tell = async () => {
    const { publisher } = hall.server().deps;
    publisher.changed(office.tenant.id, "paymentAccount", [till.id]);
    await publisher.flush();
  };
  await page.locator(".stat .mode").waitFor();
  await hands.pressAll("g", "l");
  await page.getByRole("grid", { name: "Payment account live balances" }).waitFor();
  await expect.poll(codes).toEqual(["1 account", "LOW-1", "1 account · 1 above", "1 account", "TILL-7"]);
  await expect.poll(() => hands.target()).toBe("LOW-1");
  await hands.watch();
  await page.locator(".detail .decide", { hasText: "Critical" }).waitFor();
  await hands.press("n");
  expect(await hands.target()).toBe("LOW-1");

  // a deposit is shown and paid: the row says so, and nothing is loaded anew
  await page.keyboard.press("Shift+G");
  await expect.poll(() => hands.target()).toBe("TILL-7");
  // once it has rested there the address names it, so that the wall and the way back know it
  await page.waitForURL(({ searchParams }) => searchParams.get("record") === till.id);
  await office.deposit(shop, { amount: "70.00" });
  await tell();
  await page.locator(".detail .ln", { hasText: "70.00" }).first().waitFor();
  await expect.poll(() => cell("TILL-7", 11)).toBe("1 · 0");
  await office.credited(shop, { amount: "430.00", member: "M2" });
  await tell();
  await expect.poll(() => cell("TILL-7", 3)).toBe("5,430.00");
  await page.locator(".detail .decide", { hasText: "5,430.00" }).waitFor();
  const whole = (path: string) =>
    lists.filter((one) => one === `/service/payment/api/tenant/v1/payment-account-live-balances${path}`).length;
  expect([whole(""), whole("/days")]).toEqual([1, 1]);

  // by type, then without groups
  await page.keyboard.press("Shift+B");
  await expect.poll(codes).toEqual(["1 account", "LOW-1", "2 accounts · 1 above", "TILL-7"]);
  await page.keyboard.press("Shift+B");
  await expect.poll(codes).toEqual(["1 account", "LOW-1", "TILL-7"]);

  await page.keyboard.press("Shift+W");
  await page.locator(".wall-first .figure", { hasText: "500" }).waitFor();
  await page.locator(".wall-rest .figure", { hasText: "5,430" }).waitFor();
  expect(new URL(page.url()).searchParams.get("wall")).toBe("1");
  await page.reload();
  await page.locator(".wall-rest .figure", { hasText: "5,430" }).waitFor();
  await atRest(page);
  await office.credited(shop, { amount: "70.00", member: "M3" });
  await tell();
  await page.locator(".wall-rest .figure", { hasText: "5,500" }).waitFor();
  expect(await page.locator(".stat .aim").innerText()).toContain("2 accounts, what needs attention first");
  await page.keyboard.press("Shift+W");
  await page.getByRole("grid", { name: "Payment account live balances" }).waitFor();
  await expect.poll(() => hands.target()).toBe("TILL-7");

  await hands.press("Enter", { mod: true });
  await page.locator("[data-side=beside] .detail", { hasText: "TILL-7" }).waitFor();
});
