import { expect, test } from "vitest";
import { testHall } from "../support/hall.ts";
import { atHour, makeFloor, sitDown } from "./floor.ts";
import type { Operator } from "./operator.ts";

const hall = testHall();

const rights = ["pas.merchant.transactions.view", "pas.transaction.withdrawals.view"];
const rows = (hands: Operator) => hands.page.locator("[data-side=main] .grid .rows .row[aria-rowindex]");
/** What the totals row says of a column, and how far its figure ends from where the column's own do (px). */
const total = (hands: Operator, column: string) =>
  hands.page.evaluate((title) => {
    const head = [...document.querySelectorAll<HTMLElement>(".hd [role=columnheader]")].find(
      (cell) => cell.querySelector(".title")?.textContent === title,
    );
    const place = /\bc\d+\b/.exec(head?.className ?? "")?.[0] ?? "none";
    const cell = document.querySelector<HTMLElement>(`.totals .${place}`);
    const apart = (head?.getBoundingClientRect().right ?? 0) - (cell?.getBoundingClientRect().right ?? 1);
    return { text: cell?.textContent ?? "", apart };
  }, column);
const texts = async (hands: Operator, ...columns: string[]) => {
  const told: string[] = [];
  for (const column of columns) told.push((await total(hands, column)).text);
  return told;
};
const balances = ["Balance before", "Out", "In", "Balance after"];

test("a statement is read by keys: its dates, its totals beneath their columns, and a line's withdrawal beside it", async () => {
  const at = await makeFloor(hall, 2);
  await atHour(hall, at.office, 12);
  const hands = await sitDown(hall, { operator: await hall.employ(at.office, "Farah Aziz", rights) });
  const { page } = hands;
  await rows(hands).first().waitFor();
  await hands.pressAll("g", "x");
  await page.getByRole("grid", { name: "Merchant transactions" }).waitFor();
  await expect.poll(() => rows(hands).count()).toBe(3);
  await hands.watch();

  // two withdrawals held of what the wallet opened with today
  await expect.poll(() => texts(hands, ...balances)).toEqual(["0.00", "200.00", "1,000,000.00", "999,800.00"]);
  for (const column of balances) expect((await total(hands, column)).apart, column).toBeCloseTo(0, 0);
  expect(await page.locator(".totals [role=status]").innerText()).toContain("Balance after 999,800.00");

  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  expect(await page.locator(".printed tfoot td").allTextContents()).toEqual(expect.arrayContaining(["Total", "200.00", "999,800.00"]));
  await page.evaluate(() => dispatchEvent(new Event("afterprint")));

  // the cursor stands in the column of dates
  await hands.press("f");
  await page.locator(".sheet input").waitFor();
  await page.keyboard.type("2020-01-01");
  await hands.press("Enter");
  await page.getByText("Nothing matches these filters.").waitFor();
  await expect.poll(() => texts(hands, ...balances)).toEqual(["0.00", "0.00", "0.00", "0.00"]);
  expect(new URL(page.url()).searchParams.get("created_at")).toBe("2020-01-01");
  await page.keyboard.press("Shift+Backspace");
  await expect.poll(() => rows(hands).count()).toBe(3);
  await page.locator(".chip-ask", { hasText: "today" }).waitFor();

  // nothing is above it, and nothing is done to a line
  await hands.press("u");
  await hands.said(/There is no level above this list\./);
  expect(await page.locator(".detail .acts").isVisible()).toBe(false);

  const txn = await hands.target();
  await hands.press("Enter", { mod: true });
  await page.locator("[data-side=beside] .decide", { hasText: txn.slice(-6) }).waitFor();
  expect(await hands.watched()).toEqual({ onBody: 0, pointers: 0 });
});
