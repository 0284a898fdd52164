import { describe, expect, test } from "vitest";
import { testHall } from "../support/hall.ts";
import { atRest } from "./at-rest.ts";
import { focused, tabTo } from "./clerk.ts";
import { makeFloor, sitDown } from "./floor.ts";
import type { Operator } from "./operator.ts";
import { saveView } from "./save-view.ts";

const hall = testHall();

const rowsOf = (hands: Operator, side: "main" | "beside") => hands.page.locator(`[data-side=${side}] .grid .rows .row[aria-rowindex]`);
const beside = (hands: Operator) => new URL(hands.page.url()).searchParams.get("beside");
const type = (hands: Operator, text: string) => hands.page.keyboard.type(text);

describe("views", () => {
  test("filtered, sorted and saved on 3; after a reload 3 brings it back, and a change of it shows", async () => {
    const at = await makeFloor(hall, 3);
    await at.office.withdraw(at.merchant, { amount: "750.00" });
    const hands = await sitDown(hall, at);
    const { page } = hands;
    await hands.pressAll("g", "w");
    await rowsOf(hands, "main").first().waitFor();
    await hands.pressAll("ArrowRight", "ArrowRight", "f");
    await page.locator(".sheet input").waitFor();
    await type(hands, "500..1000");
    await hands.press("Enter");
    await expect.poll(() => rowsOf(hands, "main").count()).toBe(1);
    await saveView(hands, "Large", "3");
    await hands.press("1");
    await expect.poll(() => rowsOf(hands, "main").count()).toBe(4);
    await page.reload();
    await expect.poll(() => rowsOf(hands, "main").count()).toBe(4);
    await page.locator(".tabs [role=tab]", { hasText: "Large" }).waitFor();
    await hands.press("3");
    await expect.poll(() => rowsOf(hands, "main").count()).toBe(1);
    expect(await page.locator(".tabs [aria-selected=true]").innerText()).toContain("Large");
    await page.keyboard.press("Shift+Backspace");
    await expect.poll(() => rowsOf(hands, "main").count()).toBe(4);
    await page.locator(".tabs [aria-selected=true] .tag", { hasText: "changed" }).waitFor();
    await hands.press("0");
    await expect.poll(() => rowsOf(hands, "main").count()).toBe(1);
  });
});

describe("the detail", () => {
  test("i leads to the history of the row the cursor has just come to, each time; the next record begins with its head again", async () => {
    const at = await makeFloor(hall, 3);
    const hands = await sitDown(hall, at);
    const { page } = hands;
    await page.setViewportSize({ width: 1280, height: 480 });
    await hands.pressAll("g", "w");
    await rowsOf(hands, "main").first().waitFor();
    await atRest(page);
    const body = page.locator(".detail .body");
    const scrolled = () => body.evaluate(({ scrollTop }) => scrollTop);
    await hands.pressAll("ArrowDown", "i");
    await expect.poll(scrolled).toBeGreaterThan(100);
    await body.evaluate((element) => element.scrollTo(0, 0));
    await hands.press("i");
    await expect.poll(scrolled).toBeGreaterThan(100);
    // nor has the frame moved
    expect(await page.evaluate(() => document.documentElement.scrollHeight - innerHeight)).toBe(0);
    await hands.press("ArrowDown");
    await expect.poll(scrolled).toBe(0);
  });
});

describe("two screens", () => {
  test("a narrow screen shows what its line offers and where it is wrong above the rows; with more chips than there is room for, Filter stays in view", async () => {
    const at = await makeFloor(hall, 3);
    const hands = await sitDown(hall, at);
    const { page } = hands;
    await page.setViewportSize({ width: 1280, height: 720 });
    await hands.pressAll("g", "w");
    await rowsOf(hands, "main").first().waitFor();
    await hands.pressAll("w", "s");
    await rowsOf(hands, "beside").first().waitFor();
    const strip = page.locator("[data-side=beside] .views");
    const said = strip.locator(".find .offers");
    /** Whether it is drawn above all else there. */
    const isOnTop = () =>
      said.evaluate((element) => {
        const { left, bottom } = element.getBoundingClientRect();
        return element.contains(document.elementFromPoint(left + 20, bottom - 10));
      });
    await hands.press("/");
    await type(hands, "pending amount>5 age<30d -claimed ba");
    await said.getByRole("option").first().waitFor();
    expect(await isOnTop()).toBe(true);
    await type(hands, "x:1 ");
    await hands.press("Enter");
    await said.and(page.getByRole("alert")).waitFor();
    expect(await isOnTop()).toBe(true);
    for (const _ of "bax:1 ") await page.keyboard.press("Backspace");
    await hands.press("Enter");
    await expect.poll(() => strip.locator(".chip:not(.find, .add)").count()).toBe(4);
    await expect.poll(() => strip.evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)).toBe(true);
    const add = strip.locator(".chip.add");
    const [outer, inner] = [await strip.boundingBox(), await add.boundingBox()];
    expect(inner && outer && inner.x + inner.width <= outer.x + outer.width).toBe(true);
    await add.click();
    await page.locator(".sheet input").first().waitFor();
    await hands.press("Escape");
    // above what a list pins at its end, too
    await hands.pressAll("g", "l");
    const totals = page.locator("[data-side=beside] .grid .totals").first();
    await totals.waitFor();
    await page.setViewportSize({ width: 1280, height: 540 });
    await hands.press("/");
    await type(hands, "s");
    await said.getByRole("option").nth(3).waitFor();
    const [hung, pinned] = [await said.boundingBox(), await totals.boundingBox()];
    expect(hung && pinned && hung.y + hung.height - pinned.y).toBeGreaterThan(10);
    expect(await isOnTop()).toBe(true);
  });

  test("a report beside another screen has room for its rows", async () => {
    const { office } = await makeFloor(hall, 3);
    const hands = await sitDown(hall, { operator: await hall.employ(office, "Siti Rahmah", ["pas.report.account-daily.view"]) });
    const { page } = hands;
    await page.setViewportSize({ width: 1280, height: 720 });
    await hands.pressAll("g", "r");
    await page.locator(".report-strip").waitFor();
    await hands.pressAll("w", "s");
    await rowsOf(hands, "beside").first().waitFor();
    const room = () => page.locator("[data-side=beside] .grid").evaluate(({ clientHeight }) => clientHeight);
    await expect.poll(room).toBeGreaterThan(150);
  });

  test("side by side each has its filter and its cursor, both in the address; keys act where the focus is", async () => {
    const at = await makeFloor(hall, 3);
    const large = await at.office.withdraw(at.merchant, { amount: "750.00" });
    const hands = await sitDown(hall, at);
    const { page } = hands;
    await hands.pressAll("g", "w");
    await rowsOf(hands, "main").first().waitFor();
    await hands.pressAll("w", "s");
    await expect.poll(() => rowsOf(hands, "beside").count()).toBe(4);
    expect(beside(hands)).toBe("/payment/withdrawals");
    // the second screen has taken the focus: filter it, and the first stays as it was
    await hands.pressAll("ArrowRight", "ArrowRight", "f");
    await page.locator(".sheet input").waitFor();
    await type(hands, "750");
    await hands.press("Enter");
    await expect.poll(() => rowsOf(hands, "beside").count()).toBe(1);
    expect(await rowsOf(hands, "main").count()).toBe(4);
    expect(beside(hands)).toContain("amount=750");
    await expect.poll(() => hands.target()).toBe(large.txn_no);
    // F6 leads around both; acting on each side acts on its own row
    await hands.press("t");

    const held = async () =>
      (await hall.db.owner.query("select txn_no from transactions where tenant_id = $1 and claimed_by is not null", [at.office.tenant.id]))
        .rows;
    await expect.poll(held).toEqual([{ txn_no: large.txn_no }]);
    await page.locator("[data-side=main] .grid [role=grid], [data-side=main] [role=grid]").first().focus();
    await expect.poll(() => hands.target()).not.toBe(large.txn_no);
    const first = await hands.target();
    await hands.press("t");
    await expect
      .poll(async () => (await held()).map(({ txn_no }: { txn_no: string }) => txn_no).toSorted())
      .toEqual([first, large.txn_no].toSorted());
    await page.reload();
    await expect.poll(() => rowsOf(hands, "beside").count()).toBe(1);
    await expect.poll(() => rowsOf(hands, "main").count()).toBe(4);
    await hands.pressAll("w", "s");
    await expect.poll(() => rowsOf(hands, "beside").count()).toBe(0);
    expect(beside(hands)).toBeNull();
  });

  test("Mod+Enter in the palette opens the record found by its last digits beside the list", async () => {
    const at = await makeFloor(hall, 2);
    const sought = await at.office.withdraw(at.merchant, { amount: "333.00" });
    const hands = await sitDown(hall, at);
    const { page } = hands;
    await hands.pressAll("g", "w");
    await rowsOf(hands, "main").first().waitFor();
    await hands.press("k", { mod: true });
    await page.locator("[cmdk-input]").waitFor();
    await type(hands, sought.txn_no.slice(-6));
    await page.locator("[cmdk-item][data-selected=true]", { hasText: sought.txn_no }).waitFor();
    await hands.press("Enter", { mod: true });
    await expect.poll(() => rowsOf(hands, "beside").count()).toBe(1);
    expect(beside(hands)).toContain(sought.id);
    expect(await rowsOf(hands, "main").count()).toBe(3);
  });

  test("Mod+Enter before the find has answered waits for it, as Enter does", async () => {
    const { at, hands, page } = await atList(2);
    const sought = await at.office.withdraw(at.merchant, { amount: "333.00" });
    const pressed = Promise.withResolvers<void>();
    await page.route(/\/search\?/, async (route) => {
      await pressed.promise;
      await route.continue();
    });
    await hands.press("k", { mod: true });
    await page.locator("[cmdk-input]").fill(sought.txn_no.slice(-6));
    await page.locator("[cmdk-item][data-selected=true]", { hasText: sought.txn_no.slice(-6) }).waitFor();
    await hands.press("Enter", { mod: true });
    pressed.resolve();
    await page.locator(".pal").waitFor({ state: "detached" });
    await expect.poll(() => rowsOf(hands, "beside").count()).toBe(1);
    expect(beside(hands)).toContain(sought.id);
  });
});

const focus = (hands: Operator) =>
  hands.page.evaluate(() => {
    const element = document.activeElement;
    return element?.getAttribute("role") === "separator"
      ? "separator"
      : (element?.closest<HTMLElement>("[data-pane]")?.dataset["pane"] ?? "none");
  });
const dividers = (hands: Operator) => hands.page.locator("[role=separator]");
const value = async (hands: Operator) => Number(await hands.page.locator("[role=separator]:focus").getAttribute("aria-valuenow"));

async function atList(rows = 2) {
  const at = await makeFloor(hall, rows);
  const hands = await sitDown(hall, at);
  await hands.pressAll("g", "w");
  await rowsOf(hands, "main").first().waitFor();
  await hands.page.locator(".decide .id").waitFor();
  return { at, hands, page: hands.page };
}

async function run(hands: Operator, words: string): Promise<void> {
  await hands.press("k", { mod: true });
  await hands.page.locator("[cmdk-input]").fill(words);
  await hands.page.locator("[cmdk-item][data-selected=true]", { hasText: words }).waitFor();
  await hands.press("Enter");
  await hands.page.locator(".pal").waitFor({ state: "detached" });
}

const keptPanes = async (user: string) => {
  const { rows } = await hall.db.owner.query<{ panes: Record<string, number> | null }>(
    "select parts->'panes' as panes from user_preferences where user_id = $1",
    [user],
  );
  return rows[0]?.panes ?? {};
};

describe("panes", () => {
  test("zoomed from navigation, counters or filters, the list takes the room and the focus; the detail takes it for itself", async () => {
    const { hands, page } = await atList();
    for (const key of ["n", "c", "f"]) {
      await hands.pressAll("w", key);
      await hands.pressAll("w", "z");
      await page.locator("[data-pane=navigation]").waitFor({ state: "detached" });
      expect(await focus(hands), `from w ${key}`).toBe("list");
      await hands.pressAll("w", "z");
      await page.locator("[data-pane=navigation]").waitFor();
      expect(await focus(hands)).toBe("list");
    }
    await hands.pressAll("w", "d", "w", "z");
    await page.locator("[data-pane=list]").waitFor({ state: "detached" });
    expect(await focus(hands)).toBe("detail");
  });

  test("the divider is worked by keys alone: arrows, ends, hidden and back by Enter, the focus staying on it", async () => {
    const { hands, page } = await atList();
    await hands.pressAll("w", "r");
    const before = await value(hands);
    await page.keyboard.press("ArrowLeft");
    expect(await value(hands)).toBe(before + 16);
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    expect(await value(hands)).toBe(before - 16);
    const limits = await dividers(hands).evaluate((element) => [Number(element.ariaValueMin), Number(element.ariaValueMax)]);
    await page.keyboard.press("Home");
    expect(await value(hands)).toBe(limits[0]);
    await page.keyboard.press("End");
    expect(await value(hands)).toBe(limits[1]);
    await hands.press("Enter");
    await page.locator("[data-pane=detail]").waitFor({ state: "detached" });
    expect([await focus(hands), await value(hands)]).toEqual(["separator", 0]);
    await hands.press("Enter");
    await page.locator("[data-pane=detail]").waitFor();
    expect([await focus(hands), await value(hands)]).toEqual(["separator", limits[1]]);
    await hands.press("Escape");
    expect(await focus(hands)).toBe("list");
  });

  test("the detail gets the focus back where it was; size, side and what is hidden follow the person to another browser", async () => {
    const { hands, page, at } = await atList();
    await hands.pressAll("w", "d");
    // kept in a view whose records have yet to come, and in one without any
    const staysIn = async (view: string, name: string) => {
      await hands.press(view);
      await page.getByRole("tab", { name, selected: true }).waitFor();
      await atRest(page);
      expect(await focus(hands), `in the detail of ${name}`).toBe("detail");
    };
    await staysIn("4", "Today");
    await staysIn("2", "Mine");
    await hands.press("1");
    await page.locator(".decide .id").waitFor();
    await tabTo(page, /^Approve/);
    await hands.pressAll("w", "l");
    expect(await focus(hands)).toBe("list");
    await hands.pressAll("w", "d");
    expect(await focused(page)).toMatch(/^Approve/);

    await hands.pressAll("w", "o", "w", "r");
    expect(await dividers(hands).getAttribute("aria-orientation")).toBe("horizontal");
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowUp");
    const size = await value(hands);
    await run(hands, "Show or hide the counters");
    await run(hands, "Show or hide navigation");
    await page.locator("[data-pane=navigation], [data-pane=counters]").first().waitFor({ state: "detached" });
    expect(await focus(hands)).not.toBe("none");
    await expect.poll(() => keptPanes(at.operator.id)).toMatchObject({ turned: 1, "hidden.navigation": 1, "hidden.counters": 1 });
    const second = await sitDown(hall, at);
    await second.pressAll("g", "w");
    await second.page.locator(".decide .id").waitFor();
    await expect.poll(() => dividers(second).getAttribute("aria-orientation")).toBe("horizontal");
    expect(Number(await dividers(second).getAttribute("aria-valuenow"))).toBe(size);
    expect(await second.page.locator("[data-pane=navigation], [data-pane=counters]").count()).toBe(0);
    // w n brings it back to go there
    await second.pressAll("w", "n");
    await expect.poll(() => focus(second)).toBe("navigation");
  });

  test("w r leads to the divider of the side in use, then to the one between the screens, whose share is kept", async () => {
    const { hands, page, at } = await atList();
    await hands.pressAll("w", "s");
    await rowsOf(hands, "beside").first().waitFor();
    const sideOf = () => page.evaluate(() => document.activeElement?.closest<HTMLElement>("[data-side]")?.dataset["side"] ?? "between");
    await hands.pressAll("w", "r");
    expect([await focus(hands), await sideOf()]).toEqual(["separator", "beside"]);
    for (let presses = 0; presses < 3 && (await sideOf()) !== "between"; presses++) await hands.pressAll("w", "r");
    expect(await value(hands)).toBe(50);
    await page.keyboard.press("ArrowLeft");
    expect(await value(hands)).toBe(52);
    await page.keyboard.press("Home");
    expect(await value(hands)).toBe(25);
    const widths = await page.locator("[data-side]").evaluateAll((all) => all.map((element) => element.getBoundingClientRect().width));
    expect((widths[0] ?? 0) / (widths[1] ?? 1)).toBeCloseTo(3, 0);
    await expect.poll(() => keptPanes(at.operator.id)).toMatchObject({ second: 25 });
    await page.reload();
    await rowsOf(hands, "beside").first().waitFor();
    expect(await page.locator(".places > .splitter").getAttribute("aria-valuenow")).toBe("25");
  });
});
