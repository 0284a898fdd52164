import { expect, test } from "vitest";
import { bookLine, aLine } from "../support/bank-lines.ts";
import { testHall } from "../support/hall.ts";
import { body } from "../support/payments.ts";
import { withdrawalHandlers } from "../../src/server/payments/withdrawals.ts";
import { atRest } from "./at-rest.ts";
import { faultsInBothThemes } from "./faults.ts";
import { atHour, makeFloor, sitDown } from "./floor.ts";
import { keepToasts } from "./kept-toasts.ts";

const hall = testHall();
const rights = [
  "pas.report.account-daily.view",
  "pas.report.merchant-daily.view",
  "pas.report.cash-flow.view",
  "pas.account.transactions.view",
  "pas.merchant.transactions.view",
  "pas.transaction.deposits.view",
];

/** A floor whose account took two deposits and paid one withdrawal today. */
async function moved() {
  const at = await makeFloor(hall, 0);
  await atHour(hall, at.office, 12);
  await at.office.credited(at.merchant, { amount: "400.00", customer_name: "Nurul Aina" });
  await at.office.credited(at.merchant, { amount: "150.00", customer_name: "Lim Siew Ching" });
  const paid = await at.office.claimed(at.merchant, { amount: "90.00" });
  const ref = { uuid: paid.uuid, version: paid.version, confirmed: { amount: paid.amount, holder: paid.holder } };
  await withdrawalHandlers.approveWithdrawals(at.office.call(), body({ rows: [ref] }));
  const hands = await sitDown(hall, { operator: await hall.employ(at.office, "Suresh Pillai", rights) });
  await keepToasts(hands.page);
  return { ...at, hands, page: hands.page };
}

test("a supervisor's morning by keys: the day compared, a figure opened to its entries and beside, a difference found, and today is live", async () => {
  const { office, account, merchant, hands, page } = await moved();
  await hands.pressAll("g", "r");
  await page.getByRole("grid", { name: "Payment account daily reports" }).waitFor();
  const row = page.locator("[data-side=main] .grid .rows .row[aria-rowindex]").first();
  await row.waitFor();
  await atRest(page);
  await expect.poll(() => row.innerText()).toContain("550.00");
  await page.locator(".totals .proof.pass").waitFor({ state: "attached" });
  expect(await page.locator(".report-chart .uplot canvas").count()).toBe(1);
  expect(await faultsInBothThemes(page)).toEqual([]);

  // to the amount of the deposits: code, day, opening, number, amount
  await hands.pressAll("ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight");
  const entries = page.locator("[data-figure=deposits]");
  await entries.locator(".report-sum", { hasText: "550.00" }).waitFor();
  await entries.getByText("Entries: 2").waitFor();
  expect(await entries.locator("table").last().innerText()).toMatch(/Nurul Aina\s+400\.00[\s\S]*Lim Siew Ching\s+150\.00/);

  // the same entries where they moved the account, beside the report
  await hands.press("Enter", { mod: true });
  const beside = page.locator("[data-side=beside] .grid .rows .row[aria-rowindex]");
  await expect.poll(() => beside.count()).toBe(2);
  await hands.pressAll("w", "s");
  await expect.poll(() => page.locator("[data-side=beside]").count()).toBe(0);

  await hands.watch();

  // today is live: what arrives is there without a key
  const arrived = await office.credited(merchant, { amount: "25.00", customer_name: "Goh Kah Hoe" });
  hall.server().deps.publisher.changed(office.tenant.id, "deposit", [arrived.uuid]);
  await hall.server().deps.publisher.flush();
  await expect.poll(() => row.innerText()).toContain("575.00");
  await entries.locator(".report-sum", { hasText: "575.00" }).waitFor();

  // compared with another period
  await hands.press("p");
  await page.locator(".sheet input").waitFor();
  await page.keyboard.type("2026-01-01..2026-01-31");
  await hands.press("Enter");
  await page.locator(".report-compare thead", { hasText: "01-01–01-31" }).waitFor();
  expect(new URL(page.url()).searchParams.get("against")).toBe("2026-01-01..2026-01-31");

  // the period before has no movement, and the way back is the same
  await page.keyboard.press("Shift+b");
  await page.getByText("Nothing matches these filters.").waitFor();
  await page.keyboard.press("Shift+n");
  await row.waitFor();

  // a bank that says otherwise
  await hands.press("n");
  await hands.said(/No row has a difference\./);
  await bookLine({ db: hall.db, tenant: office.tenant }, account.id, aLine({ time: new Date(), balance: "1.00" }));
  await page.keyboard.press("Shift+r");
  await page.locator(".st.pending", { hasText: "−" }).first().waitFor();
  await hands.press("n");
  // and what the ledger has of that day, beside: at the last column, of no figure, all of its entries
  await hands.pressAll(...Array.from({ length: 14 }, () => "ArrowRight"));
  await hands.press("Enter", { mod: true });
  await expect.poll(() => beside.count()).toBeGreaterThan(3);
  const entry = page.locator("[data-side=beside] .grid .rows .row[aria-rowindex]", { hasText: arrived.txn_no });
  await expect.poll(() => entry.innerText()).toContain("25.00");
  expect(await hands.watched()).toEqual({ onBody: 0, pointers: 0 });
  await hands.pressAll("w", "s");
  await expect.poll(() => beside.count()).toBe(0);
  await hands.watch();

  // charts as tables, and the next chart
  await page.keyboard.press("Shift+x");
  await page.locator(".report-table table").waitFor();
  await page.keyboard.press("Shift+c");
  await page.locator(".report-closings", { hasText: account.code }).waitFor();
  // from the week to its month, and on to today
  await page.keyboard.press("Shift+m");
  await expect.poll(() => new URL(page.url()).searchParams.get("day")).toMatch(/^\d{4}-\d{2}$/);
  await expect.poll(() => row.innerText()).toContain("575.00");
  await page.keyboard.press("Shift+m");
  await expect.poll(() => new URL(page.url()).searchParams.get("day")).toMatch(/^\d{4}-\d{2}-\d{2}$/);
  await expect.poll(() => row.innerText()).toContain("575.00");
  expect(await hands.watched()).toEqual({ onBody: 0, pointers: 0 });
});

test("a merchant's day and the cash flow tell the same money, each by its own key", async () => {
  const { account, hands, page } = await moved();
  await hands.pressAll("g", "e");
  await page.getByRole("grid", { name: "Merchant daily reports" }).waitFor();
  const row = page.locator("[data-side=main] .grid .rows .row[aria-rowindex]").first();
  await expect.poll(() => row.innerText()).toContain("550.00");
  expect(await row.innerText()).toContain("90.00");
  expect(await faultsInBothThemes(page)).toEqual([]);
  // what was held, where there is room for it, opens the movements of the hold beside: into it, and out of it to the customer
  const viewport = page.viewportSize();
  await page.setViewportSize({ width: 2560, height: 1080 });
  await page.locator("[data-side=main] [role=columnheader]", { hasText: "Held" }).waitFor();
  for (let n = 0; n < 16 && (await page.locator("[data-figure=held]").count()) === 0; n++) {
    await hands.press("ArrowRight"); // oxlint-disable-line no-await-in-loop -- until the cursor is there
    await atRest(page); // oxlint-disable-line no-await-in-loop -- as above
  }
  await hands.press("Enter", { mod: true });
  await page.locator("[data-side=beside] .chip", { hasText: "Hold only" }).waitFor();
  await expect.poll(() => page.locator("[data-side=beside] .grid .rows .row[aria-rowindex]").count()).toBe(2);
  await hands.pressAll("w", "s");
  await expect.poll(() => page.locator("[data-side=beside]").count()).toBe(0);
  if (viewport) await page.setViewportSize(viewport);
  await hands.pressAll("g", "f");
  await page.getByRole("grid", { name: "Cash-flow reports" }).waitFor();
  await expect.poll(() => row.innerText()).toContain("550.00");
  expect(await row.innerText()).toContain("460.00");
  // what the payment group's account has left: of the row under the cursor, and of the period
  const { rows: groups } = await hall.db.owner.query<{ name: string }>(
    "select g.name from payment_groups g join payment_group_accounts l on l.group_id = g.id where l.payment_account_id = $1",
    [account.id],
  );
  const group = groups[0]?.name ?? "no group";
  await page.locator(".detail .report-closings", { hasText: group }).waitFor();
  await page.keyboard.press("Shift+c");
  await page.locator(".report-chart .report-closings", { hasText: group }).waitFor();
  expect(await page.locator(".report-chart h2").innerText()).toContain("Closing balances by payment group");
  expect(await faultsInBothThemes(page)).toEqual([]);
  await page.keyboard.press("Shift+c");
  await page.keyboard.press("Shift+c");
  // by week, and by month
  for (const digit of ["2", "3"]) {
    await hands.press(digit);
    await atRest(page);
    await expect.poll(() => row.innerText()).toContain("550.00");
  }
  expect(await faultsInBothThemes(page)).toEqual([]);
});
