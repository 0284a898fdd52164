import type { Page } from "playwright";
import { describe, expect, test } from "vitest";
import { testHall } from "../support/hall.ts";
import { makeFloor, sitDown } from "./floor.ts";

const hall = testHall();

describe("at 400 % zoom and on a telephone", () => {
  /** What is drawn outside the window or cut off, but for what scrolls by itself: the grid, and the strip of views. */
  const lost = (page: Page): Promise<string[]> =>
    page.evaluate(() => {
      const root = document.documentElement;
      const found = root.scrollWidth > innerWidth ? [`the page is ${root.scrollWidth} wide`] : [];
      for (const element of document.querySelectorAll<HTMLElement>("body *")) {
        if (element.closest(".grid, .views, .sr, .modes, svg") !== null) continue;
        const { visibility, overflowX, clipPath } = getComputedStyle(element);
        const { left, right, width } = element.getBoundingClientRect();
        if (visibility === "hidden" || width <= 1 || clipPath !== "none") continue;
        const name = `${element.tagName.toLowerCase()}.${element.className}`;
        if (right > innerWidth + 1 || left < -1) found.push(`${name} reaches from ${Math.round(left)} to ${Math.round(right)}`);
        else if (
          overflowX === "hidden" &&
          element.matches(".btn *, .sheet-foot *, h1, h2, .decide .pan") &&
          element.scrollWidth > element.clientWidth + 1
        )
          found.push(`${name} is cut: ${element.innerText.slice(0, 40)}`);
      }
      return found;
    });
  const sizes = [
    { width: 320, height: 640 },
    { width: 320, height: 256 },
    { width: 360, height: 740 },
  ];

  test("signing in", async () => {
    const page = await hall.open();
    // an empty page loses nothing
    await page.getByRole("button", { name: "Sign in" }).waitFor();
    for (const size of sizes) {
      await page.setViewportSize(size);
      expect(await lost(page), `${size.width} × ${size.height}`).toEqual([]);
      const button = page.getByRole("button", { name: "Sign in" });
      await button.scrollIntoViewIfNeeded();
      expect(await button.isVisible()).toBe(true);
    }
  });

  test("withdrawals and merchants: nothing sticks out or is cut, and every act can be come by", async () => {
    const at = await makeFloor(hall, 3);
    const hands = await sitDown(hall, {
      operator: await hall.employ(at.office, "Siti Rahmah", [
        "pas.merchant.merchants.view",
        "pas.merchant.merchants.update",
        "pas.merchant.merchants.delete",
        ...["view", "process", "approve", "reject"].map((act) => `pas.transaction.withdrawals.${act}`),
      ]),
    });
    const { page } = hands;
    const look = async (what: string) => {
      for (const size of sizes) {
        await page.setViewportSize(size);
        // the panes have turned, and are drawn anew
        await page.locator(".split.turned").waitFor();
        expect(await lost(page), `${what} at ${size.width} × ${size.height}`).toEqual([]);
        for (const button of await page.locator(".acts .btn, .views .btn").all()) {
          await button.scrollIntoViewIfNeeded();
          const { inside, name } = await button.evaluate((element) => {
            const { left, right, top, bottom } = element.getBoundingClientRect();
            const over = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
            return { inside: element.contains(over) && left >= 0 && right <= innerWidth + 1, name: element.textContent };
          });
          expect(inside, `${name} of ${what} at ${size.width} × ${size.height}`).toBe(true);
        }
      }
    };
    await hands.pressAll("g", "w");
    await page.locator(".detail .sec:not(.late)").first().waitFor();
    await look("withdrawals");
    await hands.press("r");
    await page.locator(".sheet .option").first().waitFor();
    expect(await lost(page), "reason sheet").toEqual([]);
    await hands.press("Escape");
    await page.locator(".sheet").waitFor({ state: "detached" });
    await hands.pressAll("g", "m");
    await page.getByRole("grid", { name: "Merchants" }).waitFor();
    await page.locator(".entity .detail .sec:not(.late)").first().waitFor();
    await look("merchants");
    await hands.press("e");
    await page.locator(".sheet input").first().waitFor();
    expect(await lost(page), "form").toEqual([]);
    await hands.press("Escape");
    await page.locator(".sheet").waitFor({ state: "detached" });
    await page.keyboard.press("Control+k");
    await page.locator("[cmdk-item]").first().waitFor();
    expect(await lost(page), "palette").toEqual([]);
  });
});
