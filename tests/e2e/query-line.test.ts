import { expect, test } from "vitest";
import { bookLine } from "../support/bank-lines.ts";
import { testHall } from "../support/hall.ts";
import { atRest } from "./at-rest.ts";
import { faultsInBothThemes } from "./faults.ts";
import { makeFloor, sitDown } from "./floor.ts";

const hall = testHall();

test("one line finds and filters by keys: it is completed, means chips, takes them back, and says where it is wrong", async () => {
  const at = await makeFloor(hall, 2);
  await at.office.withdraw(at.merchant, { amount: "900.00", customer_name: "Lim Siew Ching" });
  const hands = await sitDown(hall, at);
  const { page } = hands;
  const rows = page.locator(".grid .rows .row[aria-rowindex]");
  await expect.poll(() => rows.count()).toBe(3);
  const field = page.getByRole("combobox", { name: /^Find/ });
  const asked = (name: string) => new URL(page.url()).searchParams.get(name);
  await hands.watch();

  // an amount without a field is the list's own
  await hands.press("/");
  await page.keyboard.type(">500");
  await expect.poll(() => rows.count()).toBe(1);
  expect(asked("amount")).toBe("500.01..");
  await page.locator(".chip", { hasText: "Amount" }).waitFor();

  // a value is offered while it is typed, and Tab takes it
  await page.keyboard.type(" pend");
  const offer = page.getByRole("option", { selected: true });
  await expect.poll(() => offer.innerText()).toContain("status:pending");
  // the list searches for the letters meanwhile: looked at before that, its rows may be dimmed
  await expect.poll(() => asked("q")).toBe("pend");
  await atRest(page);
  expect(await faultsInBothThemes(page)).toEqual([]);
  await page.keyboard.press("Tab");
  await expect.poll(() => asked("status")).toBe("pending");
  await hands.press("Enter");
  await atRest(page);
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute("role"))).toBe("grid");
  // away from it the field shows the words alone
  expect(await field.inputValue()).toBe("");

  // whoever comes back has the whole line, and what is taken out of it is no filter any more
  await hands.press("/");
  expect(await field.inputValue()).toBe("status:pending amount:500.01.. ");
  await field.fill("siew");
  await expect.poll(() => asked("q")).toBe("siew");
  expect([asked("status"), asked("amount")]).toEqual([null, null]);

  // what cannot be read says where and what may have been meant; the list stays as it was
  await page.keyboard.press("Control+a");
  await page.keyboard.type("siew amout:5");
  await page.getByText("This list has no filter “amout”. Did you mean “amount”?").waitFor();
  expect(await page.locator(".offers.fault mark").innerText()).toBe("amout");
  expect(asked("q")).toBe("siew");
  await atRest(page);
  expect(await faultsInBothThemes(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await page.getByText("This list has no filter").waitFor({ state: "detached" });
  expect(await hands.watched()).toEqual({ onBody: 0, pointers: 0 });
});

test("the palette answers a line with count, sum, the oldest and its first rows, and opens the list it is of", async () => {
  const at = await makeFloor(hall, 2);
  await at.office.withdraw(at.merchant, { amount: "900.00", customer_name: "Lim Siew Ching" });
  await at.office.withdraw(at.merchant, { amount: "700.00", customer_name: "Goh Kah Hoe" });
  const hands = await sitDown(hall, at);
  const { page } = hands;
  await hands.press("k", { mod: true });
  // what may follow is offered, and Tab takes it, in the middle of the line too
  const input = page.locator("[cmdk-input]");
  await input.waitFor();
  await page.keyboard.type("wd >500");
  for (const _ of " >500") await page.keyboard.press("ArrowLeft");
  await page.keyboard.type(" pend");
  await page.locator(".res", { hasText: "status:pending" }).waitFor();
  await atRest(page);
  expect(await faultsInBothThemes(page)).toEqual([]);
  await page.keyboard.press("Tab");
  expect(await input.inputValue()).toBe("wd status:pending >500");
  expect(await input.evaluate((field: HTMLInputElement) => field.selectionStart)).toBe("wd status:pending".length);
  await page.locator(".res", { hasText: "Status Pending" }).getByText("Found: 2").waitFor();
  // a word of the reader's does as well, and the mouse
  await input.fill("wd stat");
  await page.locator(".res .nm").getByText("status:", { exact: true }).click();
  await expect.poll(() => input.inputValue()).toBe("wd status:");
  await input.fill("wd pending >500");
  const entry = page.locator(".res", { has: page.locator(".asks") });
  await entry.getByText("Found: 2 · Sum 1,600.00 · Oldest").waitFor();
  expect(await entry.locator(".asks > span").allInnerTexts()).toEqual(["Status Pending", "Amount 500.01.."]);
  await page.locator(".res", { hasText: "Lim Siew Ching" }).waitFor();
  await atRest(page);
  expect(await faultsInBothThemes(page)).toEqual([]);
  await expect
    .poll(() => page.locator(".res[aria-selected=true]").innerText())
    .toMatch(/^Withdrawals\s+Status Pending\s+Amount 500\.01\.\./);
  await hands.press("Enter");
  await page.waitForURL(({ searchParams }) => searchParams.get("amount") === "500.01.." && searchParams.get("status") === "pending");
  await expect.poll(() => page.locator(".grid .rows .row[aria-rowindex]").count()).toBe(2);

  // one that cannot be read says why
  await hands.press("k", { mod: true });
  await page.keyboard.type("wd amout:5");
  await page.locator(".res", { hasText: "Did you mean “amount”?" }).waitFor();
  expect(await page.locator(".res mark.wrong").allInnerTexts()).toEqual(["amout"]);
  expect(await faultsInBothThemes(page)).toEqual([]);
  await page.keyboard.press("Enter");
  expect(await input.inputValue()).toBe("wd amout:5");

  // Enter before the answer opens the list of what is typed, not of what was answered before
  await input.fill("wd pending");
  await entry.getByText("Found: 4").waitFor();
  await page.keyboard.type(" >800");
  await page.keyboard.press("Enter");
  await page.waitForURL(({ searchParams }) => searchParams.get("amount") === "800.01..");

  // nor a record that was found by a name before, nor does a line that could not be read stand in its way
  await page.locator(".pal").waitFor({ state: "detached" });
  await hands.press("k", { mod: true });
  await input.fill("goh kah");
  await page.locator(".res", { hasText: "Goh Kah Hoe" }).waitFor();
  await input.fill("wd process");
  await page.keyboard.press("Enter");
  await page.waitForURL(({ searchParams }) => searchParams.get("status") === "process");
  await page.locator(".pal").waitFor({ state: "detached" });
  await hands.press("k", { mod: true });
  await input.fill("wd amout:5");
  await page.locator(".res", { hasText: "Did you mean “amount”?" }).waitFor();
  await input.fill("wd amount:700");
  await page.keyboard.press("Enter");
  await page.waitForURL(({ searchParams }) => searchParams.get("amount") === "700");
});

test("deposits, bank lines and merchants answer their lines as well, and Mod+Enter opens the list beside", async () => {
  const at = await makeFloor(hall, 1);
  for (const amount of ["600.00", "800.00", "40.00"]) await at.office.deposit(at.merchant, { amount });
  const line = {
    time: new Date(),
    direction: "credit",
    counterparty: null,
    counterparty_account: null,
    description: "",
    balance: null,
  } as const;
  for (const amount of ["550.00", "30.00"]) await bookLine(at.office, at.account.id, { ...line, amount, reference: `FT ${amount}` });
  const operator = await hall.employ(at.office, "Noel Domingo", [
    "pas.transaction.withdrawals.view",
    "pas.transaction.deposits.view",
    "pas.transaction.bank-transactions.view",
    "pas.merchant.merchants.view",
  ]);
  const hands = await sitDown(hall, { operator });
  const { page } = hands;
  const input = page.locator("[cmdk-input]:focus");
  const grid = (side: "main" | "beside") => page.locator(`[data-side=${side}] .grid .rows .row[aria-rowindex]`);
  const beside = () => new URL(page.url()).searchParams.get("beside");
  await hands.watch();
  const ask = async (typed: string, entry: string, told: string) => {
    await hands.press("k", { mod: true });
    await input.waitFor();
    await page.keyboard.type(typed);
    await page.locator(".res[aria-selected=true]", { hasText: entry }).getByText(told).waitFor();
  };

  await ask("dp >500", "Amount 500.01..", "Found: 2 · Sum 1,400.00 · Oldest");
  await atRest(page);
  expect(await faultsInBothThemes(page)).toEqual([]);
  await hands.press("Enter", { mod: true });
  await expect.poll(() => grid("beside").count()).toBe(2);
  expect(beside()).toMatch(/^\/payment\/deposits\?.*amount=500\.01/);
  expect(await grid("main").count()).toBe(1);

  await ask("bt >500", "Amount 500.01..", "Found: 1 · Sum 550.00 · Oldest");
  await hands.press("Enter", { mod: true });
  await page.waitForURL(() => beside()?.startsWith("/payment/bank-transactions?") === true);
  await expect.poll(() => grid("beside").count()).toBe(1);

  await ask("mer active", "Status Active", "Found: 1 · Sum ");
  await hands.press("Enter", { mod: true });
  await page.waitForURL(() => beside()?.startsWith("/payment/merchants?") === true);
  await expect.poll(() => grid("beside").count()).toBe(1);
  expect(beside()).toContain("status=active");
  expect(await hands.watched()).toEqual({ onBody: 0, pointers: 0 });
});

test("what is done to all that match a line is done to exactly its rows, loaded or not", async () => {
  const at = await makeFloor(hall, 3);
  for (let n = 0; n < 101; n++) await at.office.withdraw(at.merchant, { amount: "900.00" });
  const hands = await sitDown(hall, at);
  const { page } = hands;
  await hands.press("/");
  await page.keyboard.type(">500");
  await page.waitForURL(({ searchParams }) => searchParams.get("amount") === "500.01..");
  await hands.press("Enter");
  await atRest(page);
  await page.keyboard.press("Control+a");
  await page.locator(".everything", { hasText: "100" }).waitFor();
  await page.keyboard.press("Control+a");
  await page.locator(".stat", { hasText: "101 marked" }).waitFor();
  await hands.press("r");
  await page.locator(".sheet", { hasText: "101" }).waitFor();
  await hands.pressAll("1", "Enter");
  await page.locator(".bulk").waitFor();
  await hands.press("Enter", { mod: true });
  // 101 acts in six requests, one after the other: the test's own limit is theirs
  await page.locator(".bulk-counts", { hasText: "Done 101" }).waitFor({ timeout: 0 });
  const { rows: found } = await hall.db.owner.query(
    "select status, amount::float as amount, count(*)::integer as n from transactions where tenant_id = $1 group by 1, 2 order by 1",
    [at.office.tenant.id],
  );
  expect(found).toEqual([
    { status: "pending", amount: 100, n: 3 },
    { status: "rejected", amount: 900, n: 101 },
  ]);
});
