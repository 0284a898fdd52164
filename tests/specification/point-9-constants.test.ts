import type { Page, WebSocketRoute } from "playwright";
import { beforeAll, describe, expect, test } from "vitest";
import { createFormats } from "../../src/console/api/formats.ts";
import type { Selection } from "../../src/console/api/selection.ts";
import type { ServerTime } from "../../src/console/api/server-time.ts";
import { createTokens } from "../../src/console/api/tokens.ts";
import { zoneMinutes } from "../../src/values/zones.ts";
import { testHall } from "../support/hall.ts";
import { makeFloor } from "../e2e/floor.ts";
import type { Floor } from "../e2e/floor.ts";
import { atRest } from "../e2e/at-rest.ts";
import { answer, arrive, atWithdrawals, claiming, operatorRights, seat, seatByForm } from "./desk.ts";

const hall = testHall();
let floor: Floor;
beforeAll(async () => {
  floor = await makeFloor(hall, 8);
});

const day = 86_400;

describe("9 · Token refresh threshold: 5 minutes before expiry", () => {
  const expiring = (seconds: number) => {
    const body = Buffer.from(JSON.stringify({ exp: 1_800_000_000 + seconds })).toString("base64url");
    const kept: Record<string, string> = { access_token: `h.${body}.s`, refresh_token: "r" };
    const jar = { get: (name: string) => kept[name] ?? null, set: () => undefined, remove: () => undefined };
    const selection = { tenant: () => null, currency: () => null } as unknown as Selection; // nothing else of it is asked
    const time = { now: () => 1_800_000_000_000 } as unknown as ServerTime; // as above
    return createTokens(jar, () => Promise.reject(new Error("nothing is sent")), time, selection, null).isStale();
  };
  test.each([
    [299, true],
    [300, false],
    [301, false],
    [0, true],
  ])("%i seconds left: refreshed first: %s", (seconds, first) => expect(expiring(seconds)).toBe(first));
});

describe("9 · At most 1 retry after a 401", () => {
  test("the call is sent twice and no more, with one refresh between", async () => {
    const { page } = await seat(hall, floor.office);
    await atWithdrawals(page);
    const order: string[] = [];
    page.on("request", (request) => request.url().endsWith("/auth/token/refresh") && order.push("refresh"));
    await page.route(claiming, async (route) => {
      order.push("claim");
      await answer(401, { message: "expired" })(route);
    });
    await page.keyboard.press("t");
    await arrive(page, "/login");
    await atRest(page);
    expect(order).toEqual(["claim", "refresh", "claim"]);
  });
});

describe("9 · Cookies: lifetime 2 days by default, 7 days for the selected currency; secure, same-site strict", () => {
  test("every cookie there is, as the browser keeps it", async () => {
    const { page } = await seatByForm(hall, floor.office);
    await page.locator("[data-side=main]").waitFor();
    await choose(page, "中文");
    const now = Date.now() / 1000;
    const kept = await page.context().cookies();
    const days = Object.fromEntries(kept.map(({ name, expires }) => [name, Math.round((expires - now) / day)]));
    expect(days).toMatchObject({ access_token: 2, refresh_token: 2, tenant_id: 2, currency: 7, language: 2, binding: 2 });
    expect(Object.entries(days).filter(([name, lasts]) => lasts !== (name === "currency" ? 7 : 2))).toEqual([]);
    expect(kept.filter(({ sameSite }) => sameSite !== "Strict").map(({ name }) => name)).toEqual([]);
    // the hall is plain http: the server's own cookie is Secure wherever the page came over https
    expect(kept.filter(({ secure }) => !secure).map(({ name }) => name)).toEqual(["binding"]);
    expect(kept.find(({ name }) => name === "binding")?.httpOnly).toBe(true);
  });
});

describe("9 · Toasts: top right, 5 seconds, at most 5, newest first", () => {
  /** `t`, and its refusal, said by a page whose clock stands. */
  async function refused(page: Page): Promise<void> {
    const reply = page.waitForResponse(claiming);
    await page.keyboard.press("t");
    await reply;
    await page.locator(".toasts .bp6-toast").first().waitFor();
  }
  const texts = (page: Page) => page.locator(".toasts .toast-text").allInnerTexts();

  test("seven refusals leave the last five, the newest on top, at the top right", async () => {
    const { page } = await seat(hall, floor.office);
    await atWithdrawals(page);
    // a question still open would run out of time with the clock, and say so
    await atRest(page);
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    let n = 0;
    await page.route(claiming, (route) => answer(400, { message: `number ${++n}` })(route));
    for (let press = 1; press <= 7; press++) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await refused(page);
      // oxlint-disable-next-line no-await-in-loop -- as above
      await expect.poll(() => texts(page)).toContain(`number ${press}`);
      // the one too many takes its leave
      // oxlint-disable-next-line no-await-in-loop -- as above
      await page.clock.runFor(500);
    }
    await expect.poll(() => texts(page)).toEqual(["number 7", "number 6", "number 5", "number 4", "number 3"]);
    const box = await page.locator(".toasts .toast-text").first().boundingBox();
    const width = page.viewportSize()?.width ?? 0;
    expect(box?.x).toBeGreaterThan(width / 2);
    expect(box?.y).toBeLessThan(200);
  });

  test("gone after five seconds, not before", async () => {
    const { page } = await seat(hall, floor.office);
    await atWithdrawals(page);
    // a question still open would run out of time with the clock, and say so
    await atRest(page);
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    await page.route(claiming, answer(400, { message: "no" }));
    await refused(page);
    await page.clock.runFor(4_900);
    const staying = page.locator(".toasts .bp6-toast:not(.bp6-toast-exit)");
    expect(await staying.count()).toBe(1);
    await page.clock.runFor(100);
    await expect.poll(() => staying.count()).toBe(0);
    // what leaves is on its way for less than half a second
    await page.clock.runFor(500);
    await expect.poll(() => texts(page)).toEqual([]);
  });
});

describe("9 · Notification sound volume 0.1", () => {
  test("the loudest the tone gets", async () => {
    const { page } = await seat(hall, floor.office);
    await page.addInitScript(() => {
      const peaks: number[] = [];
      Object.assign(window, { peaks });
      const ramp = AudioParam.prototype.linearRampToValueAtTime;
      AudioParam.prototype.linearRampToValueAtTime = function (value, time) {
        peaks.push(value);
        return ramp.call(this, value, time);
      };
    });
    await page.reload();
    await atWithdrawals(page);
    // off and on again: turning it on plays it once
    await page.keyboard.press("b");
    await page.keyboard.press("b");
    await expect.poll(() => page.evaluate(() => Math.max(0, ...(window as unknown as { peaks: number[] }).peaks))).toBeCloseTo(0.1, 5);
  });
});

const formats = createFormats(null);

describe("9 · Amount format: 2 decimals by default, en-US grouping; an invalid amount shows 0.00", () => {
  test.each([
    ["1234567.5", "1,234,567.50"],
    ["0", "0.00"],
    ["-1000", "−1,000.00"],
    ["0.005", "0.00"],
    ["999999999999999.99", "999,999,999,999,999.99"],
    ["", "0.00"],
    ["abc", "0.00"],
    ["1e5", "0.00"],
    [null, "0.00"],
  ])("%j shows %s", (text, shown) => expect(formats.amount(text)).toBe(shown));

  test("on screen", async () => {
    const { page } = await seat(hall, floor.office);
    await atWithdrawals(page);
    expect(await page.locator(".grid .rows .row[aria-rowindex]").first().innerText()).toContain("100.00");
    expect(await page.locator(".grid .no-amount").count()).toBe(0);
  });

  test("an invalid one on screen is marked, and said to be none", async () => {
    const { page } = await seat(hall, floor.office);
    await atWithdrawals(page);
    await page.route("**/tenant/v1/withdrawals?*", async (route) => {
      const reply = await route.fetch();
      const list = (await reply.json()) as { data: { amount: string }[] };
      const [first] = list.data;
      if (first) first.amount = "1,2.x";
      await route.fulfill({ response: reply, json: list });
    });
    await page.reload();
    const marked = page.locator(".grid .rows .no-amount");
    await marked.first().waitFor();
    expect(await marked.count()).toBe(1);
    expect([await marked.innerText(), await marked.getAttribute("aria-label")]).toEqual(["0.00", "0.00, not a readable amount"]);
    // the page may be asking again as it closes
    await page.unrouteAll({ behavior: "ignoreErrors" });
  });
});

describe("9 · Default timezone +08:00; a numeric timezone is treated as hours", () => {
  test.each([
    [undefined, "+08:00"],
    [null, "+08:00"],
    ["nonsense", "+08:00"],
    [7, "+07:00"],
    ["7", "+07:00"],
    ["-3", "-03:00"],
    ["5.5", "+05:30"],
    ["+09:30", "+09:30"],
  ])("%j is %s", (zone, shown) => expect(createFormats(zone).zoneText).toBe(shown));

  test("an offset is an interval, never a zone name: +08:00 is eight hours ahead of UTC", () => {
    expect(zoneMinutes("+08:00")).toBe(480);
    expect(createFormats("+08:00").time("2026-01-01T00:00:00Z")).toBe("2026-01-01 08:00 AM");
  });
});

describe("9 · Time format default YYYY-MM-DD hh:mm A; UTC format YYYY-MM-DD HH:mm:ss", () => {
  test("in the default zone, and in UTC", () => {
    expect(formats.time("2026-11-21T16:05:09Z")).toBe("2026-11-22 12:05 AM");
    expect(formats.utc("2026-11-21T16:05:09Z")).toBe("2026-11-21 16:05:09");
    expect(formats.time("not a time")).toBe("");
  });

  test("on screen: the time in the zone, and in UTC on a closer look", async () => {
    const { page } = await seat(hall, floor.office, operatorRights, "/profile");
    const time = page.locator(".own-sessions tbody time[title]").first();
    await time.waitFor();
    expect(await time.innerText()).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d [AP]M$/);
    expect(await time.getAttribute("title")).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/);
  });
});

describe("9 · Real-time reconnect debounce 100 ms", () => {
  test("though ten things ask for it, a lost line is taken up once, 100 ms after the last", async () => {
    const { page } = await seat(hall, floor.office);
    const lines: WebSocketRoute[] = [];
    await page.routeWebSocket(/\/app\//, (line) => {
      line.connectToServer();
      lines.push(line);
    });
    await page.reload();
    await atWithdrawals(page);
    await page.locator(".stat .dot:not(.wait, .bad, .off)").waitFor();
    // the page before may have opened one, too
    const known = lines.length;
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    // a refusal of the service, after which its client tries nothing by itself
    await lines.at(-1)?.close({ code: 4001 });
    await page.locator(".stat .dot.bad").waitFor();
    for (let n = 0; n < 10; n++) {
      // oxlint-disable-next-line no-await-in-loop -- each within the time of the one before
      await page.evaluate(() => window.dispatchEvent(new Event("online")));
      // oxlint-disable-next-line no-await-in-loop -- as above
      await page.clock.runFor(50);
    }
    await page.clock.runFor(49);
    expect(lines.length).toBe(known);
    await page.clock.runFor(1);
    await expect.poll(() => lines.length).toBe(known + 1);
    await page.clock.runFor(200);
    expect(lines.length).toBe(known + 1);
  });
});

describe("9 · Script chunk loading times out after 120000 ms", () => {
  test("a screen's chunk that does not come is an error then, and not before", async () => {
    const { page } = await seat(hall, floor.office);
    await atWithdrawals(page);
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    const asked = page.waitForRequest(accountsChunk);
    await page.route(accountsChunk, () => undefined);
    await page.keyboard.press("g");
    await page.keyboard.press("a");
    await asked;
    await page.clock.runFor(119_900);
    const late = page.locator("main [role=alert]", { hasText: "two minutes" });
    expect(await late.count()).toBe(0);
    await page.clock.runFor(200);
    await late.waitFor();
    hall.complained();
  });
});

const accountsChunk = /\/assets\/payment-accounts-screen-[\w-]+\.js$/;

/** A language from the palette. */
async function choose(page: Page, language: string): Promise<void> {
  await page.keyboard.press("Control+k");
  await page.locator("[cmdk-input]").fill("language");
  await page.locator('[cmdk-item][data-selected=true][data-value="session.language"]').waitFor();
  await page.keyboard.press("Enter");
  await page.locator("[cmdk-item]", { hasText: language }).click();
  await expect.poll(() => page.evaluate(() => document.cookie)).toContain("language=");
}
