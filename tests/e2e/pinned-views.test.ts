import { expect, test } from "vitest";
import { makeMerchant } from "../support/factories.ts";
import { makeProvider } from "../support/game-provider.ts";
import { testHall } from "../support/hall.ts";
import { atRest } from "./at-rest.ts";
import { faultsInBothThemes } from "./faults.ts";
import { makeFloor, sitDown } from "./floor.ts";
import { keepToasts, keptToasts } from "./kept-toasts.ts";
import type { Operator } from "./operator.ts";
import { saveView } from "./save-view.ts";

const hall = testHall();
const rights = [
  "pas.transaction.withdrawals.view",
  "pas.transaction.deposits.view",
  "pas.transaction.bank-transactions.view",
  "pas.account.accounts.view",
];

const open = async ({ page, ...hands }: Operator, path: string, name: string) => {
  await page.waitForURL(({ pathname }) => pathname === path);
  await page.getByRole("grid", { name }).waitFor();
  await atRest(page);
  return hands;
};

test("a supervisor pins three views by keys: their figures are live, one past its threshold gives the alarm, and each opens by its key", async () => {
  const at = await makeFloor(hall, 3);
  const supervisor = await hall.employ(at.office, "Suresh Pillai", rights);
  const hands = await sitDown(hall, { operator: supervisor }, "us", { viewport: { width: 1920, height: 1080 } });
  const { page } = hands;
  await keepToasts(page);
  await hands.watch();
  const pinned = page.locator(".side .pinned button");
  const figure = (name: string) => pinned.filter({ hasText: name }).locator(".count");

  await saveView(hands, "Payouts", "7");
  await hands.pressAll("w", "v");
  await hands.said(/Pinned: Payouts/);
  await expect.poll(() => figure("Payouts").innerText()).toBe("3");
  expect(await pinned.innerText()).toContain("300.00");

  await hands.pressAll("g", "d");
  await open(hands, "/payment/deposits", "Deposits");
  await saveView(hands, "Paid in", "7");
  await hands.pressAll("w", "v");
  await hands.said(/Pinned: Paid in/);
  await hands.pressAll("g", "b");
  await open(hands, "/payment/bank-transactions", "Bank transactions");
  await saveView(hands, "Lines", "7");
  await hands.pressAll("w", "v");
  await hands.said(/Pinned: Lines/);
  await expect.poll(() => pinned.count()).toBe(3);
  expect(await faultsInBothThemes(page)).toEqual([]);

  // the first one by its key, and its alarm
  await hands.pressAll("g", "1");
  await open(hands, "/payment/withdrawals", "Withdrawals");
  await hands.pressAll("w", "a");
  const asked = (text: string) => page.getByRole("dialog", { name: text }).waitFor();
  await asked("When should “Payouts” give the alarm?");
  await hands.press("Enter");
  await asked("With more rows than");
  // what cannot be a threshold is refused, and stays as it was typed
  await page.keyboard.type("many");
  await hands.press("Enter");
  await page.getByRole("dialog").getByText("Write a number above zero that this measure can have.").first().waitFor();
  await page.keyboard.press("Control+a");
  await page.keyboard.type("3");
  await hands.press("Enter");
  await hands.said(/Pinned: Payouts/);
  await atRest(page);
  expect(await page.locator(".side .pinned .past").count()).toBe(0);

  const { id } = await at.office.withdraw(at.merchant);
  hall.server().deps.publisher.changed(at.office.tenant.id, "withdraw", [id]);
  await hall.server().deps.publisher.flush();
  await expect.poll(() => figure("Payouts").innerText()).toBe("4");
  await page.locator(".side .pinned .past", { hasText: "Payouts" }).waitFor();
  await expect.poll(async () => (await keptToasts(page)).map(({ title }) => title)).toContain("Payouts: past its threshold");
  expect(await faultsInBothThemes(page)).toEqual([]);

  // taken off again
  await hands.pressAll("w", "v");
  await hands.said(/Unpinned: Payouts/);
  await expect.poll(() => pinned.allInnerTexts()).toHaveLength(2);
  await hands.pressAll("g", "2");
  await open(hands, "/payment/bank-transactions", "Bank transactions");
  await hands.pressAll("g", "8");
  await hands.said(/No pinned view at place 8/);
  expect(await hands.watched()).toMatchObject({ pointers: 0 });
});

test("a view pinned for everybody is in a colleague's counters, and where there is no room for them the header tells of its alarm", async () => {
  const at = await makeFloor(hall, 2);
  const small = { viewport: { width: 1280, height: 720 } };
  const maker = await sitDown(hall, { operator: await hall.employ(at.office, "Rowena Mercado", rights) }, "us", small);
  await saveView(maker, "All of us", "7", "shared");
  await maker.press("k", { mod: true });
  await maker.page.locator("[cmdk-input]:focus").waitFor();
  await maker.page.keyboard.type("Pin this view for everybody");
  await maker.page.locator("[cmdk-item][data-selected=true]", { hasText: "Pin this view for everybody" }).waitFor();
  await maker.press("Enter");
  await maker.said(/Pinned for everybody: All of us/);
  await maker.pressAll("w", "a");
  await maker.page.getByRole("dialog", { name: "give the alarm" }).waitFor();
  await maker.press("Enter");
  await maker.page.getByRole("dialog", { name: "With more rows than" }).waitFor();
  await maker.page.keyboard.type("1");
  await maker.press("Enter");
  await maker.page.locator(".head .past-views", { hasText: "1" }).waitFor();

  const wide = { viewport: { width: 1920, height: 1080 } };
  const { page } = await sitDown(hall, { operator: await hall.employ(at.office, "Noel Domingo", rights) }, "us", wide);
  const seen = page.locator(".side .pinned button.past", { hasText: "All of us" });
  await seen.waitFor();
  await expect.poll(() => seen.locator(".count").innerText()).toBe("2");
});

test("a view of one merchant's providers is pinned with that merchant: its figures are theirs, and its key leads back there", async () => {
  const at = await makeFloor(hall, 0);
  const other = await makeMerchant(hall.db, at.office.tenant);
  for (const name of ["Evolution", "Pragmatic"]) await makeProvider(hall.db, at.office.tenant, at.merchant, { name });
  await makeProvider(hall.db, at.office.tenant, other, { name: "Playtech" });
  const operator = await hall.employ(at.office, "Aisha Rahman", ["gps.provider.merchant-providers.view", "pas.transaction.deposits.view"]);
  const path = `/game-provider/merchants/${at.merchant.id}/providers`;
  const hands = await sitDown(hall, { operator }, "us", { path, viewport: { width: 1920, height: 1080 } });
  const { page } = hands;
  const rows = page.locator(".grid .rows .row[aria-rowindex]");
  await expect.poll(() => rows.count()).toBe(2);
  await saveView(hands, "Set-ups", "7");
  await hands.pressAll("w", "v");
  await hands.said(/Pinned: Set-ups/);
  const count = page.locator(".side .pinned button", { hasText: "Set-ups" }).locator(".count");
  await expect.poll(() => count.innerText()).toBe("2");

  await hands.pressAll("g", "d");
  await open(hands, "/payment/deposits", "Deposits");
  await hands.pressAll("g", "1");
  await page.waitForURL(({ pathname }) => pathname === path);
  await expect.poll(() => rows.count()).toBe(2);
});
