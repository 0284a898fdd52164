import type { Page } from "playwright";
import { expect, test } from "vitest";
import { testHall } from "../support/hall.ts";
import { atRest } from "./at-rest.ts";
import { makeFloor, sitDown } from "./floor.ts";

const hall = testHall();
declare global {
  interface Window {
    /** What windows the page asked for above all others. */
    picturesAsked?: unknown[];
  }
}

const none = (page: Page) => page.addInitScript(() => Object.defineProperty(window, "documentPictureInPicture", { value: undefined }));
/** The headless browser has no such windows: a real one stands for it, which the page may only have by asking for it so. */
const picture = (page: Page) =>
  page.addInitScript(() => {
    const open = window.open.bind(window);
    window.picturesAsked = [];
    window.open = () => null;
    const requestWindow = async (asked: { width: number; height: number }) => {
      window.picturesAsked?.push(asked);
      return open("", "", `popup,width=${asked.width},height=${asked.height}`);
    };
    Object.defineProperty(window, "documentPictureInPicture", { value: { requestWindow } });
  });

const wide = { viewport: { width: 1920, height: 1080 } };

/** Takes the counters out, and looks at what is there. */
async function takenOut(before: (page: Page) => Promise<unknown>) {
  const at = await makeFloor(hall, 2);
  const hands = await sitDown(hall, at, "us", { before, ...wide });
  const { page } = hands;
  await page.locator(".app > .side").waitFor();
  const opening = page.waitForEvent("popup");
  await hands.pressAll("w", "p");
  const outside = await opening;
  const figure = outside.locator(".side .ctr.h-pending .fig b");
  await expect.poll(() => figure.innerText()).toBe("2");
  expect(await page.locator(".app > .side").count()).toBe(0);
  expect(await outside.evaluate(() => getComputedStyle(document.querySelector(".side") as Element).display)).toBe("flex");

  // it is live
  const { id } = await at.office.withdraw(at.merchant);
  hall.server().deps.publisher.changed(at.office.tenant.id, "withdraw", [id]);
  await hall.server().deps.publisher.flush();
  await expect.poll(() => figure.innerText()).toBe("3");

  // a key pressed there is the page's
  await outside.keyboard.press("g");
  await outside.keyboard.press("a");
  await page.waitForURL(({ pathname }) => pathname === "/payment/payment-accounts");
  await atRest(page);
  return { page, outside };
}

test("the counters are taken out into a window of their own, live and with their keys, and come back", async () => {
  const { page, outside } = await takenOut(none);
  const closing = outside.waitForEvent("close");
  await outside.keyboard.press("w");
  // the window goes with the key, before it is let go
  await Promise.all([closing, outside.keyboard.down("p").catch(() => undefined)]);
  await page.locator(".app > .side").waitFor();
  expect(await page.locator(".app > .side").count()).toBe(1);
});

test("where the browser keeps a window above all others, they are there, live and with their keys, and come back when it is closed", async () => {
  const { page, outside } = await takenOut(picture);
  expect(await page.evaluate(() => window.picturesAsked)).toEqual([{ width: 300, height: 640 }]);
  await outside.close();
  await page.locator(".app > .side .ctr.h-pending").waitFor();
});
