import { expect, test } from "vitest";
import { makeAccount, makeGroup } from "../support/factories.ts";
import { testHall } from "../support/hall.ts";
import { makeFloor, sitDown } from "./floor.ts";

const hall = testHall();

test("an operator marks all, moves one to another account, leaves one out and confirms: four are approved, what was left out waits and stays marked, by keys alone", async () => {
  const at = await makeFloor(hall, 5);
  const second = await makeAccount(hall.db, at.office.tenant, { code: "ZZZ-02" });
  await makeGroup(hall.db, at.office.tenant, [second], [at.merchant]);
  const hands = await sitDown(hall, at);
  const { page } = hands;
  const composer = page.getByRole("dialog", { name: "Payout composer" });
  const why = (text: string) => composer.locator("[role=row] .composer-why", { hasText: text });
  // the rows are there, and the keys act on them
  await page.locator("[data-side=main] [role=grid]:focus").waitFor();
  await page.locator(".decide .amt", { hasText: "100.00" }).waitFor();
  await hands.watch();
  await page.keyboard.press("Control+a");
  await page.locator(".stat .aim.many", { hasText: "5" }).waitFor();
  await page.keyboard.press("Shift+C");
  // all fit one account: the line of that account, then its five
  await composer.locator("[role=row]", { hasText: "5 withdrawals" }).waitFor();
  await expect.poll(() => composer.locator(".composer-account").count()).toBe(2);

  const all = await composer.locator("[role=row]", { hasText: "5 withdrawals" }).innerText();
  const other = all.trim().startsWith("1") ? "2" : "1";
  await hands.pressAll("j", other);
  await why("moved by you").waitFor();
  await hands.said(/Moved to ZZZ-02|Moved to ACC-/);
  // Escape asks before the adjustment is lost, and a second one goes on adjusting
  await hands.press("Escape");
  await page.getByRole("alertdialog").waitFor();
  await hands.press("Escape");
  await page.getByRole("alertdialog").waitFor({ state: "detached" });

  // one that was not moved is left out; accounts stand in the order of their keys
  if (other === "1") await page.keyboard.press("Shift+G");
  else await hands.pressAll("g", "g", "j");
  await hands.press("x");
  await composer.locator("[role=row]", { has: page.locator(".composer-out") }).waitFor();
  await composer.locator(".btn.go:not([aria-disabled])", { hasText: "Approve 4 withdrawals" }).waitFor();
  // plain Enter pays nothing
  await hands.press("Enter");
  await hands.press("Enter", { mod: true });
  await composer.locator(".composer-counts", { hasText: "Done 4" }).waitFor();
  await expect.poll(() => why("approved").count()).toBe(4);
  await hands.press("Escape");
  await composer.waitFor({ state: "detached" });

  // what was left out is still in the list, and still marked
  await page.locator(".stat .aim.many", { hasText: "1 marked" }).waitFor();
  expect(await hands.watched()).toEqual({ onBody: 0, pointers: 0 });
  const { rows } = await hall.db.owner.query<{ status: string; n: number; accounts: number }>(
    "select status, count(*)::integer as n, count(distinct payment_account_id)::integer as accounts from transactions where tenant_id = $1 and kind = 'withdrawal' group by status order by status",
    [at.office.tenant.id],
  );
  const paid = rows.filter(({ status }) => status === "approved" || status === "completed");
  expect(paid.reduce((n, row) => n + row.n, 0)).toBe(4);
  expect(rows.find(({ status }) => status === "pending")?.n).toBe(1);
});

test("all that match, far more than are loaded, are composed; from tier 2 on the sum is repeated, and nothing is paid while it is not", async () => {
  const many = 230;
  const at = await makeFloor(hall, 0, 0, { tiers: { MYR: { confirm_from: "5000.00", second_from: "90000.00" } } });
  for (let n = 1; n <= many; n++) {
    // oxlint-disable-next-line no-await-in-loop -- their order is the queue's
    await at.office.withdraw(at.merchant, { amount: "50.00" });
  }
  const hands = await sitDown(hall, at);
  const { page } = hands;
  const composer = page.getByRole("dialog", { name: "Payout composer" });
  const statuses = async () =>
    (
      await hall.db.owner.query<{ status: string; n: number }>(
        "select status, count(*)::integer as n from transactions where tenant_id = $1 and kind = 'withdrawal' group by status order by status",
        [at.office.tenant.id],
      )
    ).rows;
  await page.locator("[data-side=main] [role=grid]:focus").waitFor();
  await page.locator(".decide .amt", { hasText: "50.00" }).waitFor();
  await page.keyboard.press("Control+a");
  await page.locator(".stat .aim.many").waitFor();
  // once more: also those that are not loaded
  await page.keyboard.press("Control+a");
  await page.locator(".stat .aim.many", { hasText: String(many) }).waitFor();
  await page.keyboard.press("Shift+C");
  await composer.locator(".btn.go:not([aria-disabled])", { hasText: `Approve ${many} withdrawals` }).waitFor();
  // each alone asks for nothing: the sum does
  await composer.locator(".composer-tiers .is-here", { hasText: "T2" }).waitFor();
  await hands.press("Enter", { mod: true });
  const sheet = page.getByRole("alertdialog");
  await sheet.waitFor();
  expect(await sheet.innerText()).toContain("11,500.00");
  // neither key pays what has not been repeated
  await hands.press("Escape");
  await sheet.waitFor({ state: "detached" });
  expect(await statuses()).toEqual([{ status: "pending", n: many }]);
  await hands.press("Enter", { mod: true });
  await sheet.waitFor();
  await hands.press("Enter", { mod: true });
  // many acts, one slice after the other: the test's own limit is theirs
  await composer.locator(".composer-counts", { hasText: `Done ${many}` }).waitFor({ timeout: 0 });
  await expect.poll(async () => (await statuses()).map(({ status }) => status)).not.toContain("pending");
});
