import type { Page } from "playwright";
import { beforeAll, describe, expect, test } from "vitest";
import { testHall } from "../support/hall.ts";
import type { Operator } from "./operator.ts";
import { atRest } from "./at-rest.ts";
import { makeFloor, sitDown } from "./floor.ts";
import type { Floor } from "./floor.ts";

const hall = testHall();
let floor: Floor;
beforeAll(async () => {
  floor = await makeFloor(hall, 2);
});

const gone = { status: 404, contentType: "application/json", body: "{}" };
const part = (name: string) => new RegExp(`/assets/${name}-[\\w-]+\\.js$`);
const accounts = part("payment-accounts-screen");

/** Signed in and at the withdrawals, whose part of the console has come. */
async function atWork(): Promise<{ hands: Operator; page: Page }> {
  const hands = await sitDown(hall, floor);
  await hands.page.locator("[role=grid]").first().waitFor();
  return { hands, page: hands.page };
}

const alert = (page: Page) => page.locator("main [role=alert]");
const alive = async (page: Page) => {
  await page.keyboard.press("g");
  await page.keyboard.press("w");
  await page.locator("[role=grid]").first().waitFor();
};

test("the page names the parts its screen waits for, in the user's language, so that they come beside the main script", async () => {
  const { page } = await atWork();
  await page.context().addCookies([{ name: "language", value: "de", url: hall.url() }]);
  const answer = await page.reload();
  expect(answer?.status()).toBe(200);
  await page.locator(".grid .rows .row[aria-rowindex]").first().waitFor();
  const named = new Set([...((await answer?.text()) ?? "").matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, file]) => file));
  const parts = await page.evaluate(() =>
    performance
      .getEntriesByType("resource")
      .map(({ name }) => new URL(name).pathname)
      .filter((path) => /^\/assets\/.*\.(js|css)$/.test(path)),
  );
  const asked = /\/(?:withdrawals-screen|commands|texts-[\w-]+\/(?:first|record|withdrawals))[.-]/;
  const waited = parts.filter((path) => asked.test(path));
  expect(waited.some((path) => path.endsWith("/withdrawals.de.js"))).toBe(true);
  expect(waited.length).toBeGreaterThan(5);
  expect(waited.filter((path) => !named.has(path))).toEqual([]);
});

test("the live client comes while it is still asked who is there, so that the line is open before the list is read", async () => {
  const { page } = await atWork();
  let pass = (): void => undefined;
  const client = new Promise<void>((resolve) => (pass = resolve));
  let isKnown = false;
  await page.route(/\/auth\/context$/, async (route) => {
    await client;
    isKnown = true;
    await route.continue();
  });
  const asked = page.waitForRequest(part("pusher"));
  await page.reload({ waitUntil: "commit" });
  await asked;
  expect(isKnown).toBe(false);
  pass();
  await page.locator(".grid .rows .row[aria-rowindex]").first().waitFor();
});

describe("a screen whose part of the console", () => {
  test("never comes stays where one was for 120 seconds, and is then an error with a retry, in the frame", async () => {
    const { page } = await atWork();
    // a question still open would run out of time with the clock, and say so
    await atRest(page);
    await page.clock.install();
    // from here on the time that passes is what the test lets pass
    await page.clock.pauseAt(Date.now() + 60_000);
    const asked = page.waitForRequest(accounts);
    await page.route(accounts, () => undefined);
    await page.keyboard.press("g");
    await page.keyboard.press("a");
    // its time begins with this
    await asked;
    await page.clock.runFor(110_000);
    expect(await alert(page).count()).toBe(0);
    await page.locator(".app main [role=grid]").waitFor();
    await page.clock.runFor(15_000);
    await alert(page).waitFor();
    expect(await alert(page).innerText()).toContain("two minutes");
    await page.locator(".app .nav").waitFor();
    expect(await page.getByRole("button", { name: "Try again" }).count()).toBe(1);
    // lets the part come that was held back: the screen may show itself at once
    await page.unroute(accounts);
    await page.clock.resume();
    await page.reload(); // as the button does; its click would wait for the clock to stand
    await page.locator("[role=grid]").first().waitFor();
    expect(new URL(page.url()).pathname).toBe("/payment/payment-accounts");
    hall.complained();
  });

  test("never comes to a page just opened says meanwhile that it is loading", async () => {
    const { page } = await atWork();
    await page.route(accounts, () => undefined);
    await page.clock.install();
    // the session's own calls must have been answered: their time runs out with the clock; whose session it is asks for their preferences
    const known = page.waitForRequest(/\/preferences$/);
    await page.goto(`${hall.url()}/payment/payment-accounts`);
    await page.locator("[role=status]", { hasText: "Loading" }).waitFor();
    await known;
    for (let minute = 0; minute < 3; minute++) await page.clock.runFor(41_000);
    await alert(page).waitFor();
    expect(await alert(page).innerText()).toContain("two minutes");
    hall.complained();
  });

  test("is gone asks for the page to be loaded again, once, and works where that brought it", async () => {
    const { page } = await atWork();
    await page.route(accounts, (route) => route.fulfill(gone));
    await page.keyboard.press("g");
    await page.keyboard.press("a");
    await alert(page).waitFor();
    expect(await alert(page).innerText()).toContain("reloading the page");
    const again = page.getByRole("button", { name: "Try again" });
    await again.click();
    await page.locator("main [role=alert]", { hasText: "still did not load" }).waitFor();
    await page.unroute(accounts);
    await again.click();
    await page.locator("[role=grid]").first().waitFor();
    expect(await page.evaluate(() => Object.keys(sessionStorage).filter((name) => name.includes("missing")))).toEqual([]);
    hall.complained();
  });

  test("fails once with the connection comes without a word of it", async () => {
    const { page } = await atWork();
    let asked = 0;
    // its preload and its import
    await page.route(accounts, (route) => (++asked <= 2 ? route.abort("connectionreset") : route.continue()));
    await page.keyboard.press("g");
    await page.keyboard.press("a");
    await page.waitForURL("**/payment/payment-accounts");
    await page.locator("main :is([role=grid], [role=alert])").first().waitFor();
    expect(await alert(page).count()).toBe(0);
    expect(asked).toBe(3);
  });
});

describe("a part that stands beside the page", () => {
  test("the palette: gone, it is said, the keys go on, and it comes the next time", async () => {
    const { hands, page } = await atWork();
    await page.route(part("palette"), (route) => route.fulfill(gone));
    await page.reload();
    await page.locator("[role=grid]").first().waitFor();
    await hands.press("k", { mod: true });
    await hands.said(/palette/i);
    await expect.poll(() => page.locator(".pal").count()).toBe(0);
    await alive(page);
    await page.unroute(part("palette"));
    await hands.press("k", { mod: true });
    await page.locator("[cmdk-input]").waitFor();
    hall.complained();
  });

  test("the key editor: gone, it is said, the keys go on, and it comes the next time", async () => {
    const { hands, page } = await atWork();
    await page.route(part("key-editor"), (route) => route.fulfill(gone));
    await openKeys(hands);
    await hands.said(/did not load/);
    await expect.poll(() => page.locator("[role=dialog][aria-busy]").count()).toBe(0);
    await alive(page);
    await page.unroute(part("key-editor"));
    await openKeys(hands);
    await page.locator("input.help-find").waitFor();
    hall.complained();
  });

  test("the live channel's client: gone, the line is down, and stands once it comes", async () => {
    const { page } = await atWork();
    await page.route(part("pusher"), (route) => route.fulfill(gone));
    await page.reload();
    const line = () => page.locator(".stat .dot").getAttribute("class");
    await expect.poll(line).toBe("dot bad");
    await page.unroute(part("pusher"));
    await expect.poll(line).toBe("dot");
    hall.complained();
  });
});

describe("a language whose part", () => {
  test("never comes leaves the page in English after 120 seconds, and says meanwhile that it is loading", async () => {
    const { page } = await atWork();
    await page.context().addCookies([{ name: "language", value: "zh", url: hall.url() }]);
    await page.route(/\/assets\/texts-[\w-]+\/first\.zh\.js$/, () => undefined);
    await page.clock.install();
    await page.reload();
    await page.clock.runFor(1_000);
    await page.locator(".splash[role=status]").waitFor();
    await page.clock.runFor(121_000);
    await page.locator("[role=grid]").first().waitFor();
    expect(await page.locator("html").getAttribute("lang")).toBe("en");
    hall.complained();
  });
});

async function openKeys(hands: Operator): Promise<void> {
  await hands.press("k", { mod: true });
  await hands.page.locator("[cmdk-input]").fill("change keys");
  await hands.page.locator("[cmdk-item][data-selected=true]", { hasText: "Change keys" }).waitFor();
  await hands.press("Enter");
}
