import type { Page } from "playwright";
import { expect, test } from "vitest";
import { testHall } from "../support/hall.ts";
import { pagesOf } from "../support/printed.ts";
import { atRest } from "./at-rest.ts";
import { atHour, makeFloor, sitDown } from "./floor.ts";

const hall = testHall();
const rights = ["pas.report.account-daily.view", "pas.report.merchant-daily.view", "pas.report.cash-flow.view"];

/** Texts on paper that reach beyond it, or into their neighbours' part of it. */
const beyond = (page: Page) =>
  page.evaluate(() => {
    const paper = document.querySelector<HTMLElement>(".printed");
    if (paper === null) return ["no paper"];
    return [...paper.querySelectorAll<HTMLElement>("h1, h2 span, th, td, bdi")].flatMap((one) => {
      if (one.closest(".sr") !== null) return [];
      const [at, room] = [one.getBoundingClientRect(), (one.closest("section, td, th") ?? paper).getBoundingClientRect()];
      return at.width > 0 && (at.left < room.left - 1 || at.right > room.right + 1) ? [one.innerText] : [];
    });
  });

/** What is drawn of the chart: the share of its points that are not white, and the lightest ink. */
const drawn = (page: Page) =>
  page.locator(".printed canvas").evaluate((canvas: HTMLCanvasElement) => {
    const { data } = canvas.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: [] };
    let inked = 0;
    for (let at = 3; at < data.length; at += 4) if ((data[at] ?? 0) > 0) inked += 1;
    return { inked: inked > 500, grain: canvas.width / canvas.getBoundingClientRect().width };
  });

test("a report is printed by Ctrl+P: chart, comparison and rows, black on white, with range, tenant, zone and time on each page", async () => {
  const at = await makeFloor(hall, 0);
  const zone = await atHour(hall, at.office, 12);
  await at.office.credited(at.merchant, { amount: "400.00", customer_name: "Nurul Aina" });
  const hands = await sitDown(hall, { operator: await hall.employ(at.office, "Suresh Pillai", rights) });
  const { page } = hands;
  await hands.pressAll("g", "f");
  await page.getByRole("grid", { name: "Cash-flow reports" }).waitFor();
  const row = page.locator("[data-side=main] .grid .rows .row[aria-rowindex]").first();
  await expect.poll(() => row.innerText()).toContain("400.00");
  await page.locator(".report-chart canvas").waitFor();
  await atRest(page);

  await page.evaluate(() => {
    window.print = () => void document.documentElement.setAttribute("data-printed", "");
  });
  await hands.press("p", { mod: true });
  await page.locator("html[data-printed]").waitFor();
  for (const colorScheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme });
    const printed = await pagesOf(await page.pdf({ preferCSSPageSize: true }));
    for (const [n, text] of printed.entries()) {
      // what is read in its own direction is a piece of its own
      const plain = text
        .replaceAll(/[\u2066-\u2069]/g, "")
        .replaceAll(/\s+/g, " ")
        .replaceAll(" ,", ",");
      expect(plain).toMatch(/Cash-flow reports · 20\d\d-\d\d-\d\d/);
      expect(plain).toMatch(/Tenant [0-9A-F]{8} · MYR/);
      expect(plain).toMatch(/Printed 20\d\d-\d\d-\d\d \d\d:\d\d [AP]M/);
      expect(plain).toContain(`M, ${zone}`);
      expect(plain).toContain(`${n + 1} / ${printed.length}`);
    }
    expect(printed[0]).toContain("Against another period");
    expect(printed[0]).toContain("In and out by day");
    expect(printed.join(" ")).toContain("Total");
    // nothing of the page around it
    expect(printed.join(" ")).not.toContain("LIST");
    expect(await page.locator(".printed").count()).toBe(0);

    await page.emulateMedia({ colorScheme, media: "print" });
    await page.evaluate(() => void dispatchEvent(new Event("beforeprint")));
    await expect.poll(() => drawn(page)).toEqual({ inked: true, grain: 2 });
    const inks = await page.evaluate(() => {
      const ink = (chosen: string, what: "color" | "backgroundColor") =>
        getComputedStyle(document.querySelector(chosen) ?? document.body)[what];
      return [ink("html", "backgroundColor"), ink(".printed td", "color"), ink(".printed .report-compare td", "color")];
    });
    expect(inks).toEqual(["rgb(255, 255, 255)", "rgb(0, 0, 0)", "rgb(0, 0, 0)"]);
    await page.evaluate(() => void dispatchEvent(new Event("afterprint")));
    await page.emulateMedia({ colorScheme, media: null });
  }

  // in every language, on the widest of the reports
  for (const language of ["de", "fr", "es", "it", "ru", "zh", "ar", "en"]) {
    await page.context().addCookies([{ name: "language", value: language, url: page.url() }]);
    await page.goto(new URL("/payment/merchant-daily-reports", page.url()).href);
    await row.waitFor();
    await page.locator(".report-chart canvas").waitFor();
    await page.evaluate(() => void dispatchEvent(new Event("beforeprint")));
    expect(await page.locator(".printed table").count(), language).toBeGreaterThan(1);
    expect(await beyond(page), language).toEqual([]);
    await page.evaluate(() => void dispatchEvent(new Event("afterprint")));
  }
});

test("a report asked for on paper while the summary of its period is on its way is printed with it", async () => {
  const at = await makeFloor(hall, 0);
  await at.office.credited(at.merchant, { amount: "400.00" });
  const hands = await sitDown(hall, { operator: await hall.employ(at.office, "Suresh Pillai", rights) });
  const { page } = hands;
  await hands.pressAll("g", "f");
  const periods = page.locator(".report-compare thead");
  const before = await periods.innerText();
  await page.evaluate(() => {
    window.print = () =>
      document.documentElement.setAttribute("data-printed", document.querySelector<HTMLElement>(".report-compare thead")?.innerText ?? "");
  });
  // once before, so that what prints is loaded
  await hands.press("p", { mod: true });
  await page.locator("html[data-printed]").waitFor();
  await page.evaluate(() => document.documentElement.removeAttribute("data-printed"));

  const summary = Promise.withResolvers<void>();
  await page.route("**/cash-flow-reports/summary**", async (route) => {
    await summary.promise;
    await route.continue();
  });
  const asked = page.waitForRequest("**/cash-flow-reports/summary**");
  await page.keyboard.press("Shift+B");
  await asked;
  await hands.press("p", { mod: true });
  summary.resolve();
  await page.locator("html[data-printed]").waitFor();
  const printed = await page.locator("html").getAttribute("data-printed");
  expect(printed).not.toBe(before);
  expect(printed).toBe(await periods.innerText());
});
