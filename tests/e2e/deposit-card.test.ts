import { expect, test } from "vitest";
import { depositHandlers } from "../../src/server/payments/deposits.ts";
import { bookLine, lineOf } from "../support/bank-lines.ts";
import { testHall } from "../support/hall.ts";
import { body, only } from "../support/payments.ts";
import { makeFloor, sitDown } from "./floor.ts";

const hall = testHall();

const rights = [
  ...["view", "process", "approve", "reject", "receipt"].map((act) => `pas.transaction.deposits.${act}`),
  ...["view", "match", "unmatch"].map((act) => `pas.transaction.bank-transactions.${act}`),
  "pas.transaction.withdrawals.view",
  "pas.account.accounts.view",
];

test("the card shows the best line beside the deposit; m matches it, and the last of the queue leaves the focus in its pane", async () => {
  const at = await makeFloor(hall, 0);
  const { office, merchant, account } = at;
  const operator = await hall.employ(office, "Nurul Aisyah", rights);
  const row = await office.deposit(merchant, { amount: "100.00", customer_name: "Tan Wei Jie", member: "M1" });
  const paid = only(await depositHandlers.processDeposits(office.call(), body({ rows: [{ uuid: row.id, version: row.version }] })));
  expect(paid.done).toBe(true);
  await bookLine({ db: hall.db, tenant: office.tenant }, account.id, lineOf(row, { counterparty: "TAN WEI JIE" }));
  const hands = await sitDown(hall, { operator }, "us", { path: "/payment/deposits" });
  const { page } = hands;
  await page.locator("[role=grid][aria-label=Deposits]:focus").waitFor();
  await page.locator(".proof .points").first().waitFor();
  await page.locator(".proof .aligned .col.t3", { hasText: row.txn_no }).first().waitFor();
  await page.locator(".receipts", { hasText: "Receipt unavailable" }).waitFor();
  expect(await page.locator(".receipts .ln:visible").count()).toBe(1);
  await hands.watch();

  await hands.press("m");
  await page.locator(".sheet .option input:focus").waitFor();
  // plain Enter matches nothing
  await hands.press("Enter");
  await hands.press("Enter", { mod: true });
  await hands.said(/Matched …/);
  await page.locator(".proof .ln", { hasText: account.code }).waitFor();
  expect(await page.locator(".proof .beside").count()).toBe(1);

  await hands.press("q");
  await hands.look();
  await page.locator(".acts .btn.go").focus();
  await hands.press("Enter");
  await hands.said(/approved/i);
  await page.locator(".decide").waitFor({ state: "detached" });
  await page.locator(".empty", { hasText: /All|done|Nothing/ }).waitFor();
  expect(await hands.watched()).toEqual({ onBody: 0, pointers: 0 });
});
