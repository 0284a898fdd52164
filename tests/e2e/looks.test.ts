import type { Page } from "playwright";
import { expect, test } from "vitest";
import { wordedReasons } from "../../src/contract/settings.ts";
import { withdrawalHandlers } from "../../src/server/payments/withdrawals.ts";
import { makeAccount, makeMerchant } from "../support/factories.ts";
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

/** The keys of the status bar that are seen whole, in order, with nothing over them. */
const seenKeys = (page: Page) =>
  page.locator(".stat .keys").evaluate((keys) => {
    const bar = keys.getBoundingClientRect();
    return [...keys.querySelectorAll<HTMLElement>(":scope > span:not(.said)")].flatMap((key) => {
      const { left, right, top, bottom } = key.getBoundingClientRect();
      if (left < bar.left || right > bar.right || top < bar.top - 1 || bottom > bar.bottom + 1) return [];
      const over = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
      return over !== null && key.contains(over) ? [key.innerText.replaceAll(/\s+/g, " ")] : [];
    });
  });

const speak = (language: string) => (page: Page) => page.context().addCookies([{ name: "language", value: language, url: hall.url() }]);

test("at 1280 wide in German views and filter can be come by, no figure is cut, and no count lies on an icon", async () => {
  const at = await makeFloor(hall, 0);
  // figures as long as rupiah have, before and after
  const rich = await makeMerchant(hall.db, at.office.tenant, { wallet: "193394801.92" });
  await makeAccount(hall.db, at.office.tenant, { code: "BNI-03", balance: "903612468.42" });
  await at.office.withdraw(rich, { amount: "57010345.90" });
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
  // what is offered to somebody new leaves the keys their room
  await page.locator(".practice-offer").waitFor();
  await expect.poll(() => seenKeys(page)).toEqual(["a freigeben", "r ablehnen", "⇧ A freigeben mit", "q Warteschlange"]);
  expect(await outside(page, ".stat", ".stat .mode, .practice-offer .btn")).toEqual([]);
  expect(await outside(page, ".detail", ".decide .tag, .decide .amt > bdi, .decide .id, .ck b bdi, .tbl bdi")).toEqual([]);
  await expect.poll(() => page.locator(".views [role=tab]:visible").count()).toBe(6);
  expect(await outside(page, ".views", ".views [role=tab], .views .chip.add, .views .more-views")).toEqual([]);
  const covered = await page.locator(".nav a:has(u)").evaluateAll(
    (links) =>
      links.filter((link) => {
        const [count, icon] = ["u", ".icon"].map((part) => link.querySelector(part)?.getBoundingClientRect());
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
  // chips take room of the tabs while the strip stays as wide
  await page.keyboard.press("/");
  await page.keyboard.type("amount:>1 bank:maybank member:somebody -status:expired ");
  await page.locator(".views .chip:not(.add)").nth(3).waitFor();
  await atRest(page);
  expect(await page.locator(".views [role=tab]:visible").count()).toBeLessThan(6);
  expect(await outside(page, ".views", ".views [role=tab], .views .chip.add, .views .more-views")).toEqual([]);
  await page.goto(new URL("/payment/withdrawals", page.url()).href);
  await atRest(page);
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
  await expect.poll(() => page.locator(".side .more").innerText()).toBe("und 1 weiterer");
});

test("at 1280 wide in Russian what the keys act on is read whole, and so is what the first accounts need", async () => {
  const at = await makeFloor(hall, 2);
  await makeAccount(hall.db, at.office.tenant, { code: "LOW-1", balance: "500", threshold: "1000", purpose: "withdrawal" });
  const hands = await sitDown(hall, at, "us", { viewport: { width: 1280, height: 720 }, before: speak("ru") });
  const { page } = hands;
  await hands.pressAll("x", "ArrowDown", "x");
  const aim = page.locator(".acts .aim");
  await aim.waitFor();
  const [line, words] = await Promise.all([aim.boundingBox(), aim.locator(".strong").boundingBox()]);
  expect(words?.y).toBeGreaterThanOrEqual(line?.y ?? Infinity);
  expect((words?.y ?? 0) + (words?.height ?? 0)).toBeLessThanOrEqual((line?.y ?? 0) + (line?.height ?? 0));
  await page.goto(new URL("/payment/payment-account-live-balances", page.url()).href);
  await page.locator(".live-name").first().waitFor();
  await atRest(page);
  expect(await page.locator(".live-name").count()).toBeGreaterThan(0);
  expect(await outside(page, ".grid", ".live-name > span")).toEqual([]);
});

test("in Arabic no letters are set apart, a dot between two texts is between them, and the offer gives way to undo and keys", async () => {
  const floor = await makeFloor(hall, 2, 0, { recall_seconds: 60 });
  const hands = await sitDown(hall, floor, "us", { viewport: { width: 1280, height: 720 }, before: speak("ar") });
  const { page } = hands;
  await page.locator(".stat .aim .id").waitFor();
  const spaced = await page.evaluate(
    () =>
      [...document.querySelectorAll("body *")].filter(
        (element) => /[\u0600-\u06ff]/.test(element.textContent) && !["normal", "0px"].includes(getComputedStyle(element).letterSpacing),
      ).length,
  );
  expect(spaced).toBe(0);
  // a font of one width has letters that do not join
  const torn = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>("body *")].flatMap((element) => {
      const own = [...element.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE).map(({ textContent }) => textContent ?? "");
      return /[\u0600-\u06ff]/.test(own.join("")) && /mono/i.test(getComputedStyle(element).fontFamily) ? [own.join("")] : [];
    }),
  );
  expect(torn).toEqual([]);
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

  // the Arabic face is wider: a day with its time is whole all the same
  await hands.press("6");
  const times = page.locator(".grid .rows .row[aria-rowindex] .cell", { hasText: /\d{4}-\d\d-\d\d \d\d:\d\d/ });
  await times.first().waitFor();
  const cut = await times.evaluateAll(
    (cells) =>
      cells.filter((cell) => {
        const text = document.createRange();
        text.selectNodeContents(cell);
        const { paddingLeft, paddingRight } = getComputedStyle(cell);
        const room = cell.getBoundingClientRect().width - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
        return text.getBoundingClientRect().width > room;
      }).length,
  );
  expect(cut).toBe(0);
  await hands.press("1");
  await atRest(page);

  // while an approval can be taken back, what was said and the keys of the next one have the bar
  await page.locator(".practice-offer").waitFor();
  await hands.press("q");
  const first = await hands.look();
  await hands.press("a");
  await page.locator(".stat .undo").waitFor();
  await hands.look(first);
  await page.locator(".practice-offer").waitFor({ state: "hidden" });
  await expect.poll(async () => (await seenKeys(page)).slice(0, 2)).toEqual(["a اعتماد", "r رفض"]);
});

test("signing in on a telephone says to what; in German nothing beside the form reaches its edge", async () => {
  const page = await hall.open({ viewport: { width: 400, height: 800 } });
  await page.getByRole("button", { name: "Sign in" }).waitFor();
  expect(await page.getByText("Countinghouse", { exact: true }).filter({ visible: true }).count()).toBe(1);

  // beside the form the long German lines stay within the padding of their side
  const german = await hall.open({ viewport: { width: 1280, height: 720 }, before: speak("de") });
  await german.getByRole("button", { name: "Anmelden" }).waitFor();
  const beyond = await german.locator(".lg-left").evaluate((side) => {
    const within = side.getBoundingClientRect().right - Number.parseFloat(getComputedStyle(side).paddingInlineEnd);
    return (side.querySelector("table")?.getBoundingClientRect().right ?? Infinity) - within;
  });
  expect(beyond).toBeLessThanOrEqual(1);
});
