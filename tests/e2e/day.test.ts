import type { Page } from "playwright";
import { expect, test } from "vitest";
import { audit } from "../../src/server/audit/command.ts";
import { expireDue } from "../../src/server/payments/lapses.ts";
import { testHall } from "../support/hall.ts";
import type { Floor } from "./floor.ts";
import { atHour, makeFloor, sitDown } from "./floor.ts";
import type { Operator } from "./operator.ts";

// a database of its own: the audit reads all of it
const hall = testHall({ pool: 16 });

const may = (area: string, ...acts: string[]) => acts.map((act) => `pas.transaction.${area}.${act}`);
const rights = [
  ...may("deposits", "view", "process", "approve", "reopen"),
  ...may("withdrawals", "view", "process", "approve"),
  ...may("bank-transactions", "view", "import", "match", "ignore"),
  "pas.account.accounts.view",
];

const payers = ["Tan Wei Jie", "Nurul Izzati", "Prakash Nair", "Teh Boon Keat"] as const;

/** Three customers wait or have said they paid, a fourth was too late, and three withdrawals are to be paid. */
async function morning(): Promise<Floor & { readonly statement: string }> {
  const at = await makeFloor(hall, 3, 0, { recall_seconds: 0 });
  const { office, merchant } = at;
  await atHour(hall, office, 12);
  const asked = [];
  for (const [n, customer_name] of payers.entries()) {
    const request = { amount: `${n + 1}50.00`, customer_name, member: `M${n}` };
    // oxlint-disable-next-line no-await-in-loop -- their order is the queue's
    asked.push(n === 2 ? await office.paid(merchant, request) : await office.deposit(merchant, request));
  }
  await hall.db.owner.query("update transactions set expires_at = now() - interval '1 minute' where tenant_id = $1 and member = 'M3'", [
    office.tenant.id,
  ]);
  await expireDue(office.deps, office.tenant.id, 10);
  const { rows: zones } = await hall.db.owner.query<{ minutes: number }>(
    "select zone_minutes as minutes from currencies where tenant_id = $1",
    [office.tenant.id],
  );
  const ahead = zones[0]?.minutes ?? 0;
  /** In the tenant's zone. */
  const ago = (minutes: number) => new Date(Date.now() + (ahead - minutes) * 60_000).toISOString().slice(0, 16).replace("T", " ");
  const lines = [
    ...asked.map(({ txn_no, amount, customer_name }, n) =>
      [ago(n), `FPX TRF ${txn_no}`, `FT${n}`, customer_name.toUpperCase(), "", amount].join(","),
    ),
    [ago(9), "BANK CHARGE NOVEMBER", "", "", "15.00", ""].join(","),
  ];
  return { ...at, statement: ["Transaction Date,Description,Reference,Payer,Debit,Credit", ...lines].join("\n") };
}

const figure = (page: Page, hue: "process" | "pending") => page.locator(`.ctr.h-${hue} .fig b`);

/** On the screen so far the focus was never lost; the frame in which one screen takes the place of another is not counted. */
async function goTo(hands: Operator, key: string, screen: string): Promise<void> {
  expect(await hands.watched()).toEqual({ onBody: 0, pointers: 0 });
  await hands.pressAll("g", key);
  await at(hands, screen);
  await hands.page.evaluate(() => (window.watch.onBody = 0));
}

const at = ({ page }: Operator, screen: string): Promise<void> =>
  page.locator(`[data-side=main] [role=grid][aria-label='${screen}']:focus`).waitFor();

/** A command without a key, by its name. */
async function command(hands: Operator, name: string): Promise<void> {
  const { page } = hands;
  await page.keyboard.press("Control+k");
  await page.keyboard.type(name);
  await page.locator("[cmdk-item][data-selected=true]", { hasText: name }).waitFor();
  await hands.press("Enter");
}

async function importStatement(hands: Operator, floor: Floor, statement: string): Promise<void> {
  const { page } = hands;
  await page.keyboard.press("Shift+I");
  await page.locator(".sheet [role=combobox]:focus").waitFor();
  await page.keyboard.type(floor.account.code);
  await page.locator(".sheet [role=option]").first().waitFor();
  await hands.press("Enter");
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), hands.press("Enter", { mod: true })]);
  await chooser.setFiles({ name: "november.csv", mimeType: "", buffer: Buffer.from(statement) });
  await page.locator(".sheet-foot .go", { hasText: "Import new lines (5)" }).waitFor();
  await hands.press("Enter", { mod: true });
  await page.locator(".import", { hasText: "Imported: " }).waitFor();
  await hands.press("Enter", { mod: true });
  await page.locator(".import").waitFor({ state: "detached" });
}

/** Each line with its deposit, the bank's charge set aside; the last waits for late money. */
async function matchLines(hands: Operator): Promise<void> {
  const { page } = hands;
  await hands.press("2");
  await page.waitForURL((url) => url.searchParams.get("status") === "unmatched");
  for (const payer of payers.slice(0, 3)) {
    await page.locator(".decide", { hasText: payer.toUpperCase() }).waitFor();
    await page.locator(".matching .suggestion[aria-current]", { hasText: payer }).waitFor();
    await hands.press("m");
    await page.locator(".decide", { hasText: payer.toUpperCase() }).waitFor({ state: "detached" });
  }
  await hands.press("j");
  await page.locator(".decide", { hasText: "BANK CHARGE NOVEMBER" }).waitFor();
  await command(hands, "Ignore");
  await page.locator("[role=option]", { hasText: "Bank charge" }).waitFor();
  await hands.press("Enter");
  await page.locator("[role=dialog]", { hasText: "Reason (optional)" }).waitFor();
  await hands.press("Enter", { mod: true });
  await hands.said(/Ignored/);
}

async function reopenLate(hands: Operator): Promise<void> {
  const { page } = hands;
  await goTo(hands, "d", "Deposits");
  await hands.press("4");
  await page.locator(".decide", { hasText: "Teh Boon Keat" }).waitFor();
  await page.locator(".decide .st", { hasText: "Expired" }).waitFor();
  await page.locator(".proof .ln .score", { hasText: /^\d+$/ }).waitFor();
  await command(hands, "Reopen for late money");
  await page.locator(".sheet textarea:focus").waitFor();
  await page.keyboard.type("the bank booked it at noon");
  await hands.press("Enter", { mod: true });
  await hands.said(/Reopened/);
}

/** The queue to its end; what no line proves yet is matched from its card. */
async function decideDeposits(hands: Operator): Promise<void> {
  const { page } = hands;
  await hands.pressAll("1", "q");
  let before = "";
  for (let n = 0; n < payers.length; n++) {
    before = await hands.look(before);
    const isLate = (await page.locator(".decide .payee").innerText()) === "Teh Boon Keat";
    if (isLate) {
      await hands.press("m");
      await page.locator(".sheet [role=radio][aria-checked=true], .sheet input:checked").waitFor();
      await hands.press("Enter", { mod: true });
      await page.locator(".ck", { hasText: "450.00 = 450.00" }).waitFor();
      await hands.look();
    }
    await hands.press("a");
  }
  await expect.poll(() => figure(page, "process").innerText()).toBe("0");
  await hands.press("Escape");
}

/** All of them from the accounts the composer chooses, then each on the bank's page, from which its slip comes back. */
async function payWithdrawals(hands: Operator): Promise<void> {
  const { page } = hands;
  await goTo(hands, "w", "Withdrawals");
  await page.locator(".decide .amt", { hasText: "100.00" }).waitFor();
  await page.keyboard.press("Control+a");
  await page.locator(".stat .aim.many", { hasText: "3" }).waitFor();
  await page.keyboard.press("Shift+C");
  const composer = page.getByRole("dialog", { name: "Payout composer" });
  await composer.locator(".btn.go:not([aria-disabled])", { hasText: "Approve 3 withdrawals" }).waitFor();
  await hands.press("Enter", { mod: true });
  await composer.locator(".composer-counts", { hasText: "Done 3" }).waitFor();
  await hands.press("Escape");
  await composer.waitFor({ state: "detached" });
  await expect.poll(() => figure(page, "pending").innerText()).toBe("0");

  // today's are those just approved
  await hands.press("4");
  await page.waitForURL((url) => url.searchParams.get("view") === "today");
  await page.locator("[role=row][aria-rowindex='4'] .st", { hasText: /Approved|Completed/ }).waitFor();
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  let before = "";
  for (let n = 1; n <= 3; n++) {
    await expect.poll(() => hands.target()).not.toBe(before);
    before = await hands.target();
    await page.locator(".decide .id", { hasText: before }).waitFor();
    await page.locator(".bank-fields button").first().waitFor();
    const texts = [];
    for (const field of ["Amount", "Payee", "Account", "Reference"]) {
      await hands.pressAll("y", "y");
      await page.locator(".bank-fields [aria-current]", { hasText: field }).waitFor();
      texts.push(await copied());
    }
    expect([texts[0], texts[3]]).toEqual(["100.00", before]);
    await page.evaluate(
      (slip) => navigator.clipboard.writeText(slip),
      `Reference No: FT9${n}\nAmount: RM 100.00\nRecipient Reference: ${before}`,
    );
    await hands.press("v", { mod: true });
    await expect.poll(() => page.locator(".slip tr.is-equal th").allInnerTexts()).toEqual(["Reference", "Amount"]);
    await hands.press("Enter");
    await hands.said(new RegExp(`FT9${n} saved`));
    await hands.press("j");
  }
}

test("a day in keys only: a statement imported and matched, deposits approved in the queue, late money reopened, withdrawals composed and paid; at its end nothing waits and the audit is clean", async () => {
  const { statement, ...floor } = await morning();
  const operator = await hall.employ(floor.office, "Nurul Aisyah", rights);
  const hands = await sitDown(hall, { operator });
  const { page } = hands;
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await at(hands, "Withdrawals");
  await hands.watch();
  await goTo(hands, "b", "Bank transactions");

  await importStatement(hands, floor, statement);
  await matchLines(hands);
  await reopenLate(hands);
  await decideDeposits(hands);
  await payWithdrawals(hands);

  expect(await hands.watched()).toEqual({ onBody: 0, pointers: 0 });
  expect([await figure(page, "process").innerText(), await figure(page, "pending").innerText()]).toEqual(["0", "0"]);
  const { tenant } = floor.office;
  const { rows: lines } = await hall.db.owner.query(
    "select status, count(*)::integer as n from bank_lines where tenant_id = $1 group by 1 order by 1",
    [tenant.id],
  );
  expect(lines).toEqual([
    { status: "ignored", n: 1 },
    { status: "matched", n: 4 },
  ]);
  const { rows: decided } = await hall.db.owner.query(
    `select kind, count(*)::integer as n, sum(amount)::numeric(20, 2)::text as sum, count(reference_no)::integer as referred from transactions
      where tenant_id = $1 and status in ('approved', 'completed') group by 1 order by 1`,
    [tenant.id],
  );
  expect(decided).toMatchObject([
    { kind: "deposit", n: 4, sum: "1200.00" },
    { kind: "withdrawal", n: 3, sum: "300.00", referred: 3 },
  ]);
  const client = await hall.db.owner.connect();
  const told: string[] = [];
  const { secrets, config } = hall.server().deps;
  const verdict = await audit(client, secrets, config.dataDir ?? "", (line) => told.push(line)).finally(() => client.release());
  expect([verdict, told.filter((line) => !line.startsWith("ok"))]).toEqual(["whole", [expect.stringMatching(/^all \d+ invariants hold$/)]]);
});
