import { expect, test } from "vitest";
import type { SigningMerchant } from "../support/merchants.ts";
import { makeSigningMerchant } from "../support/merchants.ts";
import { makeAccount, makeGroup } from "../support/factories.ts";
import { testHall } from "../support/hall.ts";
import { ask } from "../support/http.ts";
import type { Office } from "../support/payments.ts";
import { makeOffice } from "../support/payments.ts";
import { rewrite, tabTo } from "./fields.ts";
import { sitDown } from "./floor.ts";

const hall = testHall();

const groups = "pas.rate-limit.groups";
const rights = [
  ...["view", "create", "update", "assign"].map((act) => `${groups}.${act}`),
  "pas.account.accounts.view",
  "pas.transaction.deposits.view",
];

/** What a merchant is answered when it asks for a deposit. */
async function asksFor(office: Office, signedBy: SigningMerchant, number: string) {
  const served = { app: hall.server().app, deps: office.deps, published: [], url: hall.url() };
  const body = { merchant_txn_no: number, amount: "50.00", currency: "MYR", method: "bank_transfer", member: "hp_1", customer_name: "Tan" };
  const { status, text } = await ask(served, "createDeposit", { body, signedBy });
  return { status, ...(JSON.parse(text) as { code?: string; data?: object }) };
}

test("a rate-limit group is made, assigned, seen to refuse a merchant, and its use read as it grows, by keys alone", async () => {
  const office = await makeOffice(hall.db);
  const shop = await makeSigningMerchant(hall.db, office.deps, office.tenant);
  const till = await makeAccount(hall.db, office.tenant, { code: "TILL-7", holder: "Selangor House" });
  await makeGroup(hall.db, office.tenant, [till], [shop]);
  const hands = await sitDown(hall, { operator: await hall.employ(office, "Farah Aziz", rights) });
  const { page } = hands;
  const sheet = page.locator(".sheet");
  await page.locator(".stat .mode").waitFor();
  await hands.pressAll("g", "k");
  await page.getByText("Nothing here yet.").waitFor();
  await hands.watch();

  // a limit without its window is refused at the window's field, and what was typed stays
  await hands.press("c");
  await rewrite(sheet.getByLabel("Name"), "Evening");
  await rewrite(sheet.getByLabel("Account max transactions"), "1");
  await hands.press("Enter", { mod: true });
  await sheet
    .locator(".field", { hasText: "Account window" })
    .locator(".err", { hasText: /^Window required when limits set$/ })
    .waitFor();
  expect(await sheet.getByLabel("Name").inputValue()).toBe("Evening");
  await rewrite(sheet.getByLabel("Account window"), "60");
  await hands.press("Enter", { mod: true });
  await hands.said(/Created: Evening/);
  await page.locator(".detail .rate-usage").getByText("No usage data available", { exact: true }).waitFor();

  await hands.press("a");
  await tabTo(sheet.getByRole("combobox", { name: "Payment accounts" }));
  await page.keyboard.type("selangor");
  await page.locator(".found [role=option][aria-selected=true]", { hasText: "TILL-7" }).waitFor();
  await hands.press("Enter");
  await hands.press("Enter", { mod: true });
  await hands.said(/Saved: Evening/);
  await page.locator(".detail .ln", { hasText: "TILL-7 · Selangor House" }).waitFor();

  // what the merchant asks for is counted here while it is looked at, and the second is told what stands in its way
  expect(await asksFor(office, shop, "D1")).toMatchObject({ status: 200 });
  const used = page.getByRole("list", { name: "Accounts, last 1 hr" }).getByRole("listitem");
  await used.filter({ hasText: "TILL-7" }).filter({ hasText: "1 / 1" }).filter({ hasText: "Used up" }).waitFor();
  expect(await asksFor(office, shop, "D2")).toMatchObject({
    status: 422,
    code: "deposit.rate-limited",
    data: { scope: "account", limit: "max_count", maximum: "1", window_minutes: 60, resets_at: null },
  });

  // a narrower limit is taken, and says before what it will refuse; whoever reconsiders finds the form as it was
  await hands.press("e");
  await rewrite(sheet.getByLabel("Account turnover amount"), "20.00");
  await hands.press("Enter", { mod: true });
  const asked = page.locator(".sheet", { hasText: "Evening: refuses from now on" });
  await asked.getByText("1 account is over these limits now (TILL-7)").waitFor();
  await hands.press("Escape");
  await asked.waitFor({ state: "detached" });
  expect(await sheet.getByLabel("Account turnover amount").inputValue()).toBe("20.00");
  await rewrite(sheet.getByLabel("Account max transactions"), "2");
  await rewrite(sheet.getByLabel("Account turnover amount"), "500.00");
  await hands.press("Enter", { mod: true });
  await hands.said(/Saved: Evening/);
  await used.filter({ hasText: "1 / 2" }).filter({ hasText: "450.00 left" }).waitFor();
  expect(await asksFor(office, shop, "D3")).toMatchObject({ status: 200 });
  await used.filter({ hasText: "2 / 2" }).filter({ hasText: "Used up" }).waitFor();
  expect(await hands.watched()).toEqual({ onBody: 0, pointers: 0 });
});
