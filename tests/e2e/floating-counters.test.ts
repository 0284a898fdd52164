import { expect, test } from "vitest";
import { testHall } from "../support/hall.ts";
import { atRest } from "./at-rest.ts";
import { makeFloor, sitDown } from "./floor.ts";

const hall = testHall();

test("the counters are taken out into a window of their own, live and with their keys, and come back", async () => {
  const at = await makeFloor(hall, 2);
  const before = (page: Parameters<NonNullable<Parameters<typeof hall.open>[0]>["before"] & object>[0]) =>
    page.addInitScript(() => Object.defineProperty(window, "documentPictureInPicture", { value: undefined }));
  const hands = await sitDown(hall, at, "us", { before, viewport: { width: 1920, height: 1080 } });
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
  const closing = outside.waitForEvent("close");
  await outside.keyboard.press("w");
  // the window goes with the key, before it is let go
  await Promise.all([closing, outside.keyboard.down("p").catch(() => undefined)]);
  await page.locator(".app > .side").waitFor();
});
