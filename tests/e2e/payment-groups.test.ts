import { expect, test } from "vitest";
import { makeAccount, makeMerchant } from "../support/factories.ts";
import { testHall } from "../support/hall.ts";
import { rewrite, tabTo } from "./fields.ts";
import { makeFloor, sitDown } from "./floor.ts";
import type { Operator } from "./operator.ts";

const hall = testHall();

const rights = [
  ...["view", "create", "update", "delete"].map((act) => `pas.account.groups.${act}`),
  ...["view", "update", "reset-credentials"].map((act) => `pas.merchant.merchants.${act}`),
  "pas.account.accounts.view",
];

const rows = (hands: Operator) => hands.page.locator(".grid .rows .row[aria-rowindex]");
const field = (hands: Operator, label: string) => hands.page.locator(".sheet").getByRole("combobox", { name: label });
const detail = (hands: Operator, text: string) => hands.page.locator(".ln", { hasText: text }).first().waitFor();

async function open(hands: Operator, key: string, name: string): Promise<void> {
  await rows(hands).first().waitFor();
  await hands.pressAll("g", key);
  await hands.page.getByRole("grid", { name }).waitFor();
  await rows(hands).first().waitFor();
}

/** Types part of a name or code into a field of records and takes what is found. */
async function link(hands: Operator, label: string, typed: string, found: string): Promise<void> {
  await tabTo(field(hands, label));
  await hands.page.keyboard.type(typed);
  await hands.page.locator(".found [role=option][aria-selected=true]", { hasText: found }).waitFor();
  await hands.press("Enter");
  await hands.page.locator(".sheet .chips", { hasText: found }).first().waitFor();
}

/** A command of the row, found by its name. */
async function act(hands: Operator, name: string): Promise<void> {
  await hands.press(".");
  await hands.page.locator("[cmdk-input]").waitFor();
  await hands.page.keyboard.type(name);
  await hands.page.locator("[cmdk-item][data-selected=true]", { hasText: name }).waitFor();
  await hands.press("Enter");
}

test("a group is made, linked by typing, unlinked from the merchant's side and deleted, by keys alone", async () => {
  const at = await makeFloor(hall, 0);
  const { tenant } = at.office;
  await hall.db.owner.query("update payment_groups set name = 'Main' where tenant_id = $1", [tenant.id]);
  await makeMerchant(hall.db, tenant, { code: "LOTUS", name: "Lotus Hall" });
  await makeMerchant(hall.db, tenant, { code: "AARBOUR", name: "Aa Harbour" });
  await makeAccount(hall.db, tenant, { code: "TILL-7", holder: "Selangor House", account_number: "514012348877" });
  const hands = await sitDown(hall, { operator: await hall.employ(at.office, "Farah Aziz", rights) });
  await open(hands, "p", "Payment groups");
  await hands.watch();

  await hands.press("c");
  await rewrite(hands.page.locator(".sheet").getByLabel("Name"), "Aa weekend");
  await link(hands, "Merchants", "lotus", "Lotus Hall");
  await link(hands, "Merchants", "aarb", "Aa Harbour");
  await link(hands, "Payment accounts", "348877", "TILL-7");
  await hands.press("Enter", { mod: true });
  await hands.said(/Created: Aa weekend/);
  await rows(hands).filter({ hasText: "Aa weekend" }).waitFor();
  const cells = hands.page.getByRole("table", { name: "Merchants" }).getByRole("cell");
  await expect.poll(() => cells.allInnerTexts()).toEqual(["AARBOUR", "Aa Harbour", "LOTUS", "Lotus Hall"]);

  await open(hands, "m", "Merchants");
  await expect.poll(() => hands.target()).toBe("AARBOUR");
  await detail(hands, "Aa weekend");
  await hands.press("e");
  await tabTo(field(hands, "Payment groups"));
  await hands.page.keyboard.press("Backspace");
  await hands.page.keyboard.press("Backspace");
  await expect.poll(() => hands.page.locator(".sheet .chips", { hasText: "Aa weekend" }).count()).toBe(0);
  await hands.press("Enter", { mod: true });
  await hands.said(/Saved: Aa Harbour/);
  // linked from the group's form, unlinked from its own
  const changes = hands.page.locator(".event .change", { hasText: "Payment groups" }).filter({ hasText: "Aa weekend" });
  await expect.poll(() => changes.count()).toBe(2);

  await open(hands, "p", "Payment groups");
  await expect.poll(() => hands.target()).toBe("Aa weekend");
  await hands.page.locator(".event .change", { hasText: "AARBOUR, LOTUS" }).waitFor();
  await act(hands, "Delete");
  await hands.page.locator(".sheet", { hasText: "1 merchant will be unlinked from it" }).waitFor();
  await hands.press("Enter", { mod: true });
  await hands.said(/Deleted: Aa weekend/);
  await rows(hands).filter({ hasText: "Aa weekend" }).waitFor({ state: "detached" });
  const left = await hall.db.owner.query(
    "select from payment_group_merchants l join merchants m on m.id = l.merchant_id where m.code = 'LOTUS'",
  );
  expect(left.rowCount).toBe(0);
  expect(await hands.watched()).toMatchObject({ pointers: 0 });
});

test("a merchant's new secret is shown once, is copied by a key, and is not left unasked", async () => {
  const at = await makeFloor(hall, 0);
  const hands = await sitDown(hall, { operator: await hall.employ(at.office, "Farah Aziz", rights) });
  await hands.page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await open(hands, "m", "Merchants");
  await hands.watch();
  await act(hands, "Reset the credentials");
  await hands.page.locator(".asked", { hasText: "how long does the old one stay valid?" }).waitFor();
  await hands.page.keyboard.type("week");
  await hands.page.locator("[cmdk-item][data-selected=true]", { hasText: "valid for 1 week" }).waitFor();
  await hands.press("Enter");
  await hands.page.locator(".sheet", { hasText: "The old one: valid for 1 week." }).waitFor();
  await hands.press("Enter"); // plain Enter confirms nothing
  await hands.press("Enter", { mod: true });
  const sheet = hands.page.locator(".sheet", { hasText: "New secret of" });
  const secret = await sheet.getByLabel("Secret").inputValue();
  expect(secret).toMatch(/^whsec_/);
  await sheet.getByText("The old secret works for 1 more week").waitFor();
  await hands.press("Enter");
  await expect.poll(() => hands.page.evaluate(() => navigator.clipboard.readText())).toBe(secret);
  await hands.press("Escape");
  await hands.page.locator(".sheet", { hasText: "Leave without keeping the secret?" }).waitFor();
  await hands.press("Escape");
  await hands.page.locator(".sheet", { hasText: "Leave without keeping the secret?" }).waitFor({ state: "detached" });
  expect(await sheet.getByLabel("Secret").inputValue()).toBe(secret);
  await hands.press("Enter", { mod: true });
  await sheet.waitFor({ state: "detached" });
  await hands.page.locator(".event", { hasText: "Credentials reset by Farah Aziz" }).filter({ hasText: "valid for 1 week" }).waitFor();
  expect(await hands.page.content()).not.toContain(secret);
  expect(await hands.watched()).toMatchObject({ pointers: 0 });
});
