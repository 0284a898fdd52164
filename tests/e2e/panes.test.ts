import { describe, expect, test } from "vitest";
import { testHall } from "../support/hall.ts";
import { makeFloor, sitDown } from "./floor.ts";
import type { Operator } from "./operator.ts";

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
    await hands.press("k", { mod: true });
    await page.locator("[cmdk-input]").waitFor();
    await type(hands, "Save as a new view");
    await page.locator("[cmdk-item]", { hasText: "Save as a new view" }).waitFor();
    await hands.press("Enter");
    await page.locator(".sheet input").waitFor();
    await type(hands, "Large");
    await hands.press("Enter");
    await page.locator(".sheet", { hasText: "On which key" }).waitFor();
    await hands.press("3");
    await page.locator(".sheet", { hasText: "Who shall see" }).waitFor();
    await hands.press("1");
    await hands.said(/View saved: Large/);
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

describe("two screens", () => {
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
    await page.locator("[cmdk-item]", { hasText: sought.txn_no }).waitFor();
    await hands.press("Enter", { mod: true });
    await expect.poll(() => rowsOf(hands, "beside").count()).toBe(1);
    expect(beside(hands)).toContain(sought.id);
    expect(await rowsOf(hands, "main").count()).toBe(3);
  });
});
