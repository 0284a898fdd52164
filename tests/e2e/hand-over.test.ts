import type { Page } from "playwright";
import { expect, test } from "vitest";
import { shiftHandlers } from "../../src/server/shifts/shifts.ts";
import { testHall } from "../support/hall.ts";
import { body } from "../support/payments.ts";
import { atRest } from "./at-rest.ts";
import { faultsInBothThemes } from "./faults.ts";
import { makeFloor, sitDown } from "./floor.ts";
import { keepToasts } from "./kept-toasts.ts";

const hall = testHall();

test("a shift is handed over by keys: what is held is let go, and the next one reads the note at sign-in, once", async () => {
  const at = await makeFloor(hall, 3);
  const hands = await sitDown(hall, at);
  const { page } = hands;
  await keepToasts(page);
  await hands.press("n");
  await expect
    .poll(async () => (await hall.db.owner.query("select from transactions where claimed_by = $1", [at.operator.id])).rowCount)
    .toBe(1);
  await atRest(page);
  await hands.pressAll("w", "h");
  const sheet = page.getByRole("dialog", { name: "My shift" });
  await sheet.locator("textarea:focus").waitFor();
  await sheet.getByText("In hand").waitFor();
  expect(await faultsInBothThemes(page)).toEqual([]);
  await page.keyboard.type("The bank of the first one is down until eight");
  // what was typed is not lost by a key
  await hands.press("Escape");
  await page.getByText("The note you wrote is lost.").waitFor();
  await hands.press("Escape");
  await page.getByText("The note you wrote is lost.").waitFor({ state: "detached" });
  // the server lets go after it has written down what is held; a release of the queue's own could come before that
  const releases: string[] = [];
  page.on("request", (request) => request.url().endsWith("/release") && releases.push(request.url()));
  await hands.press("Enter", { mod: true });
  await sheet.waitFor({ state: "detached" });
  await hands.said(/Your shift is handed over\. Released: 1/);
  const claimed = await hall.db.owner.query("select from transactions where tenant_id = $1 and claimed_by is not null", [
    at.office.tenant.id,
  ]);
  expect(claimed.rowCount).toBe(0);
  expect(releases).toEqual([]);

  // in a tab of dong, which have no decimals: what is left is of the other currency
  await hall.db.owner.query(
    "insert into currencies (tenant_id, code, name, country, minor_digits) values ($1, 'VND', 'Dong', 'Vietnam', 0)",
    [at.office.tenant.id],
  );
  const inDong = { before: (tab: Page) => tab.addInitScript(() => sessionStorage.setItem("currency", "VND")) };
  const next = { operator: await hall.employ(at.office, "Tan Pei Ling") };
  const { page: other } = await sitDown(hall, next, "us", inDong);
  await other.locator(".head .pick", { hasText: "VND" }).waitFor();
  const left = other.getByRole("dialog", { name: "Handed over by others" });
  await left.getByText("The bank of the first one is down until eight").waitFor();
  await left.getByText("Nurul Aisyah").waitFor();
  await left.getByText("100.00", { exact: true }).waitFor();
  expect(await faultsInBothThemes(other)).toEqual([]);
  await expect
    .poll(async () => (await hall.db.owner.query("select from hand_over_readers where user_id = $1", [next.operator.id])).rowCount)
    .toBe(1);
  await other.keyboard.press("Escape");
  await left.waitFor({ state: "detached" });
  const again = await sitDown(hall, next);
  await atRest(again.page);
  expect(await again.page.getByRole("dialog", { name: "Handed over by others" }).count()).toBe(0);
});

test("what another hands over waits until no sheet is open, and opens then", async () => {
  const at = await makeFloor(hall, 2);
  const hands = await sitDown(hall, at);
  const { page } = hands;
  await hands.press("n");
  await atRest(page);
  await hands.press("r");
  const sheet = page.getByRole("dialog");
  await sheet.waitFor();
  const other = await hall.employ(at.office, "Tan Pei Ling");
  await shiftHandlers.handOver(at.office.call(other), body({ note: "The bank is slow" }));
  // the counters tell of it, as they do when a tab is looked at again
  const told = page.waitForResponse((response) => response.url().includes("/notification/details") && response.ok());
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  expect(await (await told).text()).toContain('"unreadHandOverCount":1');
  await atRest(page);
  expect(await page.getByRole("dialog", { name: "Handed over by others" }).count()).toBe(0);
  await hands.press("Escape");
  await page.getByRole("dialog", { name: "Handed over by others" }).getByText("The bank is slow").waitFor();
});
