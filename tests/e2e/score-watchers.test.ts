import { afterAll, beforeAll, expect, test } from "vitest";
import type { Answering } from "../support/answering.ts";
import { startAnswering } from "../support/answering.ts";
import { setSettings } from "../support/factories.ts";
import { testHall } from "../support/hall.ts";
import { makeMasterAccount } from "../support/master-accounts.ts";
import { atRest } from "./at-rest.ts";
import { faultsInBothThemes } from "./faults.ts";
import { rewrite, tabTo } from "./fields.ts";
import { makeFloor, sitDown } from "./floor.ts";
import { keepToasts } from "./kept-toasts.ts";

const hall = testHall({ environment: { DEVELOPMENT: "true" } });
const rights = [
  "gps.provider.master-accounts.view",
  ...["view", "create", "update", "delete"].map((act) => `gps.provider.score-watchers.${act}`),
  "pas.transaction.deposits.view",
];
let provider: Answering;
beforeAll(async () => {
  provider = await startAnswering();
  provider.answer = (_, response) => void response.end('{"data":{"balance":"815.25","currency":"MYR","credit":true}}');
});
afterAll(() => provider.stop());

test("an account is watched, falls below its threshold, and the alarm is told, counted and opened: by keys alone", async () => {
  const at = await makeFloor(hall, 0);
  await setSettings(hall.db, at.office.tenant, { loopback_callbacks: true });
  await makeMasterAccount(hall.db, at.office.tenant, {
    code: "LOTUS-1",
    name: "Lotus Slots",
    secrets: hall.server().deps.secrets,
    credentials: { key: "sesame-4711" },
    settings: { check_url: `${provider.url}/credit` },
  });
  const hands = await sitDown(hall, { operator: await hall.employ(at.office, "Farah Aziz", rights) });
  const { page } = hands;
  await keepToasts(page);
  await hands.pressAll("g", "z");
  await page.getByRole("grid", { name: "Score watchers" }).waitFor();
  await atRest(page);
  await hands.watch();

  await hands.press("c");
  const sheet = page.locator(".sheet");
  await tabTo(sheet.getByRole("combobox", { name: /^Master account/ }));
  await page.keyboard.type("lotus");
  await page.locator("[role=option]", { hasText: "Lotus Slots" }).waitFor();
  await hands.press("Enter");
  await rewrite(sheet.getByLabel("Alarm below"), "1000");
  // what is offered is kept: every quarter of an hour, with an alarm in the console
  await expect.poll(() => sheet.getByLabel("Every").inputValue()).toBe("15");
  expect(await sheet.getByLabel("Alarm in the console").isChecked()).toBe(true);
  expect(await faultsInBothThemes(page)).toEqual([]);
  await hands.press("Enter", { mod: true });
  await sheet.waitFor({ state: "detached" });

  // its first turn is at once, in whichever process
  await page.locator(".grid .rows .row .st", { hasText: "Below threshold" }).waitFor();
  await expect
    .poll(() => page.evaluate(() => window.toasted?.map(({ title, text }) => `${title}: ${text}`)))
    .toContain("Lotus Slots: score alarm: 815.25 is below the threshold of 1,000.00.");
  await page.locator(".detail-pane .checks li", { hasText: "815.25" }).first().waitFor();
  expect(await faultsInBothThemes(page)).toEqual([]);

  // from another screen the counters lead back to it
  await hands.pressAll("g", "d");
  await page.getByRole("grid", { name: "Deposits" }).waitFor();
  const told = page.getByRole("button", { name: "Watchers in alarm: 1" });
  await told.focus();
  await hands.press("Enter");
  await page.getByRole("grid", { name: "Score watchers" }).waitFor();
  await expect.poll(() => new URL(page.url()).searchParams.get("state")).toBe("below,error");
  await page.locator(".grid .rows .row", { hasText: "Lotus Slots" }).waitFor();
});
