import { expect, test } from "vitest";
import { makeSigningMerchant } from "../support/merchants.ts";
import { testHall } from "../support/hall.ts";
import { atRest } from "./at-rest.ts";
import { makeFloor, sitDown } from "./floor.ts";

const hall = testHall();

test("a line names a merchant by its code or name, and whoever holds a claim, by keys", async () => {
  const at = await makeFloor(hall, 1);
  const azure = await makeSigningMerchant(hall.db, at.office.deps, at.office.tenant, { code: "AZURE", name: "Azure Bay", wallet: "5000" });
  await at.office.withdraw(azure, { amount: "77.00" });
  const hands = await sitDown(hall, at);
  const { page } = hands;
  const rows = page.locator(".grid .rows .row[aria-rowindex]");
  await expect.poll(() => rows.count()).toBe(2);
  const asked = (name: string) => new URL(page.url()).searchParams.get(name);
  await hands.watch();
  await hands.press("t");
  await hands.said(/Claimed/);

  // the merchants are read for it, and it is judged once they are there
  await hands.press("/");
  await page.keyboard.type("merchant:azu");
  await page.getByRole("option", { name: /Azure Bay/ }).waitFor();
  await page.keyboard.press("Tab");
  await expect.poll(() => asked("merchant")).toBe(azure.id);
  await hands.press("Enter");
  await atRest(page);
  await expect.poll(() => rows.count()).toBe(1);
  await page.locator("span.chip", { hasText: "AZURE · Azure Bay" }).waitFor();

  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute("role"))).toBe("grid");

  // "me" is who holds the claim
  await hands.press("/");
  await page.keyboard.press("Control+a");
  await page.keyboard.type("me");
  await expect.poll(() => asked("claimed_by")).toBe("me");
  await expect.poll(() => asked("merchant")).toBeNull();
  await hands.press("Enter");
  await atRest(page);
  await expect.poll(() => rows.count()).toBe(1);
  await page.locator("span.chip", { hasText: "Claimed by" }).waitFor();
  expect(await hands.watched()).toEqual({ onBody: 0, pointers: 0 });
});
