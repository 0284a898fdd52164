import type { Page } from "playwright";
import { describe, expect, test } from "vitest";
import type { ChangeEventName } from "../../src/contract/notifications.ts";
import { withdrawalHandlers } from "../../src/server/payments/withdrawals.ts";
import { faults } from "./faults.ts";
import { makeAccount } from "../support/factories.ts";
import { signIn, testHall } from "../support/hall.ts";
import { body } from "../support/payments.ts";
import { atHour, makeFloor } from "./floor.ts";
import type { Floor } from "./floor.ts";

const hall = testHall();

const readsBoard = /\/tenant\/v1\/dashboard$/;

/** Two withdrawals approved today, `open` waiting. */
async function busyFloor(open = 3): Promise<Floor> {
  const at = await makeFloor(hall, open);
  await atHour(hall, at.office, 12);
  for (const amount of ["250.00", "1250.00"]) {
    // oxlint-disable-next-line no-await-in-loop -- two rows
    const { uuid, version } = await at.office.claimed(at.merchant, { amount });
    // oxlint-disable-next-line no-await-in-loop -- two rows
    await withdrawalHandlers.approveWithdrawals(at.office.call(), body({ rows: [{ uuid, version, payment_account: at.account.id }] }));
  }
  return at;
}

const viewport = { width: 1920, height: 1080 };
/** Its figures are there, and the first has the focus. */
const stands = (page: Page) => page.locator(".dashboard .figure[tabindex='0']:focus").waitFor();

/** The dashboard, in a language. */
async function atBoard(at: Floor, language = "en"): Promise<Page> {
  const before = (page: Page) => page.context().addCookies([{ name: "language", value: language, url: hall.url() }]);
  const page = await hall.open({ viewport, as: at.operator, path: "/dashboard", before });
  await stands(page);
  return page;
}

const status = (page: Page) => page.locator(".stat");
const panelOf = (page: Page) => page.evaluate(() => document.activeElement?.closest("[data-panel]")?.getAttribute("data-panel"));
const value = (page: Page, name: string) => page.locator(`.figure[data-item=${name}] .value b`).innerText();
const hourReadout = (page: Page) => page.locator(".p-flow .readout .strong").innerText();

/** As a sibling process would: rows are made beside the server. */
async function announce({ office }: Floor, uuids: string[], event: ChangeEventName = "withdraw"): Promise<void> {
  hall.server().deps.publisher.changed(office.tenant.id, event, uuids);
  await hall.server().deps.publisher.flush();
}

describe("by keys alone", () => {
  test("the sign-in leads to the day's figures, Tab to each panel, and Enter to the list behind", async () => {
    const { operator } = await busyFloor();
    const page = await hall.open({ viewport });
    await signIn(page, operator);
    await page.waitForURL((url) => url.pathname === "/dashboard");
    await stands(page);
    expect([await value(page, "withdrawals"), await value(page, "net"), await value(page, "rate")]).toEqual([
      "1,500.00",
      "−1,500.00",
      "100.0",
    ]);
    expect(await panelOf(page)).toBe("figures");
    // the charts take what the lists leave: beneath the fullest list of each row there is no empty strip
    const empty = await page.evaluate(() =>
      [
        [".p-ages", ".p-merchants", ".p-callbacks"],
        [".p-accounts", ".p-operators"],
      ].map((row) => {
        const rests = row.map((one) => {
          const panel = document.querySelector(one);
          return (
            (panel?.getBoundingClientRect().bottom ?? 0) - (panel?.lastElementChild?.lastElementChild?.getBoundingClientRect().bottom ?? 0)
          );
        });
        return Math.min(...rests) > 40;
      }),
    );
    expect(empty).toEqual([false, false]);
    for (const panel of ["flow", "minutes", "ages", "merchants"]) {
      await page.keyboard.press("Tab");
      expect(await panelOf(page)).toBe(panel);
    }
    await status(page).getByText("Merchants by volume · ").waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL((url) => url.pathname === "/payment/withdrawals" && url.searchParams.get("status") === "approved,completed");
    await expect.poll(() => page.locator(".grid .rows .row[aria-rowindex]").count()).toBe(2);
    await page.keyboard.press("g");
    await page.keyboard.press("h");
    await page.locator(".figure:focus").waitFor();
  });

  test("figures that come late take the focus, but not from the palette that was opened meanwhile", async () => {
    let known = Promise.resolve();
    const page = await atBoard(await makeFloor(hall, 1));
    let isHeld = false;
    await page.route(readsBoard, async (route) => {
      isHeld = true;
      await known;
      await route.continue();
    });
    for (const goneOn of [false, true]) {
      const held = Promise.withResolvers<void>();
      known = held.promise;
      await page.reload();
      await page.locator(".board.waiting").waitFor();
      await status(page).locator(".mode").waitFor();
      if (goneOn) {
        await page.keyboard.press("Control+k");
        await page.locator("[cmdk-input]:focus").waitFor();
      }
      expect(isHeld).toBe(true);
      isHeld = false;
      held.resolve();
      await page.locator(".figure").first().waitFor();
      await expect.poll(() => page.locator(goneOn ? "[cmdk-input]:focus" : ".figure:focus").count()).toBe(1);
    }
    await page.keyboard.press("Escape");
    await page.locator("[cmdk-root]").waitFor({ state: "detached" });
    await page.keyboard.press("g");
    await page.keyboard.press("w");
    await page.waitForURL((url) => url.pathname === "/payment/withdrawals");
  });

  test("the status bar names the hour the cursor is on, and Enter opens the withdrawals of that hour", async () => {
    const page = await atBoard(await busyFloor());
    await page.keyboard.press("Tab");
    expect(await hourReadout(page)).toMatch(/^\d\d:00, so far · withdrawals$/);
    await page.keyboard.press("Home");
    await status(page).getByText("Flow by hour · 00:00").waitFor();
    await page.keyboard.press("ArrowRight");
    await status(page).getByText("Flow by hour · 01:00").waitFor();
    expect(await page.locator(".p-flow .plot").getAttribute("aria-valuetext")).toContain("01:00");
    await page.keyboard.press("ArrowUp");
    expect(await hourReadout(page)).toMatch(/deposits$/);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForURL(({ pathname, searchParams }) => {
      const hour = /T01:00\.\.\S+T01:59$/.test(searchParams.get("approved") ?? "");
      return pathname === "/payment/withdrawals" && searchParams.get("view") === "today" && hour;
    });
  });

  test("the net flow opens today's cash flow; where that may not be seen the page says so, and nothing happens", async () => {
    const at = await busyFloor();
    const toNetFlow = async (page: Page) => {
      await page.keyboard.press("ArrowRight");
      await page.keyboard.press("ArrowRight");
      await status(page).getByText("Net flow").waitFor();
      await page.keyboard.press("Enter");
    };
    const page = await atBoard({
      ...at,
      operator: await hall.employ(at.office, "Farah Aziz", ["dashboard.view", "pas.report.cash-flow.view"]),
    });
    await toNetFlow(page);
    await page.waitForURL(({ pathname, searchParams }) => pathname === "/payment/cash-flow-reports" && searchParams.get("day") === "today");
    const other = await atBoard(at);
    await toNetFlow(other);
    await status(other).getByText("You lack the right pas.report.cash-flow.view.").waitFor();
    expect(new URL(other.url()).pathname).toBe("/dashboard");
  });

  test("charts are tables at a key, walked row by row, and drawn again at the same key", async () => {
    const page = await atBoard(await busyFloor());
    expect(await page.locator(".p-flow .sr tbody tr").count()).toBe(24);
    await page.keyboard.press("Tab");
    await page.keyboard.press("t");
    await page.locator(".p-flow [role=grid] tr:focus").waitFor();
    await page.keyboard.press("Home");
    await page.keyboard.press("j");
    expect(await page.locator(".p-flow tr:focus td").first().innerText()).toBe("01:00");
    expect(await page.locator(".uplot").count()).toBe(0);
    await page.keyboard.press("t");
    await page.locator(".p-flow .plot:focus .uplot").waitFor();
    expect(await hourReadout(page)).toMatch(/^01:00/);
  });

  test("read from right to left the day begins at the right, and Left goes to the later hour", async () => {
    const page = await atBoard(await busyFloor(), "ar");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Home");
    const place = () => page.locator(".p-flow .plot-cursor").boundingBox();
    const first = (await place())?.x ?? 0;
    await page.keyboard.press("ArrowLeft");
    expect(await hourReadout(page)).toMatch(/01:00/);
    expect((await place())?.x ?? 0).toBeLessThan(first);
  });
});

describe("what is shown", () => {
  test("a withdrawal that comes in while the board is open is on it without a key", async () => {
    const at = await busyFloor(2);
    const page = await atBoard(at);
    await page.locator(".p-ages .end", { hasText: "2 open" }).waitFor();
    await page.locator(".stat .dot:not(.wait, .bad, .off)").waitFor();
    const { id } = await at.office.withdraw(at.merchant, { amount: "100.00" });
    await announce(at, [id]);
    await page.locator(".p-ages .end", { hasText: "3 open" }).waitFor();
    expect(await panelOf(page)).toBe("figures");
  });

  test("a deposit approved meanwhile and an account that falls below its threshold are on it without a key", async () => {
    const at = await busyFloor(1);
    const page = await atBoard(at);
    await page.locator(".stat .dot:not(.wait, .bad, .off)").waitFor();
    expect(await value(page, "deposits")).toBe("0.00");
    await page.getByText("Every account is above its threshold.").waitFor();
    const { uuid } = await at.office.credited(at.merchant, { amount: "70.00" });
    await announce(at, [uuid], "deposit");
    await expect.poll(() => value(page, "deposits")).toBe("70.00");
    const account = await makeAccount(hall.db, at.office.tenant, { code: "LOW-1", balance: "1.00", threshold: "500.00" });
    await announce(at, [account.id], "paymentAccount");
    await page.locator("[data-panel=accounts]", { hasText: "LOW-1" }).waitFor();
  });

  test("a day on which nothing was decided says so, with every figure at zero; late in it the net's word turns to stay in sight", async () => {
    const at = await makeFloor(hall, 0);
    await atHour(hall, at.office, 20);
    const page = await atBoard(at, "de");
    await page.getByText("Heute wurde noch nichts entschieden.").waitFor();
    await page.getByText("Keine Auszahlung ist offen.").waitFor();
    expect([await value(page, "deposits"), await value(page, "rate"), await value(page, "median")]).toEqual(["0.00", "–", "–"]);
    await page.setViewportSize({ width: 360, height: 800 });
    const farthest = () => page.locator(".net-word").evaluate((word) => word.getBoundingClientRect().right);
    await expect.poll(farthest).toBeLessThanOrEqual(360);
  });

  test("a board that cannot be read says why, and Shift+R reads it again", async () => {
    const at = await busyFloor();
    let broken = true;
    const page = await hall.open({
      viewport,
      as: at.operator,
      path: "/dashboard",
      before: (page) =>
        page.route(readsBoard, (route) =>
          broken
            ? route.fulfill({ status: 500, contentType: "application/json", body: '{"code":"failure","message":"no"}' })
            : route.continue(),
        ),
    });
    await page.locator(".dashboard .empty").waitFor();
    broken = false;
    await page.keyboard.press("Shift+R");
    await stands(page);
    expect(await value(page, "withdrawals")).toBe("1,500.00");
    broken = true;
    await page.keyboard.press("Shift+R");
    await page.locator(".as-of.warn").waitFor();
    expect(await value(page, "withdrawals")).toBe("1,500.00");
  });

  test.each(["light", "dark"] as const)("axe finds nothing in the %s theme, drawn or as tables", async (theme) => {
    const page = await atBoard(await busyFloor());
    await page.emulateMedia({ colorScheme: theme });
    expect(await faults(page), "drawn").toEqual([]);
    await page.keyboard.press("t");
    await page.locator(".p-flow [role=grid]").waitFor();
    expect(await faults(page), "as tables").toEqual([]);
  });
});
