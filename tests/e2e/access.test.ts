import AxeBuilder from "@axe-core/playwright";
import type { Page } from "playwright";
import { expect, test } from "vitest";
import { testHall } from "../support/hall.ts";
import { makeFloor, sitDown } from "./floor.ts";

const hall = testHall();

async function faults(page: Page): Promise<string[]> {
  // every row of the grid's pool is made alike: five of them tell
  const { violations } = await new AxeBuilder({ page }).exclude(".grid .rows > .row:nth-child(n + 6)").analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`);
}

test.each(["light", "dark"] as const)(
  "axe finds nothing on sign-in, list, detail, sheets, palette and help in the %s theme",
  async (theme) => {
    const at = await makeFloor(hall, 3, 1);
    const signing = await hall.open();
    await signing.emulateMedia({ colorScheme: theme });
    expect(await faults(signing), "sign-in").toEqual([]);
    const hands = await sitDown(hall, at);
    await hands.page.emulateMedia({ colorScheme: theme });
    await hands.pressAll("g", "w", "q");
    await hands.look();
    expect(await faults(hands.page), "queue").toEqual([]);
    await hands.press("r");
    await hands.page.locator(".sheet").waitFor();
    expect(await faults(hands.page), "reason sheet").toEqual([]);
    await hands.press("Escape");
    await hands.page.locator(".sheet").waitFor({ state: "detached" });
    await hands.press("?");
    await hands.page.locator(".sheet").waitFor();
    expect(await faults(hands.page), "help").toEqual([]);
    await hands.press("Escape");
    await hands.page.locator(".sheet").waitFor({ state: "detached" });
    await hands.press("k", { mod: true });
    await hands.page.locator("[cmdk-root]").waitFor();
    expect(await faults(hands.page), "palette").toEqual([]);
  },
  120_000,
);

const keeper = ["view", "create", "update", "change-status", "delete"].flatMap((action) => [
  `pas.merchant.merchants.${action}`,
  `pas.account.accounts.${action}`,
]);

test.each(["light", "dark"] as const)(
  "axe finds nothing on merchants, their form, payment accounts and two screens side by side in the %s theme",
  async (theme) => {
    const at = await makeFloor(hall, 2);
    const operator = await hall.employ(at.office, "Siti Rahmah", [...keeper, "pas.transaction.withdrawals.view"]);
    const hands = await sitDown(hall, { operator });
    const { page } = hands;
    await page.emulateMedia({ colorScheme: theme });
    await hands.pressAll("g", "m");
    await page.locator(".entity .detail-pane h2").first().waitFor();
    expect(await faults(page), "merchants").toEqual([]);
    await hands.press("c");
    await page.locator(".sheet input").first().waitFor();
    expect(await faults(page), "form").toEqual([]);
    await hands.press("Escape");
    await page.locator(".sheet").waitFor({ state: "detached" });
    await hands.pressAll("g", "a");
    await page.locator(".entity .detail-pane h2").first().waitFor();
    expect(await faults(page), "payment accounts").toEqual([]);
    await hands.pressAll("w", "s");
    await page.locator("[data-side=beside] .detail-pane h2").first().waitFor();
    expect(await faults(page), "two screens").toEqual([]);
  },
  120_000,
);

test("Tab leads through the whole page, is caught nowhere, and comes round", async () => {
  const at = await makeFloor(hall, 3);
  const hands = await sitDown(hall, at);
  const { page } = hands;
  await hands.pressAll("g", "w");
  await hands.page.locator(".grid .rows .row[aria-rowindex]").first().waitFor();
  await page.locator(".decide .id").waitFor();
  const stops: { mark: string; pane: string }[] = [];
  const stop = () =>
    page.evaluate(() => {
      const element = document.activeElement;
      if (element === null || element === document.body) return { mark: "page", pane: "page" };
      const pane = element.closest<HTMLElement>("[data-pane]")?.dataset["pane"] ?? element.closest("header, footer")?.tagName ?? "frame";
      // an element that is met again has the number it was given
      const known = Number(element.getAttribute("data-stop") ?? document.querySelectorAll("[data-stop]").length);
      element.setAttribute("data-stop", String(known));
      return { mark: `${known} ${element.tagName} ${element.className}`, pane };
    });
  for (let press = 0; press < 150; press++) {
    await page.keyboard.press("Tab");
    const now = await stop();
    if (stops.length > 5 && now.mark === stops[0]?.mark) break;
    stops.push(now);
  }
  expect(stops.length, "comes round").toBeLessThan(150);
  // no stop twice: neither caught nor led in a circle
  expect(stops.map(({ mark }) => mark)).toEqual([...new Set(stops.map(({ mark }) => mark))]);
  expect([...new Set(stops.map(({ pane }) => pane))]).toEqual(
    expect.arrayContaining(["navigation", "filters", "list", "detail", "counters"]),
  );
});
