import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { testHall } from "../support/hall.ts";
import type { Employee } from "../support/hall.ts";
import { makePayoutTemplate } from "../support/payout-files.ts";
import type { Floor } from "./floor.ts";
import { makeFloor, sitDown } from "./floor.ts";
import type { Operator } from "./operator.ts";

const hall = testHall();
const rights = ["view", "process", "approve", "payout-file"].map((action) => `pas.transaction.withdrawals.${action}`);
const employ = (at: Floor): Promise<Employee> =>
  hall.employ(at.office, "Siti Rahmah", [...rights, "profile.view", "pas.transaction.payout-templates.view"]);

async function atWork(at: Floor): Promise<Operator> {
  const hands = await sitDown(hall, { operator: await employ(at) });
  await hands.page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await hands.page.locator(".grid .rows .row[aria-rowindex]").first().waitFor();
  return hands;
}
const copied = ({ page }: Operator) => page.evaluate(() => navigator.clipboard.readText());
const lay = ({ page }: Operator, text: string) => page.evaluate((slip) => navigator.clipboard.writeText(slip), text);
const marked = ({ page }: Operator) => page.locator(".bank-fields [aria-current]");
async function rowsOf(at: Floor) {
  const { rows } = await hall.db.owner.query<{
    txn_no: string;
    account_number: string;
    holder: string;
    reference_no: string | null;
    amount: string;
  }>(
    "select txn_no, account_number, holder, reference_no, amount::numeric(20, 2)::text as amount from transactions where tenant_id = $1 order by created_at",
    [at.office.tenant.id],
  );
  return rows;
}

test("by keys alone: y y copies amount, payee, account and reference in turn, and another row begins anew", async () => {
  const at = await makeFloor(hall, 2);
  const hands = await atWork(at);
  await hands.watch();
  await expect.poll(() => hands.page.locator(".bank-fields button").count()).toBe(4);
  const target = await hands.target();
  const row = (await rowsOf(at)).find(({ txn_no }) => txn_no === target);
  for (const [field, text] of [
    ["Amount", "100.00"],
    ["Payee", row?.holder],
    ["Account", row?.account_number],
    ["Reference", row?.txn_no],
  ] as const) {
    await hands.pressAll("y", "y");
    await expect.poll(() => copied(hands)).toBe(text);
    await expect.poll(() => marked(hands).innerText()).toContain(field);
    await hands.said(new RegExp(`${field} copied`));
  }
  await hands.pressAll("y", "y", "j");
  await expect.poll(() => marked(hands).count()).toBe(0);
  await lay(hands, "");
  await hands.pressAll("y", "y");
  await expect.poll(() => marked(hands).innerText()).toContain("Amount");
  await expect.poll(() => copied(hands)).toBe("100.00");
  expect(await hands.watched()).toEqual({ onBody: 0, pointers: 0 });
});

test("by keys alone: a slip that fits is taken by Enter, one of another row or amount only by Control+Enter after it said so", async () => {
  const at = await makeFloor(hall, 2);
  const hands = await atWork(at);
  const { page } = hands;
  await hands.press("t");
  await hands.said(/claimed/i);
  const target = await hands.target();
  const [mine, other] = (await rowsOf(at)).toSorted((a) => (a.txn_no === target ? -1 : 1));
  const wrong = `Reference No: FT1\nAmount: RM 1,000.00\nRecipient Reference: ${other?.txn_no}`;
  await lay(hands, wrong);
  await hands.press("v", { mod: true });
  await page.locator(".slip [role=alert]").waitFor();
  expect(await page.locator(".slip tr.is-different th").allInnerTexts()).toEqual(["Reference", "Amount"]);
  await hands.press("Enter");
  await page.locator(".slip").waitFor();
  await hands.press("Escape");
  await expect.poll(() => page.locator(".slip").count()).toBe(0);
  expect((await rowsOf(at)).map(({ reference_no }) => reference_no)).toEqual([null, null]);

  await lay(hands, `Reference No: FT24110001\nAmount: RM 100.00\nRecipient Reference: ${mine?.txn_no}`);
  await hands.pressAll("y", "p");
  await page.locator(".slip textarea").waitFor();
  await hands.press("v", { mod: true });
  await expect.poll(() => page.locator(".slip tr.is-equal th").allInnerTexts()).toEqual(["Reference", "Amount"]);
  await hands.press("Enter");
  await hands.said(/FT24110001 saved/);
  expect((await rowsOf(at)).find(({ txn_no }) => txn_no === target)?.reference_no).toBe("FT24110001");
});

test("by keys alone: a template by its digit, the preview, the file; a second time it warns with who and when", async () => {
  const at = await makeFloor(hall, 2);
  await makePayoutTemplate(hall.db, at.office.tenant, { name: "Maybank M2E" });
  const hands = await atWork(at);
  const { page } = hands;
  await hands.press("t");
  await hands.said(/claimed/i);
  const target = await hands.target();
  const row = (await rowsOf(at)).find(({ txn_no }) => txn_no === target);
  await page.keyboard.press("Shift+P");
  await page.getByText("which template?").waitFor();
  await hands.press("1");
  await page.locator(".sheet-lines").waitFor();
  expect(await page.locator(".sheet-lines").innerText()).toContain("Account,Name,Amount,Reference");
  const [download] = await Promise.all([page.waitForEvent("download"), hands.press("Enter", { mod: true })]);
  expect(await readFile(await download.path(), "utf8")).toBe(
    `Account,Name,Amount,Reference\r\n${row?.account_number},${row?.holder},100.00,${row?.txn_no}\r\n`,
  );
  await page.locator(".detail").getByText("Payout files").waitFor();

  await page.keyboard.press("Shift+P");
  await page.getByText("which template?").waitFor();
  await hands.press("1");
  await page
    .locator(".sheet-notes")
    .getByText(/was exported on .* by Siti Rahmah: Maybank M2E/)
    .waitFor();
  await hands.press("Escape");
  await expect.poll(() => page.locator(".sheet-lines").count()).toBe(0);
});
