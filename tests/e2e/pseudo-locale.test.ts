import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Page } from "playwright";
import { describe, expect, test } from "vitest";
import { fakeWithdrawals } from "../../src/console/own-keys/practice/fake-withdrawals.ts";
import { permissions } from "../../src/contract/permissions.ts";
import { testHall } from "../support/hall.ts";
import { atRest } from "./at-rest.ts";
import type { Floor } from "./floor.ts";
import { makeFloor } from "./floor.ts";
import { goWithin } from "./go-within.ts";

/**
 * A language that is none: every text of locales/ in brackets. What a page then shows outside brackets is either data,
 * which stands in an element for data, or a text that somebody wrote into the code.
 */
const english = JSON.parse(readFileSync(resolve(import.meta.dirname, "../../locales/en.json"), "utf8")) as Record<string, string>;
const bracketed = Object.fromEntries(Object.entries(english).map(([key, text]) => [key, `⟦${text}⟧`]));

const hall = testHall();

/** The chunk of the language that is none stands in for that of a real one. */
const standIn = (page: Page, language: string) =>
  page.route(new RegExp(`/assets/texts-[^/]+/[\\w-]+\\.${language}\\.js$`), (route) =>
    route.fulfill({ contentType: "text/javascript", body: `export default ${JSON.stringify(bracketed)}` }),
  );

/** The page goes on in the language that is none, in place of Spanish. */
async function speakNone(page: Page): Promise<void> {
  await standIn(page, "es");
  await page.context().addCookies([{ name: "language", value: "es", url: hall.url() }]);
}

/** What is shown outside brackets and is not data. */
function strays(page: Page, data: readonly string[] = []): Promise<string[]> {
  return page.evaluate((known) => {
    const dataElements = "bdi, time, kbd, code, .mono, .num, .id, .av, input, textarea, title, script, style";
    const time = /^\d{4}-\d\d-\d\d \d\d:\d\d(?::\d\d)?(?: [AP]M)?$/;
    const isText = (text: string) => /\p{L}{2}/u.test(text) && !/[⟦⟧]/.test(text) && !known.includes(text) && !time.test(text);
    const found = new Set<string>();
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
      const { parentElement } = node;
      const text = (node.textContent ?? "").trim();
      if (!parentElement || !isText(text) || parentElement.closest(dataElements) || !parentElement.checkVisibility()) continue;
      found.add(text);
    }
    for (const name of ["aria-label", "title", "placeholder"]) {
      for (const element of document.querySelectorAll(`[${name}]`)) {
        const text = element.getAttribute(name) ?? "";
        // one that repeats what stands there says data
        if (isText(text) && element.textContent?.includes(text) !== true && !element.closest(dataElements)) found.add(`${name}: ${text}`);
      }
    }
    return [...found];
  }, data);
}

/** What people wrote, or a machine: names, codes, banks, times, what a browser calls itself. */
async function data(page: Page, { office }: Floor): Promise<string[]> {
  const { rows } = await hall.db.owner.query<{ word: string }>(
    `select name as word from users join memberships m on m.user_id = users.id where m.tenant_id = $1
      union select unnest(array[name, code]) from tenants where id = $1
      union select name from user_groups where tenant_id = $1
      union select unnest(array[name, code]) from merchants where tenant_id = $1
      union select unnest(array[code, bank, holder]) from payment_accounts where tenant_id = $1
      union select code from currencies where tenant_id = $1
      union select unnest(array[bank, holder, customer_name]) from transactions where tenant_id = $1`,
    [office.tenant.id],
  );
  const practised = fakeWithdrawals().flatMap(({ merchant, customer_name, holder, bank }) => [merchant, customer_name, holder, bank]);
  return [...rows.map(({ word }) => word), ...practised, await page.evaluate(() => navigator.userAgent)];
}

/** English texts, as patterns that any values fit into; those that are little but values are left out. */
const englishLines = Object.values(english).flatMap((text) => {
  const parts = text.split(/\{\{\w+\}\}/);
  return parts.some((part) => /\p{L}{2}/u.test(part))
    ? [new RegExp(`^${parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)).join(".+")}$`)]
    : [];
});

/** What is shown in English, in elements for data too: names of views and words of charts stand in such. What was said aloud before stays as it was said. */
async function leftInEnglish(page: Page, known: readonly string[]): Promise<string[]> {
  const shown = await page.evaluate(() => {
    const texts = new Set<string>();
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
      if (node.parentElement?.checkVisibility() && !node.parentElement.closest("kbd, .spoken")) texts.add((node.textContent ?? "").trim());
    }
    for (const name of ["aria-label", "aria-valuetext", "title", "placeholder"]) {
      for (const element of document.querySelectorAll(`[${name}]`)) texts.add(element.getAttribute(name) ?? "");
    }
    return [...texts];
  });
  return shown.filter((text) => !/[⟦⟧]/.test(text) && !known.includes(text) && englishLines.some((line) => line.test(text)));
}

async function seat(path: string, before = speakNone): Promise<{ page: Page; floor: Floor }> {
  const floor: Floor = await makeFloor(hall, 3);
  const page = await hall.open({ as: await hall.employ(floor.office, "Nurul Aisyah", permissions), path, before });
  await page.locator(".stat .mode").waitFor();
  return { page, floor };
}

const publicPaths = ["/login", "/forgot-password", "/reset-password", "/unauthorized", "/not-found", "/internal-server-error", "/offline"];

/** Path → what stands there once it is drawn; no two beside each other are one component. */
const screens = {
  "/payment/withdrawals?view=all": ".stat .aim .id",
  "/payment/merchants": ".detail-pane h2",
  "/dashboard": ".dashboard table",
  "/payment/payment-accounts": ".detail-pane h2",
  "/setting": "main h2",
  "/profile": "main h2",
  "/profile/edit": "main input",
};

/** What the palette opens → what is then there. */
const opened = {
  "Change keys": ".key-list .key-row",
  "Practice queue": ".practice .decide",
  Messages: ".said-list li",
};

/** What a key opens at a cell of a withdrawal → what is then there. */
const overlays = { "Control+k": "[cmdk-item]", "?": ".help", r: ".sheet .option", f: ".sheet input" };

const none = (places: object) => Object.fromEntries(Object.keys(places).map((place) => [place, []]));

describe("no text is written into the code", () => {
  test("of the pages before the sign-in", async () => {
    const page = await hall.open({ path: "/login", before: speakNone });
    const found: Record<string, string[]> = {};
    for (const path of publicPaths) {
      if (path !== "/login") await goWithin(page, path);
      await page.locator("main h1, main h2").first().waitFor();
      expect(await page.locator("main").innerText(), path).toContain("⟦");
      found[path] = await strays(page);
    }
    expect(found).toEqual(Object.fromEntries(publicPaths.map((path) => [path, []])));
  });

  test("of the screens", async () => {
    const { page, floor } = await seat("/");
    const known = await data(page, floor);
    const found: Record<string, string[]> = {};
    for (const [path, there] of Object.entries(screens)) {
      await goWithin(page, path);
      await page.locator(there).first().waitFor({ state: "attached" });
      await atRest(page);
      found[path] = await strays(page, known);
    }
    expect(found).toEqual(none(screens));
  });

  test("of what the palette opens, and of what keys open at a cell", async () => {
    const { page, floor } = await seat("/payment/withdrawals");
    const known = await data(page, floor);
    await page.locator(".stat .aim .id").waitFor();
    await page.keyboard.press("ArrowRight");
    const found: Record<string, string[]> = {};
    const look = async (name: string, there: string) => {
      await page.locator(there).first().waitFor();
      found[name] = await strays(page, known);
      for (let presses = 0; presses < 4 && (await page.locator(there).count()) > 0; presses++) await page.keyboard.press("Escape");
      await page.locator(there).first().waitFor({ state: "detached" });
    };
    for (const [key, there] of Object.entries(overlays)) {
      await page.keyboard.press(key);
      await look(key, there);
    }
    // says that there is nothing to take back
    await page.keyboard.press("z");
    for (const [words, there] of Object.entries(opened)) {
      await page.keyboard.press("Control+k");
      await page.locator("[cmdk-input]").fill(words);
      await page.locator("[cmdk-item][data-selected=true]", { hasText: words }).waitFor();
      await page.keyboard.press("Enter");
      await look(words, there);
    }
    expect(found).toEqual(none({ ...overlays, ...opened }));
  });

  test("of the forced steps before work: a new password, two-factor and its codes", async () => {
    const floor = await makeFloor(hall, 0, 0, { require_two_factor: true });
    const who = await hall.employ(floor.office, "Farah Aziz", ["profile.view"]);
    await hall.db.owner.query("update users set force_reset_password = true where id = $1", [who.id]);
    const page = await hall.open({ as: who, before: speakNone });
    await page.locator("main input[type=password]").first().waitFor();
    expect(await strays(page, await data(page, floor))).toEqual([]);
    await hall.db.owner.query("update users set force_reset_password = false where id = $1", [who.id]);
    await page.reload();
    await page.getByRole("button", { name: "Set up" }).press("Enter");
    await page.locator(".set-up .qr").waitFor();
    expect(await strays(page, await data(page, floor))).toEqual([]);
  });
});

test("a screen that is open while the language is turned keeps no text of the one before", async () => {
  const { page, floor } = await seat("/", async (opened) => {
    await standIn(opened, "zh");
  });
  const known = await data(page, floor);
  const turnTo = async (language: "en" | "zh") => {
    await page.locator(`.user-menu button[lang=${language}]`).evaluate((button: HTMLButtonElement) => button.click());
    await page.locator(`html[lang=${language}]`).waitFor({ state: "attached" });
    await atRest(page);
  };
  const found: Record<string, string[]> = {};
  for (const [path, there] of Object.entries(screens)) {
    await goWithin(page, path);
    await page.locator(there).first().waitFor({ state: "attached" });
    // what the status bar says of marked rows is made as they are marked
    await page.keyboard.press("Control+a");
    await atRest(page);
    await turnTo("zh");
    found[path] = await leftInEnglish(page, known);
    await turnTo("en");
  }
  expect(found).toEqual(none(screens));
});
