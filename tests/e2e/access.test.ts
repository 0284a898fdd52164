import type { Locator, Page } from "playwright";
import { describe, expect, test } from "vitest";
import { faultsInBothThemes } from "./faults.ts";
import { testHall } from "../support/hall.ts";
import { atRest } from "./at-rest.ts";
import { makeFloor, sitDown } from "./floor.ts";
import { holdToast } from "./hold-toast.ts";
import type { Operator } from "./operator.ts";

const hall = testHall();

test("axe finds nothing on sign-in, list, detail, sheets, palette and help in either theme", async () => {
  const at = await makeFloor(hall, 3, 1);
  expect(await faultsInBothThemes(await hall.open()), "sign-in").toEqual([]);
  const hands = await sitDown(hall, at);
  await hands.pressAll("g", "w", "q");
  await hands.look();
  expect(await faultsInBothThemes(hands.page), "queue").toEqual([]);
  await hands.press("r");
  await hands.page.locator(".sheet").waitFor();
  expect(await faultsInBothThemes(hands.page), "reason sheet").toEqual([]);
  await hands.press("Escape");
  await hands.page.locator(".sheet").waitFor({ state: "detached" });
  await hands.press("?");
  await hands.page.locator(".sheet .help").waitFor();
  expect(await faultsInBothThemes(hands.page), "help").toEqual([]);
  await hands.press("Escape");
  await hands.page.locator(".sheet").waitFor({ state: "detached" });
  await hands.press("k", { mod: true });
  await hands.page.locator("[cmdk-root]").waitFor();
  expect(await faultsInBothThemes(hands.page), "palette").toEqual([]);
});

const keeper = ["view", "create", "update", "change-status", "delete"].flatMap((action) => [
  `pas.merchant.merchants.${action}`,
  `pas.account.accounts.${action}`,
]);

test("axe finds nothing on merchants, their form, payment accounts and two screens side by side in either theme", async () => {
  const at = await makeFloor(hall, 2);
  const operator = await hall.employ(at.office, "Siti Rahmah", [...keeper, "pas.transaction.withdrawals.view"]);
  const hands = await sitDown(hall, { operator });
  const { page } = hands;
  await hands.pressAll("g", "m");
  await page.locator(".entity .detail-pane h2").first().waitFor();
  expect(await faultsInBothThemes(page), "merchants").toEqual([]);
  await hands.press("c");
  await page.locator(".sheet input").first().waitFor();
  expect(await faultsInBothThemes(page), "form").toEqual([]);
  await hands.press("Escape");
  await page.locator(".sheet").waitFor({ state: "detached" });
  await hands.pressAll("g", "a");
  await page.getByRole("grid", { name: "Payment accounts" }).waitFor();
  await page.locator(".entity .detail-pane h2").first().waitFor();
  expect(await faultsInBothThemes(page), "payment accounts").toEqual([]);
  await hands.pressAll("w", "s");
  await page.locator("[data-side=beside] .detail-pane h2").first().waitFor();
  expect(await faultsInBothThemes(page), "two screens").toEqual([]);
});

/** Where Tab leads from the page's first stop, until it comes round: the panes it meets. */
async function walk(page: Page): Promise<string[]> {
  const stops: { mark: string; pane: string }[] = [];
  await page.evaluate(() => document.querySelectorAll("[data-stop]").forEach((element) => element.removeAttribute("data-stop")));
  await page.getByRole("link", { name: "Skip to the content" }).focus();
  const stop = () =>
    page.evaluate(() => {
      const element = document.activeElement;
      if (element === null || element === document.body) return { mark: "page", pane: "page" };
      const pane = element.closest<HTMLElement>("[data-pane]")?.dataset["pane"] ?? element.closest("header, footer")?.tagName ?? "frame";
      const side = element.closest<HTMLElement>("[data-side=beside]") === null ? "" : "beside ";
      // an element that is met again has the number it was given
      const known = Number(element.getAttribute("data-stop") ?? document.querySelectorAll("[data-stop]").length);
      element.setAttribute("data-stop", String(known));
      return { mark: `${known} ${element.tagName} ${element.className}`, pane: side + pane };
    });
  for (let press = 0; press < 200; press++) {
    await page.keyboard.press("Tab");
    const now = await stop();
    if (stops.length > 5 && now.mark === stops[0]?.mark) break;
    stops.push(now);
  }
  expect(stops.length, "comes round").toBeLessThan(200);
  // no stop twice: neither caught nor led in a circle
  expect(stops.map(({ mark }) => mark)).toEqual([...new Set(stops.map(({ mark }) => mark))]);
  return [...new Set(stops.map(({ pane }) => pane))];
}

const listAndDetail = ["navigation", "filters", "list", "detail", "counters"];
const screensWalked: Readonly<Record<string, { keys: string[]; title: string; stands: string; panes: string[] }>> = {
  withdrawals: { keys: ["g", "w"], title: "Withdrawals", stands: ".decide .id", panes: listAndDetail },
  merchants: { keys: ["g", "m"], title: "Merchants", stands: ".entity .detail-pane h2", panes: listAndDetail },
  "payment accounts": { keys: ["g", "a"], title: "Payment accounts", stands: ".entity .detail-pane h2", panes: listAndDetail },
  dashboard: { keys: ["g", "h"], title: "Dashboard", stands: ".board-pane .figure", panes: ["navigation", "filters", "list", "counters"] },
  settings: { keys: ["g", "s"], title: "Settings", stands: ".setting-pane", panes: ["navigation", "list", "detail", "counters"] },
  "two screens": {
    keys: ["g", "w", "w", "s"],
    title: "Withdrawals",
    stands: "[data-side=beside] .decide .id",
    panes: [...listAndDetail, "beside list", "beside detail"],
  },
};

test("Tab leads through the whole page of every screen, is caught nowhere, and comes round", async () => {
  const at = await makeFloor(hall, 3);
  const acts = ["view", "process", "approve", "reject"].map((action) => `pas.transaction.withdrawals.${action}`);
  const rights = [...keeper, ...acts, "dashboard.view", "tenant-setting.view"];
  const hands = await sitDown(hall, { operator: await hall.employ(at.office, "Siti Rahmah", rights) });
  await hands.page.locator(".grid .rows .row[aria-rowindex]").first().waitFor();
  /* oxlint-disable no-await-in-loop -- one screen after the other */
  for (const [name, { keys, title, stands, panes }] of Object.entries(screensWalked)) {
    await hands.pressAll(...keys);
    // the screen before may have the same parts, and takes the focus with it when it goes
    await hands.page.locator("[data-side=main] h1", { hasText: title }).waitFor({ state: "attached" });
    await hands.page.locator(stands).first().waitFor();
    await atRest(hands.page);
    expect(await walk(hands.page), name).toEqual(expect.arrayContaining(panes));
  }
  /* oxlint-enable no-await-in-loop */
});

/** What may lie over the page: how an operator opens it, and what is then there. */
const overlays: Readonly<Record<string, { shows: string; open(hands: Operator): Promise<void> }>> = {
  ...Object.fromEntries(
    ["", ".", ":", "/", "=", "*", "?"].map((mode) => [
      `palette ${mode === "" ? "of everything" : mode}`,
      {
        shows: "[cmdk-root]",
        async open({ page }) {
          await page.keyboard.press("Control+k");
          await page.locator("[cmdk-input]").waitFor();
          if (mode !== "") await page.keyboard.type(mode);
          // a mode that is not there would be text
          await page.locator(mode === "" ? ".pal .modes .on:not(:has(kbd))" : `.pal .modes .on:has(kbd:text-is("${mode}"))`).waitFor();
        },
      },
    ]),
  ),
  tenants: { shows: "[cmdk-root]", open: (hands) => hands.pressAll("g", "t") },
  currencies: { shows: "[cmdk-root]", open: (hands) => hands.pressAll("g", "c") },
  views: { shows: "[cmdk-root]", open: (hands) => hands.press("v") },
  "cheat sheet": { shows: ".help", open: (hands) => hands.press("?") },
  "reason sheet": { shows: ".sheet .option", open: (hands) => hands.press("r") },
  "remark sheet": { shows: ".sheet textarea", open: (hands) => hands.press("e") },
  "filter of a column": {
    shows: ".sheet input",
    async open(hands) {
      await hands.pressAll("ArrowRight", "f");
    },
  },
  "bulk sheet": {
    shows: ".bulk",
    async open({ page }) {
      await page.keyboard.press("Control+a");
      await page.locator(".stat .aim.many").waitFor();
      await page.keyboard.press("a");
    },
  },
  "confirmation of money": {
    shows: ".sheet-money",
    async open(hands) {
      // the second of the rows is of tier 2
      await hands.press("j");
      await hands.page.locator(".decide .tag.warn").waitFor();
      await hands.page.waitForFunction(() => document.querySelector(".acts .btn.go")?.getAttribute("aria-disabled") !== "true");
      await hands.press("a");
    },
  },
  "menu of a column": {
    shows: ".placed-menu [role=menuitem]:focus",
    async open({ page }) {
      await page.keyboard.press("Control+Home");
      await page.keyboard.press("ArrowUp");
      await page.keyboard.press("Alt+ArrowDown");
    },
  },
  "find bar": { shows: ".grid .find", open: ({ page }) => page.keyboard.press("Control+f") },
  "what follows g": { shows: ".chord", open: (hands) => hands.press("g") },
  messages: {
    shows: ".said-list li",
    async open(hands) {
      await hands.press("z"); // says that there is nothing to undo
      await run(hands, "Messages");
    },
  },
  "key editor": { shows: ".key-list .key-row.on", open: (hands) => run(hands, "Change keys") },
  "practice queue": { shows: ".practice .decide", open: (hands) => run(hands, "Practice queue") },
};

async function run(hands: Operator, words: string): Promise<void> {
  await hands.press("k", { mod: true });
  await hands.page.locator("[cmdk-input]").fill(words);
  await hands.page.locator("[cmdk-item][data-selected=true]", { hasText: words }).waitFor();
  await hands.press("Enter");
}

/** Esc, one step a press, until nothing lies over the page and nothing is marked. */
async function leave({ page }: Operator, shows: string): Promise<void> {
  for (
    let presses = 0;
    presses < 8 && (await page.locator(`${shows}, .sheet, [cmdk-root], .row[aria-rowindex][aria-selected=true]`).count()) > 0;
    presses++
  )
    await page.keyboard.press("Escape");
  await page.locator(shows).waitFor({ state: "detached" });
  await page.locator("[role=grid]").first().focus();
  await page.keyboard.press("Control+Home");
}

test("axe finds nothing on whatever may lie over the page in either theme", async () => {
  const at = await makeFloor(hall, 2, 2);
  const hands = await sitDown(hall, at);
  const { page } = hands;
  await hands.pressAll("g", "w");
  await page.locator("[role=grid] [role=row][aria-rowindex='2']").waitFor();
  const found: Record<string, string[]> = {};
  for (const [name, { shows, open }] of Object.entries(overlays)) {
    await open(hands);
    await page.locator(shows).first().waitFor();
    // the page beneath, and what a sheet does to it, are looked at above
    found[name] = await faultsInBothThemes(page, ".sheet, .pal, .placed-menu, .chord, .grid > .find, .practice");
    await leave(hands, shows);
  }
  expect(found).toEqual(Object.fromEntries(Object.keys(overlays).map((name) => [name, []])));
});

test("axe finds nothing on what a record asks, on a toast and on a jump to a date in either theme", async () => {
  const at = await makeFloor(hall, 2);
  const operator = await hall.employ(at.office, "Siti Rahmah", [...keeper, "pas.transaction.withdrawals.view"]);
  const hands = await sitDown(hall, { operator });
  const { page } = hands;
  const found: Record<string, string[]> = {};
  const look = async (name: string, shows: string) => {
    await page.locator(shows).first().waitFor();
    found[name] = await faultsInBothThemes(page, ".sheet, .pal, .toasts");
  };
  const gone = (shows: string) => page.locator(shows).waitFor({ state: "detached" });
  await page.locator(".grid .rows .row[aria-rowindex]").first().waitFor();
  await page.keyboard.press("Shift+D");
  await look("jump to a date", ".sheet input");
  await hands.press("Escape");
  await gone(".sheet");

  await hands.pressAll("g", "m");
  await page.locator(".entity .detail-pane h2").first().waitFor();
  await run(hands, "Delete the merchant");
  await look("deletion", ".sheet .sheet-notes.warn");
  await hands.press("Escape");
  await gone(".sheet");
  await run(hands, "Change the merchant’s status");
  await look("a question in the palette", ".pal .asked");
  await hands.press("Escape");
  await hands.press("Escape");
  await gone(".pal");

  await hands.press("e");
  await page.locator(".sheet input:focus").waitFor();
  await page.keyboard.type("x");
  await hands.press("Escape");
  await look("what was typed is to be thrown away", ".sheet .sheet-notes.warn");
  await hands.press("Escape");
  await gone(".sheet .sheet-notes.warn");
  await hall.db.owner.query("update merchants set name = 'Another name', version = version + 1 where id = $1", [at.merchant.id]);
  await hands.press("Enter", { mod: true });
  await look("another has changed it", ".sheet .conflict");
  // leaves what is theirs, then what is ours
  for (let presses = 0; presses < 4 && (await page.locator(".sheet").count()) > 0; presses++) {
    if ((await page.locator(".sheet .sheet-notes.warn").count()) > 0) await hands.press("Enter", { mod: true });
    else await hands.press("Escape");
  }
  await gone(".sheet");

  await page.route("**/service/**", (route) =>
    route.request().method() === "DELETE"
      ? route.fulfill({ status: 500, json: { message: "Server error", code: "server.failed" } })
      : route.fallback(),
  );
  await run(hands, "Delete the merchant");
  await page.locator(".sheet .sheet-notes.warn").waitFor();
  await page.clock.install();
  await holdToast(page, () => hands.press("Enter", { mod: true }));
  await look("toast", ".toasts .bp6-toast");
  expect(found).toEqual(Object.fromEntries(Object.keys(found).map((name) => [name, []])));
  expect(Object.keys(found)).toHaveLength(6);
});

describe("in forced colours", () => {
  /** All that is left to tell two things apart where the page's own colours and shadows are gone. */
  const look = (thing: Locator): Promise<string> =>
    thing.first().evaluate((element) =>
      [null, "::before", "::after"]
        .map((part) => {
          const style = getComputedStyle(element, part);
          const {
            outlineStyle,
            outlineWidth,
            outlineColor,
            borderStyle,
            borderWidth,
            borderColor,
            backgroundColor,
            color,
            textDecorationLine,
            fontWeight,
          } = style;
          const outline = outlineStyle === "none" ? "none" : `${outlineStyle} ${outlineWidth} ${outlineColor}`;
          const drawn = part === null || style.content !== "none";
          return drawn
            ? [outline, borderStyle, borderWidth, borderColor, backgroundColor, color, textDecorationLine, fontWeight].join(" ")
            : "";
        })
        .join(" | "),
    );

  async function forced(rights?: readonly string[]): Promise<Operator> {
    const at = await makeFloor(hall, 4);
    const hands = await sitDown(hall, { operator: await hall.employ(at.office, "Siti Rahmah", rights) });
    await hands.page.emulateMedia({ forcedColors: "active" });
    await hands.pressAll("g", "w");
    await hands.page.locator("[role=grid] [role=row][aria-rowindex='4']").waitFor();
    return hands;
  }

  test("the cursor's cell and row, marks, the range and the status stay to be seen, and a list without the focus looks it", async () => {
    const hands = await forced();
    const { page } = hands;
    const grid = page.locator("[role=grid]");
    await grid.focus();
    const [ring, here, plain] = [page.locator(".grid .ring"), page.locator(".grid .here"), page.locator(".grid .row[aria-rowindex='4']")];
    const focused = { ring: await look(ring), here: await look(here) };
    expect(focused.ring).toContain("solid 3px");
    expect(focused.here).toContain("solid 2px");
    expect(focused.ring).not.toBe(await look(plain.locator(".cell").first()));
    await hands.press("x");
    const marked = page.locator(".grid .row[aria-selected=true]");
    await marked.waitFor();
    expect(await look(marked)).not.toBe(await look(plain));
    expect(await look(marked.locator(".box"))).not.toBe(await look(plain.locator(".box")));
    await page.keyboard.press("Escape");
    await page.keyboard.press("Shift+ArrowRight");
    expect(await look(page.locator(".grid .range"))).toContain("dashed 2px");
    await page.keyboard.press("Escape");
    // status by glyph and word, not by its hue
    const status = plain.locator(".st");
    expect(await status.locator(".icon").isVisible()).toBe(true);
    expect((await status.innerText()).trim()).not.toBe("");

    await hands.pressAll("w", "d");
    await page.locator("[data-pane=detail] :focus").waitFor();
    expect(await look(ring)).not.toBe(focused.ring);
    expect(await look(here)).not.toBe(focused.here);
  });

  test("the view, the screen and the side in use, and what is chosen in palette, sheets and key editor look other than the rest", async () => {
    const hands = await forced([
      "pas.transaction.withdrawals.view",
      "pas.transaction.withdrawals.reject",
      "pas.merchant.merchants.view",
      "pas.merchant.merchants.update",
    ]);
    const { page } = hands;
    const differ = async (chosen: string, other: string) => {
      await page.locator(chosen).first().waitFor();
      expect(await look(page.locator(chosen)), chosen).not.toBe(await look(page.locator(other)));
    };
    await differ(".tabs [aria-selected=true]", ".tabs [aria-selected=false]");
    await differ(".nav a[aria-current]", ".nav a:not([aria-current])");
    await hands.press("k", { mod: true });
    await differ("[cmdk-item][data-selected=true]", "[cmdk-item]:not([data-selected=true])");
    await hands.press("Escape");
    await hands.press("r");
    await differ(".option.on, .option:has(:focus-visible)", ".option:not(.on, :has(:focus-visible))");
    await hands.press("Escape");
    await run(hands, "Change keys");
    await differ(".key-row.on", ".key-row:not(.on)");
    await hands.press("Escape");
    await page.locator(".sheet").waitFor({ state: "detached" });
    // what Tab comes to, anywhere on the page
    for (let press = 0; press < 25; press++) {
      await page.keyboard.press("Tab");
      const seen = await page.evaluate(() => {
        const focused = document.activeElement;
        if (focused === null || focused === document.body || focused.matches("[role=grid]")) return "the page, or the grid with its cursor";
        const { outlineStyle, outlineWidth } = getComputedStyle(focused.closest(".find, .option") ?? focused);
        const own = getComputedStyle(focused);
        return outlineStyle === "none" && own.outlineStyle === "none" ? `none on ${focused.outerHTML.slice(0, 120)}` : outlineWidth;
      });
      expect(seen).not.toContain("none");
    }
    await page.locator("[role=grid]").focus();
    await hands.pressAll("w", "s");
    await page.locator("[data-side=beside] .row[aria-rowindex='2']").waitFor();
    await differ("[data-side=beside] .ring", "[data-side=main] .ring");
    await hands.pressAll("g", "m");
    await page.getByRole("grid", { name: "Merchants" }).waitFor();
    await page.locator("[data-side=beside] .entity .decide").waitFor();
    await hands.press("e");
    await page.locator(".sheet input:focus").waitFor();
    await differ(".sheet input:focus", ".sheet input:not(:focus)");
  });
});
