import { readFile as readBytes } from "node:fs/promises";
import ExcelJS from "exceljs";
import { expect, test } from "vitest";
import { bookMany } from "../support/bank-lines.ts";
import { readFile } from "../support/exported.ts";
import { testHall } from "../support/hall.ts";
import { faultsInBothThemes } from "./faults.ts";
import { makeFloor, sitDown } from "./floor.ts";
import { keepToasts } from "./kept-toasts.ts";
import type { Operator } from "./operator.ts";

const hall = testHall();
const eightHours = 8 * 3_600_000;

const rows = (hands: Operator) => hands.page.locator(".grid .rows .row[aria-rowindex]");

async function exported(hands: Operator) {
  const [download] = await Promise.all([hands.page.waitForEvent("download"), hands.page.keyboard.press("Shift+E")]);
  const book = new ExcelJS.Workbook();
  await book.xlsx.readFile(await download.path());
  const [sheet, about] = book.worksheets;
  if (!sheet || !about) throw new Error("two sheets are expected");
  const titles = (sheet.getRow(1).values as string[]).slice(1); // the first is of no column
  const column = (title: string) => {
    const at = titles.indexOf(title) + 1;
    return Array.from({ length: sheet.rowCount - 1 }, (_, row) => sheet.getRow(row + 2).getCell(at).value);
  };
  const lines = Object.fromEntries(
    Array.from({ length: about.rowCount }, (_, row) => [1, 2].map((at) => String(about.getRow(row + 1).getCell(at).value))),
  ) as Record<string, string>; // pairs
  return { name: download.suggestedFilename(), titles, column, lines };
}

test("Shift+E makes a file of the loaded rows, or of the marked ones, as they stand on screen; each is in the audit log", async () => {
  const at = await makeFloor(hall, 3);
  const hands = await sitDown(hall, at);
  const { page } = hands;
  await hands.pressAll("g", "w");
  await rows(hands).first().waitFor();
  const shown = await page.locator(".grid [role=columnheader]").allInnerTexts();
  const [all] = await Promise.all([exported(hands), hands.said(/Exported 3 rows/)]);
  expect(all.name).toMatch(/^withdrawals \d{4}-\d\d-\d\d \d{4}\.xlsx$/);
  // what is on screen first, and then what is aside there
  expect(["Marks", ...all.titles].slice(0, shown.length)).toEqual(shown.map((title) => title.trim()));
  expect(all.titles).toEqual(
    expect.arrayContaining(["Account number", "Member", "Reference", "Approved (+08:00)", "Approved by", "Reason"]),
  );
  expect(all.column("Amount")).toEqual([100, 100, 100]);
  const { rows: kept } = await hall.db.owner.query<{ txn_no: string; created_at: Date }>(
    "select txn_no, created_at from transactions where tenant_id = $1 order by created_at",
    [at.office.tenant.id],
  );
  expect(all.column("Txn no").toSorted()).toEqual(kept.map(({ txn_no }) => txn_no).toSorted());
  const clock = kept.map(({ created_at }) => new Date(created_at.getTime() + eightHours));
  expect(all.column("Created (+08:00)")).toEqual(clock);
  expect(all.lines).toMatchObject({ Rows: "3", "Exported by": "Nurul Aisyah", "Time zone": "+08:00", Currency: "MYR" });
  await hands.press("x");
  await page.locator(".stat .aim.many").waitFor();
  const marked = await exported(hands);
  expect(marked.column("Txn no")).toHaveLength(1);
  expect(marked.lines["Rows"]).toBe("1 marked row");
  const { rows: noted } = await hall.db.owner.query(
    "select actor_id, after->>'rows' as rows from audit_entries where tenant_id = $1 and act = 'withdrawal.export' order by id",
    [at.office.tenant.id],
  );
  expect(noted).toEqual([3, 1].map((count) => ({ actor_id: at.operator.id, rows: String(count) })));
});

test("times are dates on the tenant's clock; without the right the key says which one is missing, and nothing is made", async () => {
  const at = await makeFloor(hall, 1);
  const rights = ["pas.transaction.withdrawals.view", "pas.account.accounts.view", "pas.account.accounts.export"];
  const hands = await sitDown(hall, { operator: await hall.employ(at.office, "Siti Rahmah", rights) });
  const { page } = hands;
  await hands.pressAll("g", "a");
  await page.getByRole("grid", { name: "Payment accounts" }).waitFor();
  await rows(hands).first().waitFor();
  const { titles, column } = await exported(hands);
  const timed = titles.at(-1) ?? "";
  expect(timed).toMatch(/\(\+08:00\)$/);
  const { rows: kept } = await hall.db.owner.query<{ created_at: Date; code: string }>(
    "select code, created_at from payment_accounts where tenant_id = $1",
    [at.office.tenant.id],
  );
  expect(column(titles.find((title) => title === "Code") ?? "")).toEqual(kept.map(({ code }) => code));
  expect(column(timed)).toEqual(kept.map(({ created_at }) => new Date(created_at.getTime() + eightHours)));
  await hands.pressAll("g", "w");
  await page.getByRole("grid", { name: "Withdrawals" }).waitFor();
  await rows(hands).first().waitFor();
  let made = 0;
  page.on("download", () => (made += 1));
  await page.keyboard.press("Shift+E");
  await hands.said(/pas\.transaction\.withdrawals\.export/);
  expect(made).toBe(0);
});

test("of more rows than are loaded the server makes the file: how far it is stands on the bar, a reload loses nothing, and keys save and delete it", async () => {
  const at = await makeFloor(hall, 0);
  await bookMany(at.office, at.account.id, 20_000, "export");
  const rights = ["pas.transaction.bank-transactions.view", "pas.transaction.bank-transactions.export"];
  const operator = await hall.employ(at.office, "Siti Rahmah", rights);
  const hands = await sitDown(hall, { operator }, "us", { path: "/payment/bank-transactions?sort=-amount" });
  const { page } = hands;
  await rows(hands).first().waitFor();
  await keepToasts(page);
  await page.keyboard.press("Shift+E");
  await hands.said(/the server is creating the file/);
  const bar = page.locator(".export-under-way");
  await bar.waitFor();
  await page.reload();
  await expect
    .poll(() => page.evaluate(() => window.toasted?.map(({ title, text }) => `${title}: ${text}`)), { timeout: 60_000 })
    .toEqual([expect.stringMatching(/^Bank transactions: file ready: 20,000 rows, [\d.]+ (kB|MB)\. Download with /)]);
  await bar.waitFor({ state: "detached" });
  const [download] = await Promise.all([page.waitForEvent("download"), hands.pressAll("y", "e")]);
  const { rows: written, about } = await readFile(await readBytes(await download.path()));
  expect(written).toHaveLength(20_000);
  const amounts = written.map((row) => Number(row["Amount"]));
  expect(amounts).toEqual(amounts.toSorted((one, other) => other - one));
  expect(about).toMatchObject({ Rows: "20,000", "Exported by": "Siti Rahmah" });
  await hands.pressAll("w", "e");
  const sheet = page.getByRole("dialog", { name: "Your exports" });
  await sheet.getByRole("button", { name: /^Download/ }).waitFor();
  expect(await faultsInBothThemes(page)).toEqual([]);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toMatch(/^Delete/);
  await page.keyboard.press("Enter");
  // plain Enter does not say yes to what cannot be undone
  await page.getByText("This cannot be undone.").waitFor();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Control+Enter");
  await sheet.getByText("No exports yet.").waitFor();
  await page.keyboard.press("Escape");
  await sheet.waitFor({ state: "detached" });
});
