import type { Page } from "playwright";
import { expect, test } from "vitest";
import { wordedReasons } from "../../src/contract/settings.ts";
import { withdrawalHandlers } from "../../src/server/payments/withdrawals.ts";
import { testHall } from "../support/hall.ts";
import { body } from "../support/payments.ts";
import { atRest } from "./at-rest.ts";
import { makeFloor, sitDown } from "./floor.ts";

const hall = testHall();

/** Texts of these that stand outside the first of `around` they are in, or are cut by anything between. */
const outside = (page: Page, around: string, texts: string) =>
  page.evaluate(
    ([frame, chosen]) => {
      const found: string[] = [];
      for (const one of document.querySelectorAll<HTMLElement>(chosen)) {
        if (!one.checkVisibility() || one.closest(".sr") !== null) continue;
        const at = one.getBoundingClientRect();
        for (let over = one.parentElement; over !== null; over = over.parentElement) {
          const isFrame = over.matches(frame);
          if (!isFrame && getComputedStyle(over).overflowX === "visible") continue;
          const { left, right } = over.getBoundingClientRect();
          if (at.left < left - 1 || at.right > right + 1) found.push(one.innerText);
          if (isFrame) break;
        }
      }
      return found;
    },
    [around, texts] as const,
  );

const speak = (language: string) => (page: Page) => page.context().addCookies([{ name: "language", value: language, url: hall.url() }]);

test("at 1280 wide in German views and filter can be come by, no figure is cut, and no count lies on an icon", async () => {
  const at = await makeFloor(hall, 0);
  await at.office.withdraw(at.merchant, { amount: "345678.90" });
  await hall.db.owner.query(
    "update payment_accounts set withdrawal_daily_limit = 9000000000, withdrawal_monthly_limit = 90000000000 where id = $1",
    [at.account.id],
  );
  for (const [n, code] of wordedReasons.entries()) {
    const { uuid, version } = await at.office.claimed(at.merchant, { amount: `${n + 1}.00` });
    await withdrawalHandlers.rejectWithdrawals(at.office.call(), body({ rows: [{ uuid, version }], reason: { code, note: "as agreed" } }));
  }
  const { page } = await sitDown(hall, at, "us", { viewport: { width: 1280, height: 720 }, before: speak("de") });
  await page.locator(".ck").nth(5).waitFor();
  expect(await outside(page, ".detail", ".decide .tag, .decide .amt > bdi, .decide .id, .ck b bdi")).toEqual([]);
  expect(await page.locator(".views [role=tab]:visible").count()).toBe(6);
  expect(await outside(page, ".views", ".views [role=tab], .views .chip.add, .views .more-views")).toEqual([]);
  const covered = await page.locator(".nav a:has(u)").evaluateAll(
    (links) =>
      links.filter((link) => {
        const [count, icon] = ["u", ".i"].map((part) => link.querySelector(part)?.getBoundingClientRect());
        return count && icon && count.bottom > icon.top + 1 && count.right > icon.left && count.left < icon.right;
      }).length,
  );
  expect(covered).toBe(0);
  expect(await page.locator(".nav a:has(u)").count()).toBeGreaterThan(0);

  // beside another screen there is room for a few: the one in use stays, and all are behind one button
  const chosen = (name: string) => page.getByRole("tab", { name, selected: true }).first().waitFor();
  await page.keyboard.press("6");
  await chosen("Alle");
  await atRest(page);
  await page.keyboard.press("w");
  await page.keyboard.press("s");
  await page.locator(".places.two .views").nth(1).waitFor();
  await atRest(page);
  expect(await page.locator(".views").first().locator("[role=tab][aria-selected=true]:visible").count()).toBe(1);
  expect(await outside(page, ".views", ".views [role=tab], .views .chip.add, .views .more-views")).toEqual([]);
  await page.locator(".views").last().getByRole("button", { name: "Alle Ansichten" }).click();
  await page.getByRole("option", { name: "Heute" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.keyboard.press("w");
  await page.keyboard.press("s");
  await page.locator(".places.two").waitFor({ state: "detached" });

  // the detail below the list: labels stay near their values
  await page.setViewportSize({ width: 1920, height: 1080 });
  await page.keyboard.press("1");
  await chosen("Arbeitsliste");
  await atRest(page);
  await page.keyboard.press("w");
  await page.keyboard.press("o");
  await page.locator(".split.turned .ck").nth(5).waitFor();
  const widest = await page
    .locator(".split.turned .ck")
    .evaluateAll((lines) => Math.max(...lines.map((line) => line.getBoundingClientRect().width)));
  expect(widest).toBeLessThan(640);

  // what the counters leave out is said
  await expect.poll(() => page.locator(".side .reason-bar").count()).toBe(6);
  expect(await page.locator(".side .more").innerText()).toBe("und 1 weiterer");
});

test("in Arabic no letters are set apart, and a dot between two texts is between them", async () => {
  const { page } = await sitDown(hall, await makeFloor(hall, 1), "us", { before: speak("ar") });
  await page.locator(".stat .aim .id").waitFor();
  const spaced = await page.evaluate(
    () =>
      [...document.querySelectorAll("body *")].filter(
        (element) => /[\u0600-\u06ff]/.test(element.textContent) && !["normal", "0px"].includes(getComputedStyle(element).letterSpacing),
      ).length,
  );
  expect(spaced).toBe(0);
  const places = await page.locator(".stat .aim").evaluate((aim) => {
    const left = (part: Element | null) => part?.getBoundingClientRect().left ?? 0;
    const note = aim.querySelector("bdi:last-child");
    const dot = document.createRange();
    const text = document.createTreeWalker(aim, NodeFilter.SHOW_TEXT);
    while (text.nextNode()) if (text.currentNode.textContent?.includes("·")) break;
    const at = text.currentNode.textContent?.indexOf("·") ?? 0;
    dot.setStart(text.currentNode, at);
    dot.setEnd(text.currentNode, at + 1);
    return [left(aim.querySelector(".id")), dot.getBoundingClientRect().left, left(note)];
  });
  expect(places).toEqual(places.toSorted((a, b) => b - a));
});

test("signing in on a telephone says to what", async () => {
  const page = await hall.open({ viewport: { width: 400, height: 800 } });
  await page.getByRole("button", { name: "Sign in" }).waitFor();
  expect(await page.getByText("Countinghouse", { exact: true }).filter({ visible: true }).count()).toBe(1);
});
