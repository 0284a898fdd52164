import { readFile as readBytes } from "node:fs/promises";
import { afterEach, expect, test } from "vitest";
import { permissions } from "../../src/contract/permissions.ts";
import type { Receiver } from "../../src/server/demo/receiver.ts";
import { startReceiver } from "../../src/server/demo/receiver.ts";
import { withdrawalHandlers } from "../../src/server/payments/withdrawals.ts";
import { readFile } from "../support/exported.ts";
import { makeMerchant } from "../support/factories.ts";
import { testHall } from "../support/hall.ts";
import type { SigningMerchant } from "../support/merchants.ts";
import { pagesOf } from "../support/printed.ts";
import { body } from "../support/payments.ts";
import { faultsInBothThemes } from "./faults.ts";
import { atHour, makeFloor, sitDown } from "./floor.ts";
import { keepToasts } from "./kept-toasts.ts";
import type { Operator } from "./operator.ts";

const hall = testHall({ environment: { DEVELOPMENT: "true" } });
let receiver: Receiver | undefined;
afterEach(() => receiver?.stop());

const rows = (hands: Operator) => hands.page.locator("[data-side=main] .grid .rows .row[aria-rowindex]");
const statuses = async (hands: Operator) =>
  (await hands.page.locator("[data-side=main] .grid .rows .row .st").allInnerTexts()).map((text) => text.trim());

test("by keys only: a merchant's failed callbacks are sent again and seen to arrive, its statement is printed and saved as a workbook", async () => {
  const at = await makeFloor(hall, 3, 0, { loopback_callbacks: true, recall_seconds: 0 });
  await atHour(hall, at.office, 12);
  const { office, merchant } = at;
  let refuses = true;
  const { secret } = merchant as SigningMerchant; // as makeFloor makes it
  const taken = await startReceiver({ secretOf: () => secret, fault: () => (refuses ? "refused" : null) });
  receiver = taken;
  const { owner } = hall.db;
  await owner.query("update merchants set callback_url = $2 where id = $1", [merchant.id, taken.url("shop")]);
  const { rows: open } = await owner.query<{ uuid: string; version: number }>(
    "select id as uuid, version from transactions where tenant_id = $1",
    [office.tenant.id],
  );
  await withdrawalHandlers.rejectWithdrawals(office.call(), body({ rows: open, reason: { code: "duplicate" } }));
  // the first attempts, in vain; no other comes by itself while this test lasts
  await expect
    .poll(async () => (await owner.query("select from callback_attempts where tenant_id = $1 and n = 1", [office.tenant.id])).rowCount)
    .toBe(3);
  await owner.query("update outbox set next_attempt_at = now() + interval '1 day' where tenant_id = $1 and state = 'pending'", [
    office.tenant.id,
  ]);
  const hands = await sitDown(hall, { operator: await hall.employ(office, "Farah Aziz", permissions) });
  const { page } = hands;
  await hands.pressAll("g", "m");
  await page.getByRole("grid", { name: "Merchants" }).waitFor();
  await rows(hands).first().waitFor();
  await hands.watch();
  /** On the screen so far the focus was never lost; the frame in which one screen takes the place of another is not counted. */
  const goTo = async (list: string, ...keys: string[]) => {
    expect(await hands.watched()).toEqual({ onBody: 0, pointers: 0 });
    for (const key of keys) await page.keyboard.press(key);
    await page.getByRole("grid", { name: list }).waitFor();
    await page.evaluate(() => (window.watch.onBody = 0));
  };
  await goTo("Merchant callbacks", "Shift+W");
  await expect.poll(() => statuses(hands)).toEqual(["Failing", "Failing", "Failing"]);
  expect(new URL(page.url()).searchParams.get("merchant_code")).not.toBeNull();
  await page.locator(".callback-tries li", { hasText: "HTTP 503" }).first().waitFor();
  await page.locator(".callback-tries pre", { hasText: "try again later" }).first().waitFor();
  expect(await faultsInBothThemes(page)).toEqual([]);

  refuses = false;
  await page.keyboard.press("Shift+A");
  await page.getByRole("dialog", { name: "Send again all that failed since" }).waitFor();
  await page.keyboard.press("Enter");
  const sure = page.getByRole("dialog", { name: "Send failed callbacks again: 3" });
  await sure.waitFor();
  expect(taken.effects).toHaveLength(0);
  await page.keyboard.press("Control+Enter");
  await hands.said(/Callbacks on their way again: 3/);
  // the rows change by themselves
  await expect.poll(() => statuses(hands)).toEqual(["Delivered", "Delivered", "Delivered"]);
  expect(taken.effects).toHaveLength(3);
  expect(taken.forged).toBe(0);

  // the month, printed
  await goTo("Merchant transactions", "g", "x");
  await expect.poll(() => rows(hands).count()).toBe(7);
  await page.keyboard.press("p");
  await page.locator(".whole-statement").waitFor();
  const dialog = page.getByRole("dialog", { name: "Statement" });
  expect(await dialog.innerText()).toMatch(/Opening balance\s+0\.00\s+Closing balance\s+1,000,000\.00/);
  expect(await faultsInBothThemes(page)).toEqual([]);
  await page.evaluate(() => {
    window.print = () => void document.documentElement.setAttribute("data-printed", "");
  });
  await page.keyboard.press("Control+Enter");
  await page.locator("html[data-printed]").waitFor();
  const printed = await pagesOf(await page.pdf({ preferCSSPageSize: true }));
  expect(printed.length).toBeGreaterThan(0);
  for (const [n, text] of printed.entries()) {
    expect(text).toContain(merchant.name);
    expect(text).toContain("MYR");
    expect(text).toContain(`${n + 1} / ${printed.length}`);
  }
  expect(printed.join(" ")).toContain("Closing balance");
  expect(printed.join(" ")).not.toContain("Merchant callbacks");
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });

  // and saved
  await keepToasts(page);
  await page.keyboard.press("Shift+O");
  await expect
    .poll(() => page.evaluate(() => window.toasted?.map(({ title, text }) => `${title}: ${text}`)))
    .toEqual([expect.stringMatching(/file ready: 7 rows/)]);
  const [download] = await Promise.all([page.waitForEvent("download"), hands.pressAll("y", "e")]);
  const { rows: written, about } = await readFile(await readBytes(await download.path()));
  const types = written.map((row) => row["Type"]);
  expect([types[0], types[8], types.length]).toEqual(["Opening balance", "Closing balance", 12]);
  expect(written[8]?.["Balance after"]).toBe(1_000_000);
  expect(about).toMatchObject({ Rows: "7", Currency: "MYR" });
  expect(await hands.watched()).toEqual({ onBody: 0, pointers: 0 });
});

test("a callback address that was disabled is told beside the counters, which lead to its merchant", async () => {
  const at = await makeFloor(hall, 0);
  const other = await makeMerchant(hall.db, at.office.tenant);
  await hall.db.owner.query("update merchants set callback_url = 'https://shop.example/callbacks' where id = $1", [other.id]);
  const { page } = await sitDown(hall, { operator: await hall.employ(at.office, "Farah Aziz", permissions) });
  const told = page.getByRole("button", { name: "Callbacks disabled: 1" });
  expect(await told.count()).toBe(0);
  await hall.db.owner.query(
    `insert into callback_endpoints (tenant_id, merchant_id, failing_since, disabled_at)
      values ($1, $2, now() - interval '5 days', now())
      on conflict (tenant_id, merchant_id) do update set failing_since = excluded.failing_since, disabled_at = excluded.disabled_at`,
    [at.office.tenant.id, other.id],
  );
  await page.reload();
  await told.click();
  await page.getByRole("grid", { name: "Merchants" }).waitFor();
  await expect.poll(() => page.locator(".grid .rows .row[aria-rowindex]").count()).toBe(1);
  await page.locator(".detail-pane", { hasText: other.name }).waitFor();
});
