import { expect, test } from "vitest";
import { testHall } from "../support/hall.ts";
import { makeFloor, sitDown } from "./floor.ts";
import type { Operator } from "./operator.ts";

const hall = testHall();

const firstRow = ({ page }: Operator) => page.locator(".grid .rows .row[aria-rowindex]").first().waitFor();

test("a claim is renewed while its holder touches anything, and is let go with a word after three minutes", async () => {
  const at = await makeFloor(hall, 1);
  const hands = await sitDown(hall, at, "us", { before: (page) => page.clock.install() });
  const { page } = hands;
  await firstRow(hands);
  let renewals = 0;
  let unanswered = 0;
  page.on("request", (request) => {
    unanswered++;
    renewals += Number(request.url().endsWith("/withdrawals/renew"));
  });
  page.on("requestfinished", () => unanswered--);
  page.on("requestfailed", () => unanswered--);
  await hands.press("t");
  await hands.said(/Claimed/);
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1_000));
  // in steps, between which what was asked is answered, because a call runs out of time with the clock and is sent again
  const pass = async (seconds: number, until: () => Promise<boolean> = async () => false) => {
    for (let passed = 0; passed < seconds && !(await until()); passed += 2) {
      await page.clock.runFor(2_000);
      await expect.poll(() => unanswered).toBeLessThanOrEqual(0);
    }
  };
  await pass(150);
  await expect.poll(() => renewals).toBe(5);
  const word = page.locator(".toasts", { hasText: "Your claims are about to be released" });
  await pass(90, async () => (await word.count()) > 0);
  expect(await word.count()).toBe(1);
  const whenLeft = renewals;
  await pass(240);
  expect(renewals).toBe(whenLeft);
  await hands.press("j");
  await expect.poll(() => renewals).toBe(whenLeft + 1);
});

test("whose claim is taken over is told at once by whom, and keys decide nothing on it any more", async () => {
  const at = await makeFloor(hall, 1);
  const hands = await sitDown(hall, at);
  await firstRow(hands);
  await hands.press("t");
  await hands.said(/Claimed/);
  await hands.page.locator(".stat").getByText("Live", { exact: true }).waitFor();
  const dewi = await sitDown(hall, { operator: await hall.employ(at.office, "Dewi Wulandari") });
  await firstRow(dewi);
  await dewi.press("k", { mod: true });
  await dewi.page.keyboard.type("Take over");
  await dewi.page.locator("[cmdk-item][data-selected=true]", { hasText: "Take over" }).waitFor();
  await dewi.press("Enter");
  await dewi.page.locator(".sheet textarea:focus").waitFor();
  await dewi.page.keyboard.type("she is at lunch");
  await dewi.press("Enter", { mod: true });
  await hands.page.locator(".toasts", { hasText: "Dewi Wulandari has taken" }).waitFor();
  await hands.press("a");
  await hands.page.locator(".stat .said", { hasText: "Dewi Wulandari" }).waitFor();
  const { rows: found } = await hall.db.owner.query("select status from transactions where tenant_id = $1", [at.office.tenant.id]);
  expect(found).toEqual([{ status: "process" }]);
});
