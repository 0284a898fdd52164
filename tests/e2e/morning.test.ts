import { expect, test } from "vitest";
import { withdrawalHandlers } from "../../src/server/payments/withdrawals.ts";
import { shiftHandlers } from "../../src/server/shifts/shifts.ts";
import { aLine, bookLine } from "../support/bank-lines.ts";
import { testHall } from "../support/hall.ts";
import { body } from "../support/payments.ts";
import { atRest } from "./at-rest.ts";
import { faultsInBothThemes } from "./faults.ts";
import { atHour, makeFloor, sitDown } from "./floor.ts";
import { keepToasts, keptToasts } from "./kept-toasts.ts";
import { saveView } from "./save-view.ts";

const hall = testHall();
const rights = [
  "pas.report.account-daily.view",
  "pas.account.transactions.view",
  "pas.account.accounts.view",
  "pas.transaction.withdrawals.view",
  "pas.transaction.deposits.view",
  "pas.transaction.bank-transactions.view",
];

test("a supervisor's morning by keys alone: the hand-over read, three views pinned, an alarm, reports compared, a difference opened to its entry", async () => {
  const at = await makeFloor(hall, 3);
  const { office, merchant, account } = at;
  await atHour(hall, office, 12);
  const arrived = await office.credited(merchant, { amount: "400.00", customer_name: "Nurul Aina" });
  // the bank says otherwise
  await bookLine({ db: hall.db, tenant: office.tenant }, account.id, aLine({ time: new Date(), balance: "1.00" }));

  // the night left a note, and a payout that it put off
  const put = await office.claimed(merchant, { amount: "75.00" });
  const why = "Its bank calls back at nine";
  await withdrawalHandlers.deferWithdrawals(office.call(), body({ rows: [{ uuid: put.uuid, version: put.version }], reason: why }));
  await shiftHandlers.handOver(office.call(), body({ note: "Look at the account first" }));

  const supervisor = await hall.employ(office, "Suresh Pillai", rights);
  const hands = await sitDown(hall, { operator: supervisor }, "us", { viewport: { width: 1920, height: 1080 } });
  const { page } = hands;
  await keepToasts(page);
  await hands.watch();

  // the hand-over is there at sign-in
  const left = page.getByRole("dialog", { name: "Handed over by others" });
  await left.getByText("Look at the account first").waitFor();
  await left.getByText(why).waitFor();
  expect(await faultsInBothThemes(page)).toEqual([]);
  await hands.press("Escape");
  await left.waitFor({ state: "detached" });

  // three views into the counters
  const open = async (keys: readonly string[], path: string, name: string) => {
    await hands.pressAll(...keys);
    await page.waitForURL(({ pathname }) => pathname === path);
    await page.getByRole("grid", { name }).waitFor();
    await atRest(page);
  };
  const pin = async (name: string) => {
    await saveView(hands, name, "7");
    await hands.pressAll("w", "v");
    await hands.said(new RegExp(`Pinned: ${name}`));
  };
  await pin("Payouts");
  await open(["g", "d"], "/payment/deposits", "Deposits");
  await pin("Paid in");
  await open(["g", "b"], "/payment/bank-transactions", "Bank transactions");
  await pin("Lines");
  const pinned = page.locator(".side .pinned button");
  await expect.poll(() => pinned.count()).toBe(3);

  // an alarm at one more payout than there are
  await open(["g", "1"], "/payment/withdrawals", "Withdrawals");
  await hands.pressAll("w", "a");
  await page.getByRole("dialog", { name: "When should “Payouts” give the alarm?" }).waitFor();
  await hands.press("Enter");
  await page.getByRole("dialog", { name: "With more rows than" }).waitFor();
  await page.keyboard.type("4");
  await hands.press("Enter");
  await hands.said(/Pinned: Payouts/);
  await atRest(page);
  expect(await page.locator(".side .pinned .past").count()).toBe(0);
  const { id } = await office.withdraw(merchant);
  hall.server().deps.publisher.changed(office.tenant.id, "withdraw", [id]);
  await hall.server().deps.publisher.flush();
  await page.locator(".side .pinned .past", { hasText: "Payouts" }).waitFor();
  await expect.poll(async () => (await keptToasts(page)).map(({ title }) => title)).toContain("Payouts: past its threshold");

  // the week of the accounts, against another period
  await open(["g", "r"], "/payment/payment-account-daily-reports", "Payment account daily reports");
  const row = page.locator("[data-side=main] .grid .rows .row[aria-rowindex]").first();
  await expect.poll(() => row.innerText()).toContain("400.00");
  await hands.press("p");
  await page.locator(".sheet input").waitFor();
  await page.keyboard.type("2026-01-01..2026-01-31");
  await hands.press("Enter");
  await page.locator(".report-compare thead", { hasText: "01-01–01-31" }).waitFor();

  // to the difference, and what the ledger has of that day, beside
  await page.locator(".st.pending", { hasText: "−" }).first().waitFor();
  await hands.press("n");
  await hands.pressAll(...Array.from({ length: 14 }, () => "ArrowRight"));
  await hands.press("Enter", { mod: true });
  const entry = page.locator("[data-side=beside] .grid .rows .row[aria-rowindex]", { hasText: arrived.txn_no });
  await expect.poll(() => entry.innerText()).toContain("400.00");
  expect(await faultsInBothThemes(page)).toEqual([]);
  expect(await hands.watched()).toMatchObject({ pointers: 0 });
});
