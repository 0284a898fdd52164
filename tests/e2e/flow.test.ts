import { describe, expect, test } from "vitest";
import { testHall } from "../support/hall.ts";
import { makeCrew } from "../support/crew.ts";
import { serve } from "../support/http.ts";
import { atRest } from "./at-rest.ts";
import { makeFloor, sitDown } from "./floor.ts";
import { holdToast } from "./hold-toast.ts";
import type { Floor } from "./floor.ts";
import type { Operator } from "./operator.ts";
import { saveView } from "./save-view.ts";

const hall = testHall();

const rights = [
  ...["view", "process", "approve", "reject", "recall"].map((act) => `pas.transaction.withdrawals.${act}`),
  ...["view", "create", "update", "delete", "change-status"].map((act) => `pas.merchant.merchants.${act}`),
];

const rowsOf = (hands: Operator, side: "main" | "beside" = "main") =>
  hands.page.locator(`[data-side=${side}] .grid .rows .row[aria-rowindex]`);
const type = (hands: Operator, text: string) => hands.page.keyboard.type(text);

/** An operator of withdrawals and merchants, at the withdrawals. */
async function atWork(at: Floor, permissions: readonly string[] = rights): Promise<Operator> {
  const hands = await sitDown(hall, { operator: await hall.employ(at.office, "Siti Rahmah", permissions) });
  await hands.pressAll("g", "w");
  await rowsOf(hands).first().waitFor();
  return hands;
}

async function palette(hands: Operator, words: string, found = words): Promise<void> {
  await hands.press("k", { mod: true });
  await hands.page.locator("[cmdk-input]:focus").waitFor();
  await type(hands, words);
  await hands.page.locator("[cmdk-item][data-selected=true]", { hasText: found }).waitFor();
}

const titles = (hands: Operator) => hands.page.locator("[data-side=main] .hd .title").allInnerTexts();

/** From the rows into the header, to the column of that title. */
async function toHeader(hands: Operator, title: string): Promise<void> {
  const { page } = hands;
  const on = () => page.locator("[data-side=main] .hd .cursor .title").allInnerTexts();
  if ((await on()).length === 0) await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Home");
  for (let presses = 0; presses < 20 && !(await on()).includes(title); presses++) await hands.press("ArrowRight");
  expect(await on()).toEqual([title]);
}

async function columnMenu(hands: Operator, act: string): Promise<void> {
  const { page } = hands;
  await page.keyboard.press("Alt+ArrowDown");
  const items = page.locator("[role=menu] [role=menuitem]");
  await items.first().waitFor();
  const place = (await items.locator(".cut").allInnerTexts()).indexOf(act);
  for (let presses = 0; presses < place; presses++) await page.keyboard.press("ArrowDown");
  await items.nth(place).and(page.locator(":focus")).waitFor();
  await page.keyboard.press("Enter");
  await page.locator("[role=menu]").waitFor({ state: "detached" });
}

const width = async (hands: Operator, title: string) =>
  Math.round(
    await hands.page
      .locator("[data-side=main] [role=columnheader]", { hasText: title })
      .first()
      .evaluate((cell) => cell.getBoundingClientRect().width),
  );

const sorts = (hands: Operator) =>
  hands.page
    .locator("[data-side=main] [role=columnheader]:is([aria-sort=ascending], [aria-sort=descending])")
    .evaluateAll((cells) => cells.map((cell) => `${cell.querySelector(".title")?.textContent} ${cell.getAttribute("aria-sort")}`));

test("from another screen the last digits of a number are enough: Enter, and the cursor is on that withdrawal", async () => {
  const at = await makeFloor(hall, 4);
  const sought = await at.office.withdraw(at.merchant, { amount: "333.00" });
  const hands = await atWork(at);
  await hands.pressAll("g", "m");
  await hands.page.getByRole("grid", { name: "Merchants" }).waitFor();
  await hands.watch();
  await palette(hands, sought.txn_no.slice(-6), sought.txn_no);
  await hands.press("Enter");
  await expect.poll(() => hands.target()).toBe(sought.txn_no);
  await hands.page.locator(".decide", { hasText: "333.00" }).waitFor();
  expect((await hands.watched()).pointers).toBe(0);
});

test("columns hidden, moved, pinned and widened by keys go with the view on 3, its filter and its sort, after a reload too", async () => {
  const at = await makeFloor(hall, 3);
  for (const amount of ["900.00", "750.00"]) await at.office.withdraw(at.merchant, { amount });
  const hands = await atWork(at);
  const { page } = hands;
  await hands.watch();
  const usual = await titles(hands);
  await hands.pressAll("ArrowRight", "ArrowRight", "f");
  await page.locator(".sheet input:focus").waitFor();
  await type(hands, "500..1000");
  await hands.press("Enter");
  await expect.poll(() => rowsOf(hands).count()).toBe(2);
  await hands.press("s");
  await expect.poll(() => sorts(hands)).toEqual([expect.stringContaining("Amount")]);
  // keys do nothing to rows that are still the last order's
  await page.locator("[data-side=main] .grid .rows .row[aria-rowindex='2']", { hasText: "750.00" }).waitFor();
  const sorted = await sorts(hands);

  await toHeader(hands, "Amount");
  const before = await width(hands, "Amount");
  await page.keyboard.press("Control+Shift+ArrowRight");
  await expect.poll(() => width(hands, "Amount")).toBe(before + 16);
  await page.keyboard.press("Shift+ArrowRight");
  await expect.poll(async () => (await titles(hands)).indexOf("Amount")).toBe(usual.indexOf("Amount") + 1);
  await toHeader(hands, "Age");
  await columnMenu(hands, "Hide this column");
  await expect.poll(() => titles(hands)).not.toContain("Age");
  await toHeader(hands, "Txn no");
  await columnMenu(hands, "Pin this column to the start");
  await expect.poll(async () => (await titles(hands))[0]).toBe("Txn no");
  const shown = await titles(hands);

  await saveView(hands, "Large", "3");

  await page.reload();
  await page.locator(".tabs [role=tab]", { hasText: "Large" }).waitFor();
  await rowsOf(hands).first().waitFor();
  await hands.press("1");
  await expect.poll(() => rowsOf(hands).count()).toBe(5);
  expect(await titles(hands)).toEqual(usual);
  await hands.press("3");
  await expect.poll(() => rowsOf(hands).count()).toBe(2);
  await expect.poll(() => titles(hands)).toEqual(shown);
  expect(await sorts(hands)).toEqual(sorted);
  expect(await width(hands, "Amount")).toBe(before + 16);
  expect(await page.locator("[data-side=main] .hd .pin-start .title").allInnerTexts()).toEqual(["Txn no"]);
  expect(await page.locator(".tabs [aria-selected=true] .tag").count()).toBe(0);
});

test("a view's density is its own: it opens as saved and unchanged, and the other views keep the person's", async () => {
  const at = await makeFloor(hall, 2);
  const hands = await atWork(at);
  const { page } = hands;
  const height = () =>
    rowsOf(hands)
      .first()
      .evaluate((row) => row.getBoundingClientRect().height);
  const changed = () => page.locator(".tabs [aria-selected=true] .tag").count();
  expect(await height()).toBe(28);
  await saveView(hands, "Airy", "3", "shared");
  await palette(hands, "Roomy rows");
  await hands.press("Enter");
  await expect.poll(height).toBe(36);
  await expect.poll(changed).toBe(1);
  await palette(hands, "Save changes to this view");
  await hands.press("Enter");
  await expect.poll(changed).toBe(0);
  await palette(hands, "Set or unset this view as the default");
  await hands.press("Enter");
  await hands.said(/now opens with Airy/);
  await hands.press("1");
  await expect.poll(height).toBe(28);
  await page.goto(`${hall.url()}/payment/withdrawals`);
  await page.locator(".tabs [aria-selected=true]", { hasText: "Airy" }).waitFor();
  await expect.poll(height).toBe(36);
  expect(await changed()).toBe(0);
  await hands.press("1");
  await expect.poll(height).toBe(28);

  // another sees it, shared, and opens with what was theirs
  const other = await sitDown(hall, { operator: await hall.employ(at.office, "Mei Lin", rights) });
  await rowsOf(other).first().waitFor();
  const theirs = other.page.locator(".tabs [role=tab]", { hasText: "Airy" });
  await theirs.waitFor();
  expect([await theirs.getAttribute("aria-selected"), await theirs.locator(".icon").count()]).toEqual(["false", 1]);
  // on no key of theirs yet
  await theirs.click();
  await expect
    .poll(() =>
      rowsOf(other)
        .first()
        .evaluate((row) => row.getBoundingClientRect().height),
    )
    .toBe(36);
});

test("a default view that is known late is opened still, but not in the place of what was asked meanwhile", async () => {
  const at = await makeFloor(hall, 2);
  const hands = await atWork(at);
  const { page } = hands;
  await saveView(hands, "Airy", "3");
  await palette(hands, "Set or unset this view as the default");
  await hands.press("Enter");
  await hands.said(/now opens with Airy/);
  let known = Promise.withResolvers<void>();
  await page.route(/\/views\?/, async (route) => {
    await known.promise;
    await route.continue();
  });
  await page.goto(`${hall.url()}/payment/withdrawals`);
  // the address names the record under the cursor, which nobody asked for
  await page.waitForURL((url) => url.searchParams.has("record"));
  known.resolve();
  await page.locator(".tabs [aria-selected=true]", { hasText: "Airy" }).waitFor();

  known = Promise.withResolvers<void>();
  await page.goto(`${hall.url()}/payment/withdrawals`);
  await rowsOf(hands).first().waitFor();
  await hands.press("2");
  const chosen = page.locator(".tabs [aria-selected=true]", { hasText: "Mine" });
  await chosen.waitFor();
  known.resolve();
  await page.locator(".tabs [role=tab]", { hasText: "Airy" }).waitFor();
  expect(await chosen.count()).toBe(1);
  expect(new URL(page.url()).searchParams.get("view")).toBe("mine");
});

test("a column is pinned to the end and fitted to its texts by keys, and all are put back", async () => {
  const at = await makeFloor(hall, 2);
  const hands = await atWork(at);
  const usual = await titles(hands);
  await toHeader(hands, "Amount");
  const before = await width(hands, "Amount");
  await columnMenu(hands, "Fit the column’s width");
  await expect.poll(() => width(hands, "Amount")).toBeLessThan(before);
  await columnMenu(hands, "Pin this column to the end");
  await expect.poll(async () => (await titles(hands)).at(-1)).toBe("Amount");
  expect(await hands.page.locator("[data-side=main] .hd .pin-end .title").allInnerTexts()).toEqual(["Amount"]);
  await columnMenu(hands, "Reset all columns");
  await expect.poll(() => titles(hands)).toEqual(usual);
  expect(await width(hands, "Amount")).toBe(before);
  await columnMenu(hands, "Sort descending");
  await expect.poll(() => sorts(hands)).toEqual(["Amount descending"]);
  await columnMenu(hands, "Filter this column…");
  await hands.page.locator(".sheet h2", { hasText: "Amount" }).waitFor();
  await hands.press("Escape");
  await hands.page.locator(".sheet").waitFor({ state: "detached" });
  expect(await hands.page.evaluate(() => document.activeElement?.getAttribute("role"))).toBe("grid");
});

test("a copied range is pasted as rows and columns, and a name that would run as a formula cannot", async () => {
  const at = await makeFloor(hall, 0);
  await at.office.withdraw(at.merchant, { amount: "1250.00", customer_name: "=HYPERLINK(0)" });
  await at.office.withdraw(at.merchant, { amount: "75.50", customer_name: "Tan Wei Ming" });
  const hands = await atWork(at, [...rights, "pas.transaction.withdrawals.create"]);
  const { page } = hands;
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await expect.poll(() => rowsOf(hands).count()).toBe(2);
  await toHeader(hands, "Amount");
  // down from the header into the first row, and over the next column and the next row
  const between = (await titles(hands)).indexOf("Customer") - (await titles(hands)).indexOf("Amount");
  await hands.press("ArrowDown");
  for (let step = 0; step < between; step++) await page.keyboard.press("Shift+ArrowRight");
  await page.keyboard.press("Shift+ArrowDown");
  await page.locator(".stat", { hasText: `2 × ${between + 1}` }).waitFor();
  await page.keyboard.press("Control+c");
  await hands.said(/2 rows/);
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  const cells = copied.split("\r\n").map((line) => line.split("\t"));
  expect(cells.map((line) => [line[0], line.at(-1)])).toEqual([
    ["1,250.00", "'=HYPERLINK(0)"],
    ["75.50", "Tan Wei Ming"],
  ]);
  await palette(hands, "remark");
  await hands.press("Enter");
  const field = page.locator(".sheet textarea");
  await page.locator(".sheet textarea:focus").waitFor();
  await page.keyboard.press("Control+v");
  // a text area knows one kind of line end
  await expect.poll(() => field.inputValue()).toBe(copied.replaceAll("\r\n", "\n"));
});

test("a digit that was pressed before the page could draw its sheet chooses the reason, and no view", async () => {
  const at = await makeFloor(hall, 2);
  const hands = await atWork(at);
  const { page } = hands;
  // what the sheet is made of has come
  await hands.press("r");
  await page.locator(".sheet input:focus").waitFor();
  await hands.press("Escape");
  await page.locator("[data-side=main] [role=grid]:focus").waitFor();
  // keys that waited in line come before any other task
  await page.evaluate(async () => {
    for (const [key, code] of [
      ["r", "KeyR"],
      ["2", "Digit2"],
    ] as const) {
      document.activeElement?.dispatchEvent(new KeyboardEvent("keydown", { key, code, bubbles: true, cancelable: true }));
      // oxlint-disable-next-line no-await-in-loop -- what follows from a key in its own task is done before the next
      for (let microtask = 0; microtask < 50; microtask++) await Promise.resolve();
    }
  });
  await page.locator(".sheet .option.on", { hasText: "2" }).waitFor();
  expect(await page.locator(".tabs [aria-selected=true]").innerText()).toContain("Work list");
  expect(new URL(page.url()).searchParams.get("view")).not.toBe("mine");
});

test("all that match are rejected but the one somebody took meanwhile: it says who, and stays marked for the next act", async () => {
  const at = await makeFloor(hall, 6);
  const contested = await at.office.withdraw(at.merchant, { amount: "640.00" });
  const [dewi] = await makeCrew(hall.db, await serve(hall.db), at.office, 1);
  const hands = await atWork(at);
  const { page } = hands;
  await hands.watch();
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Control+a");
  await page.locator(".stat .aim.many", { hasText: "7 marked" }).waitFor();
  await hands.press("r");
  await page.locator(".sheet", { hasText: "7" }).waitFor();
  await hands.pressAll("1", "Enter");
  await page.locator(".bulk").waitFor();
  // the sheet is read, and somebody is faster
  expect(await dewi?.act("claim", { uuid: contested.id, version: contested.version })).toMatchObject({ done: true });
  await hands.press("Enter", { mod: true });
  await page.locator(".bulk-counts", { hasText: "Done 6" }).waitFor();
  const refused = page.locator(".bulk-rows li");
  await expect.poll(() => refused.count()).toBe(1);
  expect(await refused.innerText()).toContain(contested.txn_no.slice(-6));
  expect(await refused.innerText()).toContain("Someone else has claimed");
  await hands.press("Escape");
  await expect.poll(() => rowsOf(hands).count()).toBe(1);
  await page.locator(".stat .aim.many", { hasText: "1 marked" }).waitFor();
  expect(await page.locator(".grid .row[aria-rowindex][aria-selected=true]").count()).toBe(1);
  // whose it is comes with an answer of its own
  await rowsOf(hands).locator(".av[title='Operator 1']").waitFor();
  await hands.press("r");
  await hands.said(/Operator 1 has claimed this withdrawal/);
  expect((await hands.watched()).pointers).toBe(0);
  const { rows } = await hall.db.owner.query(
    "select status, count(*)::integer as n from transactions where tenant_id = $1 group by 1 order by 1",
    [at.office.tenant.id],
  );
  expect(rows).toEqual([
    { status: "process", n: 1 },
    { status: "rejected", n: 6 },
  ]);
});

describe("merchants beside withdrawals", () => {
  const acts = (hands: Operator, side: "main" | "beside") =>
    hands.page.locator(`[data-side=${side}] .acts .btn`).evaluateAll((buttons) =>
      buttons.map((button) => {
        const { x, y, width: wide } = button.getBoundingClientRect();
        return `${button.querySelector(".cut")?.textContent} ${Math.round(x)},${Math.round(y)} ${Math.round(wide)}`;
      }),
    );
  const resting = (hands: Operator) =>
    hands.page.locator("[data-resting]").evaluateAll((sides) => sides.map((side) => side.getAttribute("data-side")));

  test("each is worked by its own keys; the bar names whose row is next, and no button moves when the focus crosses over", async () => {
    const at = await makeFloor(hall, 2);
    const hands = await atWork(at);
    const { page } = hands;
    const first = await hands.target();
    await hands.watch();
    await palette(hands, "Merchants");
    await hands.press("Enter", { mod: true });
    await page.locator("[data-side=beside] .detail .decide").waitFor();
    await page.locator("[data-side=main] .detail .decide").waitFor();
    // what comes late would move a button
    await atRest(page);
    const code = await page.locator("[data-side=beside] .decide .id").innerText();
    await expect.poll(() => hands.target()).toBe(code);
    expect(await resting(hands)).toEqual(["main"]);
    const placed = { main: await acts(hands, "main"), beside: await acts(hands, "beside") };
    expect(placed.main.length).toBeGreaterThan(2);
    expect(placed.beside.length).toBeGreaterThan(1);

    await hands.press("e");
    const name = page.locator(".sheet").getByLabel("Name");
    await name.waitFor();
    await expect.poll(() => hands.mode()).toBe("FORM");
    for (let presses = 0; presses < 30 && !(await name.evaluate((field) => field === document.activeElement)); presses++)
      await page.keyboard.press("Tab");
    await page.keyboard.press("Control+a");
    await type(hands, "Harbour Play");
    await hands.press("Enter", { mod: true });
    await hands.said(/Saved: Harbour Play/);

    // round by F6 until the list of the withdrawals has the focus
    for (let presses = 0; presses < 12 && !(await page.locator("[data-side=main] [role=grid]:focus").count()); presses++)
      await page.keyboard.press("F6");
    await expect.poll(() => hands.target()).toBe(first);
    expect(await resting(hands)).toEqual(["beside"]);
    await atRest(page);
    expect({ main: await acts(hands, "main"), beside: await acts(hands, "beside") }).toEqual(placed);
    await hands.press("t");
    await hands.said(/Claimed/);
    const { rows } = await hall.db.owner.query("select txn_no from transactions where tenant_id = $1 and claimed_by is not null", [
      at.office.tenant.id,
    ]);
    expect(rows).toEqual([{ txn_no: first }]);
    expect((await hands.watched()).pointers).toBe(0);
  });

  test("closing the side one works in leaves the focus on the other's rows", async () => {
    const at = await makeFloor(hall, 2);
    const hands = await atWork(at);
    const first = await hands.target();
    await hands.pressAll("w", "s");
    await hands.page.locator("[data-side=beside] .grid .row[aria-rowindex]").first().waitFor();
    await hands.pressAll("g", "m");
    // the withdrawals that leave this side have an address of their own to write yet: it must not bring them back
    await hands.page.locator("[data-side=beside] .entity .decide").waitFor();
    expect(new URL(hands.page.url()).searchParams.get("beside")).toContain("/payment/merchants");
    await expect.poll(() => hands.target()).not.toBe(first);
    await hands.pressAll("w", "s");
    await hands.page.locator("[data-side=beside]").waitFor({ state: "detached" });
    await expect.poll(() => hands.target()).toBe(first);
    await hands.press("j");
    await expect.poll(() => hands.target()).not.toBe(first);
  });

  test("marks of one side stay when Esc is pressed in the other", async () => {
    const at = await makeFloor(hall, 2);
    const hands = await atWork(at);
    const { page } = hands;
    await hands.press("x");
    await page.locator(".stat .aim.many").waitFor();
    await palette(hands, "Merchants");
    await hands.press("Enter", { mod: true });
    await page.locator("[data-side=beside] .detail .decide").waitFor();
    await hands.press("Escape");
    await hands.press("Escape");
    expect(await page.locator("[data-side=main] .row[aria-selected=true]").count()).toBe(1);
    await page.locator("[data-side=main] .acts .aim", { hasText: "1" }).waitFor();
  });
});

describe("undo and messages", () => {
  test("what can be taken back counts down in the status bar; z takes back the last, z again the one before", async () => {
    const at = await makeFloor(hall, 3, 0, { recall_seconds: 60 });
    const hands = await atWork(at);
    const { page } = hands;
    await hands.press("q");
    const first = await hands.look();
    await hands.press("a");
    const second = await hands.look(first);
    await hands.press("a");
    await hands.look(second);
    const undo = page.locator(".stat .undo");
    await undo.locator("kbd", { hasText: "z" }).waitFor();
    const left = async () => Number(/(\d+)/.exec(await undo.locator("b").innerText())?.[1]);
    const now = await left();
    expect(now).toBeGreaterThan(15);
    expect(now).toBeLessThanOrEqual(60);
    await expect.poll(left).toBeLessThan(now);
    const inProcess = async () => {
      const { rows } = await hall.db.owner.query<{ txn_no: string }>(
        "select txn_no from transactions where tenant_id = $1 and status = 'process' order by txn_no",
        [at.office.tenant.id],
      );
      return rows.map((row) => row.txn_no);
    };
    const working = await inProcess();
    // the answers stay away: who presses on does not wait for them
    const answers = Promise.withResolvers<void>();
    await page.route(/withdrawals\/recall/, async (route) => {
      const response = await route.fetch();
      await answers.promise;
      await route.fulfill({ response });
    });
    await hands.press("z");
    await expect.poll(inProcess).toEqual([...working, second].toSorted());
    await hands.press("z");
    await expect.poll(inProcess).toEqual([...working, first, second].toSorted());
    await undo.waitFor({ state: "detached" });
    await hands.press("z");
    await hands.said(/Nothing to undo/);
    answers.resolve();
    await hands.said(/Recalled/);
  });

  test("what is taken back is under the cursor again, and the list stands where it stood", async () => {
    const at = await makeFloor(hall, 45, 0, { recall_seconds: 60 });
    const hands = await atWork(at);
    await hands.press("t");
    const first = await hands.look();
    await hands.press("a");
    await expect.poll(() => hands.target()).not.toBe(first);
    await hands.press("z");
    await hands.said(/Recalled/);
    expect(await hands.page.locator("[role=grid]").evaluate((grid) => grid.scrollTop)).toBe(0);
    await expect.poll(() => hands.target()).toBe(first);
  });

  test("a toast goes after five seconds, waits while the pointer is on it, and stays to be read in the messages", async () => {
    const at = await makeFloor(hall, 1);
    const hands = await atWork(at);
    const { page } = hands;
    await page.clock.install();
    const lists = /\/withdrawals\/claim/;
    await page.route(lists, (route) => route.fulfill({ status: 500, json: { message: "The server failed.", code: "server.failed" } }));
    const toast = await holdToast(page, () => hands.press("t"));
    const text = await toast.locator(".toast-text").innerText();
    // its time, and then the time in which it would go
    await page.clock.fastForward(30_000);
    await page.clock.runFor(1_000);
    expect(await toast.isVisible()).toBe(true);
    await page.mouse.move(300, 500);
    await page.clock.fastForward(6_000);
    await toast.waitFor({ state: "detached" });
    await palette(hands, "Messages");
    await hands.press("Enter");
    await page.locator(".said-list li", { hasText: text }).waitFor();
  });

  test("without a line the age of the data is said and money does not move; with it the same key acts again", async () => {
    const at = await makeFloor(hall, 2);
    const hands = await atWork(at);
    const { page } = hands;
    await hands.press("q");
    const first = await hands.look();
    await page.context().setOffline(true);
    await page.keyboard.press("Shift+R");
    const strip = page.locator(".strip", { hasText: "Actions on money are paused" });
    await strip.waitFor();
    const age = () => strip.locator("bdi").innerText();
    const old = await age();
    await expect.poll(age).not.toBe(old);
    await expect.poll(() => page.locator(".acts .btn.go").getAttribute("aria-disabled")).toBe("true");
    await hands.press("a");
    await hands.said(/Offline: actions that move money/);
    const approved = async () => {
      const { rows } = await hall.db.owner.query<{ n: number }>(
        "select count(*)::integer as n from transactions where tenant_id = $1 and status = 'approved'",
        [at.office.tenant.id],
      );
      return rows[0]?.n;
    };
    expect(await approved()).toBe(0);
    expect(await hands.target()).toBe(first);
    await page.context().setOffline(false);
    await strip.waitFor({ state: "detached" });
    await hands.look();
    await hands.press("a");
    await expect.poll(approved).toBe(1);
  });
});
