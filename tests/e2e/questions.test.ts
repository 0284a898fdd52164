import { expect, test } from "vitest";
import { withdrawalRoutes } from "../../src/contract/withdrawals.ts";
import { testHall } from "../support/hall.ts";
import { atRest } from "./at-rest.ts";
import { makeFloor, sitDown } from "./floor.ts";
import type { Operator } from "./operator.ts";

const hall = testHall();

async function atWork(): Promise<Operator> {
  const at = await makeFloor(hall, 1);
  const rights = ["view", "process", "reject"].map((act) => `pas.transaction.withdrawals.${act}`);
  const hands = await sitDown(hall, { operator: await hall.employ(at.office, "Siti Rahmah", rights) });
  await hands.pressAll("g", "w");
  await hands.page.locator("[data-side=main] [role=grid]:focus").waitFor();
  // a key before the rows have come acts on none
  await atRest(hands.page);
  return hands;
}

test("a reason in one's own words: 0 or Tab comes to the text, Enter makes a new line, and Mod+Enter rejects with it", async () => {
  const hands = await atWork();
  const { page } = hands;
  await hands.press("r");
  await page.locator(".sheet input:focus").waitFor();
  // by Tab, from the reasons
  await page.keyboard.press("Tab");
  await page.locator(".sheet textarea:focus").waitFor();
  await page.locator(".sheet .option.on", { hasText: "Other" }).waitFor();
  await hands.press("Escape");
  await page.locator(".sheet").waitFor({ state: "detached" });

  await hands.press("r");
  await page.locator(".sheet input:focus").waitFor();
  await hands.press("0");
  await page.locator(".sheet textarea:focus").waitFor();
  await page.getByLabel("Reason in your own words").waitFor();
  await page.keyboard.type("the payee");
  await hands.press("Enter");
  await page.keyboard.type("is 0 years old");
  const sent = page.waitForRequest((request) => request.url().endsWith(withdrawalRoutes.rejectWithdrawals.path));
  await hands.press("Enter", { mod: true });
  expect((await sent).postData()).toContain("the payee\\nis 0 years old");
});

test("a text that is asked for says how many characters are left, and takes no more than there may be", async () => {
  const hands = await atWork();
  const { page } = hands;
  await hands.press("e");
  const field = page.locator(".sheet textarea");
  await page.locator(".sheet textarea:focus").waitFor();
  const most = Number(await field.getAttribute("maxlength"));
  expect(most).toBe(1000);
  await field.fill("x".repeat(most - 2));
  await page.locator(".sheet .field", { hasText: "2 left" }).waitFor();
  await page.keyboard.type("abc");
  expect(await field.inputValue()).toBe(`${"x".repeat(most - 2)}ab`);
});
