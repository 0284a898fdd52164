import ExcelJS from "exceljs";
import type { Page } from "playwright";
import { expect, test } from "vitest";
import { bankTransactionHandlers } from "../../src/server/bank-lines/bank-lines.ts";
import { testHall } from "../support/hall.ts";
import { aLine, bookLine, lineOf } from "../support/bank-lines.ts";
import { tabTo } from "./clerk.ts";
import { dropFile } from "./drop-file.ts";
import { makeFloor, sitDown } from "./floor.ts";
import type { Floor } from "./floor.ts";
import type { Operator } from "./operator.ts";

const hall = testHall();

const acts = ["view", "import", "match", "unmatch", "ignore"].map((act) => `pas.transaction.bank-transactions.${act}`);
const rights = [...acts, "pas.transaction.deposits.view", "pas.account.accounts.view"];

async function openLines(): Promise<Floor> {
  const at = await makeFloor(hall, 0);
  return { ...at, operator: await hall.employ(at.office, "Nurul Aisyah", rights) };
}

const sit = async (at: Floor, search = "", grid = "Bank transactions"): Promise<Operator> => {
  const hands = await sitDown(hall, at, "us", { path: `/payment/bank-transactions${search}` });
  await hands.page.locator(`[role=grid][aria-label='${grid}']:focus`).waitFor();
  return hands;
};

const head = ["Transaction Date", "Description", "Reference", "Payer", "Debit", "Credit"];
const rows = [
  ["21/11/2026 09:01:00", "DUITNOW TAN WEI JIE", "R-77001", "TAN WEI JIE", "", "1,500.00"],
  ["21/11/2026 09:05:00", "IBG CR LIM S C", "R-77002", "LIM S C", "", "320.00"],
  ["99/11/2026 09:09:00", "BROKEN DATE", "R-77004", "NOBODY", "", "10.00"],
];
const csv = [head, ...rows].map((cells) => cells.map((cell) => (cell.includes(",") ? `"${cell}"` : cell)).join(",")).join("\n");
const tabs = [head, ...rows].map((cells) => cells.join("\t")).join("\n");
/** As a bank's page has it: a table in a table, cells of several lines, one over two columns. */
const html = `<table><tr><td>Welcome</td><td><table>${[head, ...rows]
  .map((cells) => `<tr>${cells.map((cell) => `<td><div>${cell.split(" ").join("</div> <div>")}</div></td>`).join("")}</tr>`)
  .join("")}<tr><td colspan="6">End of the list</td></tr></table></td></tr></table>`;

async function copy(page: Page, texts: Readonly<Record<string, string>>): Promise<void> {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.evaluate(async (given) => {
    const parts = Object.entries(given).map(([type, text]) => [type, new Blob([text], { type })] as const);
    await navigator.clipboard.write([new ClipboardItem(Object.fromEntries(parts))]);
  }, texts);
}

const linesIn = async ({ office }: Floor) => {
  const { rows: found } = await hall.db.owner.query<{ reference: string; status: string; source: string }>(
    "select reference, status, source from bank_lines where tenant_id = $1 order by reference",
    [office.tenant.id],
  );
  return found;
};

/** Lines of the preview by what becomes of them, once they are as expected. */
async function counted(page: Page, wanted: readonly string[]): Promise<void> {
  await expect
    .poll(() =>
      Promise.all(
        ["New", "Already there", "Cannot be read"].map((name) =>
          page.locator(".import-lines .states button", { hasText: name }).locator("bdi").innerText(),
        ),
      ),
    )
    .toEqual(wanted);
}
const focusLost = (page: Page) => page.evaluate(() => document.activeElement === document.body);

/** In the open sheet: the account is found by typing. */
async function takeAccount({ page }: Operator, at: Floor): Promise<void> {
  await page.locator(".sheet [role=combobox]:focus").waitFor();
  await page.keyboard.type(at.account.code);
  await page.locator(".sheet [role=option]").first().waitFor();
  await page.keyboard.press("Enter");
}

/** From the preview to the end of the import. */
async function runImport(hands: Operator): Promise<void> {
  const { page } = hands;
  await page.locator(".sheet-foot .go", { hasText: "Import new lines (2)" }).waitFor();
  await counted(page, ["2", "0", "1"]);
  await page.locator(".import-lines .why", { hasText: "“99/11/2026 09:09:00” is not a date." }).waitFor();
  expect(await focusLost(page)).toBe(false);
  await hands.press("Enter", { mod: true });
  await page.locator(".import", { hasText: "Imported: " }).waitFor();
  expect(await focusLost(page)).toBe(false);
  await hands.press("Enter", { mod: true });
  await page.locator(".import").waitFor({ state: "detached" });
}

test("a table pasted from a bank's page is previewed, imported, and adds nothing a second time", async () => {
  const at = await openLines();
  const hands = await sit(at);
  const { page } = hands;
  await copy(page, { "text/html": html, "text/plain": html.replaceAll(/<[^>]+>/gu, "\n") });
  await hands.press("v", { mod: true });
  await takeAccount(hands, at);
  await runImport(hands);
  await page.locator("[role=grid] [role=row]", { hasText: "DUITNOW TAN WEI JIE" }).waitFor();
  const added = [
    { reference: "R-77001", status: "unmatched", source: "paste" },
    { reference: "R-77002", status: "unmatched", source: "paste" },
  ];
  expect(await linesIn(at)).toEqual(added);

  // the same as plain text with tabs
  await copy(page, { "text/plain": tabs });
  await hands.press("v", { mod: true });
  await takeAccount(hands, at);
  await page.locator(".sheet-foot .go[aria-disabled=true]", { hasText: "Import new lines (0)" }).waitFor();
  await counted(page, ["0", "2", "1"]);
  await hands.press("Enter", { mod: true });
  await hands.press("Escape");
  await page.locator(".import").waitFor({ state: "detached" });
  expect(await linesIn(at)).toEqual(added);
  await expect.poll(() => focusLost(page)).toBe(false);
});

test("a CSV and an XLSX are chosen from the sheet, which the palette opens", async () => {
  const at = await openLines();
  const hands = await sit(at);
  const { page } = hands;
  const openSheet = async () => {
    await page.keyboard.press("Control+k");
    await page.keyboard.type("import a statement");
    await page.locator("[cmdk-item][data-selected=true]", { hasText: "Import a statement" }).waitFor();
    await hands.press("Enter");
    await page.locator(".import").waitFor();
  };
  const choose = async (name: string, buffer: Buffer) => {
    const [chooser] = await Promise.all([page.waitForEvent("filechooser"), hands.press("Enter", { mod: true })]);
    await chooser.setFiles({ name, mimeType: "", buffer });
  };
  await openSheet();
  await takeAccount(hands, at);
  await choose("november.csv", Buffer.from(csv));
  await page.locator(".import", { hasText: "november.csv" }).waitFor();
  await runImport(hands);
  expect((await linesIn(at)).map(({ source }) => source)).toEqual(["file", "file"]);

  const book = new ExcelJS.Workbook();
  book.addWorksheet("Statement").addRows([head, ...rows]);
  await openSheet();
  // the line under the cursor has said which account
  await page.locator(".import .chip-box", { hasText: at.account.code }).waitFor();
  await choose("november.xlsx", Buffer.from(await book.xlsx.writeBuffer()));
  await page.locator(".sheet-foot .go", { hasText: "Import new lines (0)" }).waitFor();
  await counted(page, ["0", "2", "1"]);
  await hands.press("Escape");
  expect(await linesIn(at)).toHaveLength(2);
});

test("a statement dropped on the list is previewed, and what is not imported is thrown away; c writes a line by hand", async () => {
  const at = await openLines();
  const hands = await sit(at);
  const { page } = hands;
  await dropFile(page.locator("[data-side=main] [role=grid]"), "dropped.csv", Buffer.from(csv));
  await takeAccount(hands, at);
  await page.locator(".import", { hasText: "dropped.csv" }).waitFor();
  await page.locator(".sheet-foot .go", { hasText: "Import new lines (2)" }).waitFor();
  await hands.press("Escape");
  await page.locator(".import").waitFor({ state: "detached" });
  const staged = async () =>
    (await hall.db.owner.query<{ state: string }>("select state from bank_imports where tenant_id = $1", [at.office.tenant.id])).rows;
  await expect.poll(async () => (await staged()).filter(({ state }) => state === "staged")).toEqual([]);
  expect(await linesIn(at)).toEqual([]);

  await hands.press("c");
  await takeAccount(hands, at);
  for (const [label, typed] of [
    [/^Date/, "2026-11-21 09:01 AM"],
    [/^Amount/, "1500000000.00"],
    [/^Reference/, "BY-HAND-1"],
    [/^Bank text/, "CASH DEP COUNTER 4"],
  ] as const) {
    await tabTo(page, label);
    await page.keyboard.press("Control+a");
    await page.keyboard.type(typed);
  }
  await hands.press("Enter", { mod: true });
  await page.locator("[role=grid] [role=row]", { hasText: "CASH DEP COUNTER 4" }).waitFor();
  expect(await linesIn(at)).toEqual([{ reference: "BY-HAND-1", status: "unmatched", source: "hand" }]);
});

test("a running import says how far it is; stopped, it says what it kept, and that is what the list has", async () => {
  const many = 6_000;
  const at = await openLines();
  const hands = await sit(at);
  const { page } = hands;
  const lines = Array.from({ length: many }, (_, n) => `21/11/2026 09:01:00,CDM DEP ${n},R-${n},PAYER ${n},,${n + 1}.00`);
  await dropFile(page.locator("[data-side=main] [role=grid]"), "long.csv", Buffer.from([head.join(","), ...lines].join("\n")));
  await takeAccount(hands, at);
  await page.locator(".sheet-foot .go", { hasText: "Import new lines (6,000)" }).waitFor();
  const of = [at.office.tenant.id];
  const one = async <Row extends object>(select: string) => (await hall.db.owner.query<Row>(select, of)).rows[0];
  const holder = await hall.db.owner.connect();
  try {
    await hands.press("Enter", { mod: true });
    await expect
      .poll(async () => (await one<{ done: number }>("select done from bank_imports where tenant_id = $1"))?.done)
      .toBeGreaterThan(0);
    // held between two slices: the import passes over a row another has
    await holder.query("begin");
    const { rows: held } = await holder.query<{ done: number; state: string }>(
      "select done, state from bank_imports where tenant_id = $1 for no key update",
      of,
    );
    const [{ done = 0, state = "" } = {}] = held;
    expect([state, done % 1_000]).toEqual(["running", 0]);
    await page.locator(".import [role=status]", { hasText: `${done.toLocaleString("en")} of 6,000` }).waitFor();
    await tabTo(page, /^Stop the import/);
    const asked = page.waitForRequest(/\/cancel$/);
    await hands.press("Enter");
    await asked;
  } finally {
    await holder.query("rollback");
    holder.release();
  }
  await page.locator(".import [role=status]", { hasText: /Stopped after [\d,]+ of 6,000 lines; what was added stays/ }).waitFor();
  const ended = await one(
    "select state, added, (select count(*)::integer from bank_lines l where l.tenant_id = i.tenant_id) as there from bank_imports i where tenant_id = $1",
  );
  expect(ended).toMatchObject({ state: "cancelled" });
  await hands.press("Enter", { mod: true });
  await page.locator(".import").waitFor({ state: "detached" });
  await page.locator("[data-side=main] [role=grid] [role=row]", { hasText: "CDM DEP" }).first().waitFor();
  expect(await focusLost(page)).toBe(false);
});

test("by keys: suggestions are stepped through, one is taken, taken back, taken again and unmatched with a reason", async () => {
  const at = await openLines();
  const { office, merchant, account } = at;
  const book = { db: hall.db, tenant: office.tenant };
  const right = await office.deposit(merchant, { amount: "100.00", customer_name: "Tan Wei Jie", member: "M1" });
  const other = await office.deposit(merchant, { amount: "100.00", customer_name: "Lim Siew Ching", member: "M2" });
  const line = await bookLine(book, account.id, lineOf(right, { counterparty: "TAN WEI JIE" }));
  await bookLine(book, account.id, lineOf(other, { time: new Date(Date.now() - 3_600_000) }));
  // among all lines: a view of unmatched ones would lose it with its match
  const hands = await sit(at);
  const { page } = hands;
  const which = (text: string) => page.locator(".matching .steps", { hasText: text }).waitFor();
  // suggestions that come late: the button waits for them, and no longer than they take
  const come = Promise.withResolvers<void>();
  await which("Suggestion 1 of 2");
  await page.route(/\/suggestions/, async (route) => {
    await come.promise;
    await route.continue();
  });
  await page.clock.install();
  await hands.press("ArrowDown");
  await page.locator(".acts .btn[aria-disabled=true][title^='Wait for']", { hasText: "Match" }).waitFor();
  await page.clock.fastForward(2_000);
  come.resolve();
  // both lines suggest both deposits: the one on top tells whose suggestions these are
  const top = (deposit: { readonly txn_no: string }) =>
    page.locator(".matching .suggestion[aria-current]", { hasText: deposit.txn_no.slice(-6) }).waitFor();
  await top(other);
  await page.locator(".acts .btn:not([aria-disabled=true])", { hasText: "Match" }).waitFor();
  await page.keyboard.press("ArrowUp");
  await top(right);

  const statusNow = async () =>
    (await hall.db.owner.query<{ status: string }>("select status from bank_lines where id = $1", [line.id])).rows[0]?.status;
  await which("Suggestion 1 of 2");
  await page.locator(".matching .aligned mark", { hasText: "FPX" }).waitFor();
  await page.locator(".matching .aligned .col.t3", { hasText: right.txn_no }).first().waitFor();
  // in the list the arrows go from cell to cell; in the detail they step
  await hands.press("Enter");
  await page.locator("[data-pane-focus]:focus").waitFor();
  await hands.press("ArrowRight");
  await which("Suggestion 2 of 2");
  await page.keyboard.press("ArrowLeft");
  await which("Suggestion 1 of 2");

  await hands.press("m");
  await hands.said(/Matched/);
  expect(await statusNow()).toBe("matched");
  await hands.press("z");
  await hands.said(/Match undone|Unmatched|undone/i);
  await expect.poll(statusNow).toBe("unmatched");

  await which("Suggestion 1 of");
  await hands.press("m");
  // the page has taken the answer, not only the server the match
  await hands.said(/Matched/);
  expect(await statusNow()).toBe("matched");
  await page.keyboard.press("Shift+M");
  await page.locator(".sheet textarea:focus").waitFor();
  await page.keyboard.type("belongs to another customer");
  await hands.press("Enter", { mod: true });
  await expect.poll(statusNow).toBe("unmatched");

  await page.locator(".sheet").waitFor({ state: "detached" });
  expect(await focusLost(page)).toBe(false);
});

test("a text rule is written, tried on what is unmatched, saved and applied; its line is ignored as it says", async () => {
  const at = await openLines();
  const { office, account } = at;
  const line = await bookLine(
    { db: hall.db, tenant: office.tenant },
    account.id,
    aLine({ description: "BANK CHARGE NOV", direction: "debit", amount: "15.00" }),
  );
  const hands = await sit(at);
  const { page } = hands;
  await page.keyboard.press("Shift+U");
  await page.locator(".rules", { hasText: "No rules yet" }).waitFor();
  await page.locator(".rules .rows-control > .btn:focus").waitFor();
  await hands.press("Enter");
  await page.locator(".rules tbody input:focus").waitFor();
  await page.keyboard.type("bank charge");
  // money that goes out
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.type("Out");
  const button = async (name: string) => {
    await tabTo(page, new RegExp(`^${name}`));
    await hands.press("Enter");
  };
  await button("Try on unmatched lines");
  await page.locator(".trial", { hasText: "BANK CHARGE NOV" }).waitFor();
  await hands.press("Enter", { mod: true });
  await hands.said(/Rules saved/);
  await button("Apply to unmatched lines");
  await hands.said(/Ignored by the rules: 1/);
  const { rows: found } = await hall.db.owner.query("select status, ignored_as from bank_lines where id = $1", [line.id]);
  expect(found).toEqual([{ status: "ignored", ignored_as: "fee" }]);
  await hands.press("Escape");
  await page.locator(".rules").waitFor({ state: "detached" });
  expect(await focusLost(page)).toBe(false);
});

test("a payer learned from a match is listed and revoked; each account's closing stands beside the ledger's with what explains the difference", async () => {
  const at = await openLines();
  const { office, merchant, account } = at;
  const book = { db: hall.db, tenant: office.tenant };
  const deposit = await office.deposit(merchant, { amount: "100.00", customer_name: "Tan Wei Jie", member: "M1" });
  await bookLine(book, account.id, lineOf(deposit, { counterparty: "TAN WEI JIE", counterparty_account: "514012349876" }));
  const before = new Date(deposit.created_at.getTime() - 60_000);
  await bookLine(book, account.id, aLine({ time: before, description: "UNKNOWN MONEY", amount: "42.00", balance: "9042.00" }));
  const hands = await sit(at, "?status=unmatched");
  const { page } = hands;
  await page.locator("[role=grid] [role=row]", { hasText: deposit.txn_no }).waitFor();
  await page.locator(".matching .suggestion").waitFor();
  await hands.press("m");
  await hands.said(/Matched/);
  await page.keyboard.press("Shift+Y");
  await page.locator(".statements tr", { hasText: "Tan Wei Jie" }).waitFor();
  await tabTo(page, /^Revoke/);
  await hands.press("Enter");
  await page.locator(".sheet textarea:focus").waitFor();
  await page.keyboard.type("a relative's account");
  await hands.press("Enter", { mod: true });
  await page.locator(".statements tr .tag", { hasText: "Revoked" }).waitFor();
  // its field is a query line like a list's
  await page.locator(".statements .find input:focus").waitFor();
  await page.keyboard.type("status:active");
  await page.locator(".statements .filter-line .chip:not(.find)", { hasText: "Status Active" }).waitFor();
  await page.locator(".statements", { hasText: "Nothing matches." }).waitFor();
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.type("jie -status:active name:tan last_at:today ");
  await page.locator(".statements tr .tag", { hasText: "Revoked" }).waitFor();
  await page.locator(".statements .filter-line .chip:not(.find)", { hasText: "Last" }).waitFor();
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.type("stats:active");
  await page.locator(".statements .fault mark", { hasText: "stats" }).waitFor();
  await hands.press("Escape");
  await page.locator(".statements").waitFor({ state: "detached" });

  await page.keyboard.press("Shift+B");
  await page.locator(".statements tr", { hasText: "9,042.00" }).waitFor();
  await tabTo(page, new RegExp(`^${account.code}`));
  await hands.press("Enter");
  await page.locator("dl.explained", { hasText: "UNKNOWN MONEY" }).waitFor();
  await hands.press("Escape");
  await page.locator(".statements").waitFor({ state: "detached" });
  expect(await focusLost(page)).toBe(false);
});

test("w s puts the deposits beside the lines, at what the line under the cursor is best matched to; then each side's cursor follows the other's", async () => {
  const at = await openLines();
  const { office, merchant, account } = at;
  const book = { db: hall.db, tenant: office.tenant };
  const [tan, lim] = [
    await office.deposit(merchant, { amount: "100.00", customer_name: "Tan Wei Jie", member: "M1" }),
    await office.deposit(merchant, { amount: "250.00", customer_name: "Lim Siew Ching", member: "M2" }),
  ];
  const now = Date.now();
  const [older, newer] = [
    await bookLine(book, account.id, lineOf(tan, { time: new Date(now - 120_000) })),
    await bookLine(book, account.id, lineOf(lim, { time: new Date(now - 60_000) })),
  ];
  const hands = await sit(at, "?status=unmatched");
  const { page } = hands;
  const records = () => {
    const { searchParams } = new URL(page.url());
    return [searchParams.get("record"), new URLSearchParams(searchParams.get("beside")?.split("?")[1]).get("record")];
  };
  /** The row under a side's cursor. */
  const under = (side: string) =>
    page.evaluate((at) => {
      const cell = document.querySelector(`[data-side=${at}] [role=grid]`)?.getAttribute("aria-activedescendant");
      return document.getElementById(cell ?? "")?.closest("[role=row]")?.textContent ?? "";
    }, side);
  const lit = async (side: string, text: string) => {
    await expect.poll(() => under(side)).toContain(text);
  };
  await page.locator(".suggestion", { hasText: lim.txn_no.slice(-6) }).waitFor();
  await hands.press("ArrowDown");
  await page.locator(".suggestion", { hasText: tan.txn_no.slice(-6) }).waitFor();
  await hands.pressAll("w", "s");
  await page.locator("[role=grid][aria-label=Deposits]:focus").waitFor();
  await lit("beside", "Tan Wei Jie");
  await expect.poll(records).toEqual([older.id, tan.id]);
  const goTo = async (side: string) => {
    const isThere = () => page.locator(`[data-side=${side}] [role=grid]:focus`).count();
    for (let panes = 0; panes < 10 && (await isThere()) === 0; panes++) await page.keyboard.press("F6");
    expect(await isThere()).toBe(1);
  };
  await goTo("main");
  await page.keyboard.press("ArrowUp");
  await lit("beside", "Lim Siew Ching");
  await hands.press("ArrowDown");
  await lit("beside", "Tan Wei Jie");
  await expect.poll(records).toEqual([older.id, tan.id]);
  expect(await page.evaluate(() => document.activeElement?.closest("[data-side]")?.getAttribute("data-side"))).toBe("main");
  // and the other way round
  await goTo("beside");
  await hands.press("ArrowDown");
  if (!(await under("beside")).includes("Lim Siew Ching")) await page.keyboard.press("ArrowUp");
  await lit("main", "Lim Siew Ching");
  await expect.poll(records).toEqual([newer.id, lim.id]);
});

test("two deposits marked beside a line are matched to it by m; what others do to lines is seen at once, and new ones wait behind the pill", async () => {
  const at = await openLines();
  const { office, merchant, account } = at;
  const book = { db: hall.db, tenant: office.tenant };
  const deposits = [
    await office.deposit(merchant, { amount: "100.00", customer_name: "Tan Wei Jie", member: "M1" }),
    await office.deposit(merchant, { amount: "250.00", customer_name: "Lim Siew Ching", member: "M2" }),
  ];
  // a third of the sum makes no set be offered
  await office.deposit(merchant, { amount: "350.00", customer_name: "Nobody Else", member: "M3" });
  const both = await bookLine(
    book,
    account.id,
    aLine({ amount: "350.00", description: "CDM DEP 0043", time: new Date(Date.now() - 60_000) }),
  );
  const other = await bookLine(book, account.id, aLine({ amount: "77.00", description: "INTEREST", time: new Date(Date.now() - 120_000) }));
  const hands = await sit(at, `?beside=${encodeURIComponent("/payment/deposits?view=all&sort=amount")}`, "Deposits");
  const { page } = hands;
  const statusOf = async (id: string) =>
    (await hall.db.owner.query<{ status: string }>("select status from bank_lines where id = $1", [id])).rows[0]?.status;
  const goTo = async (side: string) => {
    const isThere = () => page.locator(`[data-side=${side}] [role=grid]:focus`).count();
    for (let panes = 0; panes < 10 && (await isThere()) === 0; panes++) await page.keyboard.press("F6");
    expect(await isThere()).toBe(1);
  };
  const row = (side: string, text: string) => page.locator(`[data-side=${side}] [role=row]`, { hasText: text });
  await row("beside", "Nobody Else").waitFor();
  await row("main", "INTEREST").waitFor();
  await goTo("main");
  await page.locator(".matching .suggestion[aria-current]", { hasText: "Nobody Else" }).waitFor();

  // by amount: the first two
  await goTo("beside");
  await page.keyboard.press("Control+Home");
  await hands.press("x");
  await page.locator(".matching .suggestion", { hasText: "marked" }).waitFor();
  await page.locator(".matching .suggestion[aria-current]", { hasText: "Nobody Else" }).waitFor();
  await page.keyboard.press("ArrowDown");
  await hands.press("x");
  await page.locator(".matching .suggestion[aria-current]", { hasText: "Tan Wei Jie + Lim Siew Ching" }).waitFor();
  await goTo("main");
  await hands.press("m");
  await hands.said(/Matched/);
  await expect.poll(() => statusOf(both.id)).toBe("matched");
  await page.locator("[data-side=beside] [role=row][aria-selected=true] .box.on, .stat .aim.many").waitFor({ state: "detached" });
  const { rows: matched } = await hall.db.owner.query<{ id: string }>("select transaction_id as id from bank_matches where line_id = $1", [
    both.id,
  ]);
  expect(matched.map(({ id }) => id).toSorted()).toEqual(deposits.map(({ id }) => id).toSorted());

  // a colleague ignores one line and writes another
  const { deps, tenant } = office;
  const call = { ...office.call(), deps: { ...deps, publisher: hall.server().deps.publisher } };
  await bankTransactionHandlers.ignoreBankLines(call, {
    params: undefined,
    query: undefined,
    body: { rows: [{ uuid: other.id, version: other.version }], ignore_as: "other", reason: "interest" },
  });
  await row("main", "INTEREST").locator(".st", { hasText: "Ignored" }).waitFor();
  const fresh = await bookLine(book, account.id, aLine({ amount: "12.00", description: "CDM DEP 0061" }));
  hall.server().deps.publisher.changed(tenant.id, "bankLine", [fresh.id]);
  await page.locator("[data-side=main] .pill", { hasText: "1 new" }).waitFor();
  expect(await row("main", "CDM DEP 0061").count()).toBe(0);
  await hands.press("l");
  await row("main", "CDM DEP 0061").waitFor();
  expect(await focusLost(page)).toBe(false);
});
