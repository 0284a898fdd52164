import type { Page } from "playwright";
import { expect, test } from "vitest";
import { setSettings } from "../support/factories.ts";
import { testHall } from "../support/hall.ts";
import { makeFloor, sitDown } from "./floor.ts";
import type { Floor } from "./floor.ts";

const hall = testHall();

declare global {
  interface Window {
    /** Notes begun; an alert is two. */
    notes: number;
    contexts: number;
    touched: boolean;
  }
}

async function countNotes(page: Page): Promise<void> {
  await page.context().addInitScript(() => {
    window.notes = window.contexts = 0;
    const Context = AudioContext;
    window.AudioContext = class extends Context {
      constructor() {
        super();
        window.contexts += 1;
      }
    };
    // what drives the page counts as a gesture of its user; only keys are to
    window.touched = false;
    addEventListener("keydown", () => (window.touched = true), true);
    Object.defineProperty(navigator, "userActivation", { get: () => ({ hasBeenActive: window.touched, isActive: window.touched }) });
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (when) {
      window.notes += 1;
      start.call(this, when);
    };
  });
}

const chip = (page: Page) => page.locator(".kv button[aria-pressed]");
const pending = (page: Page) => page.locator(".ctr .fig b").nth(1);
const notes = (pages: readonly Page[]) => Promise.all(pages.map((page) => page.evaluate(() => window.notes)));

/** Ready to hear: its line stands. */
async function atWork(page: Page): Promise<void> {
  await page.goto(`${hall.url()}/payment/withdrawals`);
  await page.locator(".stat .dot:not(.bad):not(.wait):not(.off)").waitFor();
  await expect.poll(() => pending(page).innerText()).toMatch(/^\d+$/);
}

/** One of the pages open leads, and none waits for the lead of one that has gone. */
async function isLed(page: Page): Promise<void> {
  const locks = () =>
    page.evaluate(async () => {
      const { held = [], pending = [] } = await navigator.locks.query();
      return [held, pending].map((all) => all.filter(({ name }) => name?.startsWith("countinghouse.sound.")).length);
    });
  await expect.poll(locks).toEqual([1, 0]);
}

/** One more withdrawal, heard of by every page. */
async function another({ office, merchant }: Floor, pages: readonly Page[]): Promise<void> {
  const before = Number(await pending(pages[0] as Page).innerText()); // there is always one
  const { id } = await office.withdraw(merchant);
  hall.server().deps.publisher.changed(office.tenant.id, "withdraw", [id]);
  for (const page of pages) await expect.poll(() => pending(page).innerText()).toBe(String(before + 1));
}

test("of two tabs one sounds, and never the one its browser lets play nothing; muting one mutes both", async () => {
  const floor = await makeFloor(hall, 1);
  const { page: used } = await sitDown(hall, floor);
  await countNotes(used);
  // first in line, but nobody has touched it since it was opened
  const untouched = await used.context().newPage();
  await atWork(untouched);
  await expect.poll(() => chip(untouched).innerText()).toContain("press");
  await atWork(used);
  await used.keyboard.press("j");
  await expect.poll(() => chip(used).innerText()).not.toContain("press");
  await isLed(used);
  // ready before there is anything to sound
  await expect.poll(() => used.evaluate(() => window.contexts)).toBe(1);
  await another(floor, [used, untouched]);
  await expect.poll(() => notes([used, untouched])).toEqual([2, 0]);

  // freed by its own key, it stands behind the first and is silent still
  await untouched.bringToFront();
  await untouched.keyboard.press("b");
  await expect.poll(() => chip(untouched).getAttribute("aria-pressed")).toBe("true");
  const tried = await notes([untouched]);

  await used.bringToFront();
  await used.keyboard.press("b");
  for (const page of [used, untouched]) await expect.poll(() => chip(page).getAttribute("aria-pressed")).toBe("false");
  await used.clock.install();
  await used.clock.runFor(6_000);
  await another(floor, [used, untouched]);
  expect(await notes([used, untouched])).toEqual([2, ...tried]);

  // on again in the one that follows: both may, one does, and once it has gone the other
  await untouched.bringToFront();
  await untouched.keyboard.press("b");
  for (const page of [used, untouched]) await expect.poll(() => chip(page).getAttribute("aria-pressed")).toBe("true");
  const [, confirmed = 0] = await notes([used, untouched]);
  await used.close();
  await isLed(untouched);
  await another(floor, [untouched]);
  await expect.poll(() => notes([untouched])).toEqual([confirmed + 2]);
});

test("a counter whose sound the tenant turned off is silent", async () => {
  const floor = await makeFloor(hall, 1, 0, { sounds: { deposit: true, withdraw: false, paymentAccount: true, scoreAlarm: true } });
  const { page } = await sitDown(hall, floor);
  await countNotes(page);
  await atWork(page);
  await page.keyboard.press("j");
  await isLed(page);
  await another(floor, [page]);
  expect(await notes([page])).toEqual([0]);
  await setSettings(hall.db, floor.office.tenant, { sounds: { deposit: true, withdraw: true, paymentAccount: true, scoreAlarm: true } });
  await atWork(page);
  await page.keyboard.press("j");
  await isLed(page);
  await another(floor, [page]);
  await expect.poll(() => notes([page])).toEqual([2]);
});
