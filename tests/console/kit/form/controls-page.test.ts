import { resolve } from "node:path";
import axeCore from "axe-core";
import type { Browser, Page } from "playwright";
import { chromium } from "playwright";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { browserArguments, findBrowser } from "../../../support/browser.ts";
import { servePages } from "../../../support/served-pages.ts";

/** Every control in a sheet of the console, in a real Chromium, under the console's own keys. */
const folder = resolve(import.meta.dirname, "../../../bench/form");
let browser: Browser;
let page: Page;
let address = "";
let stop: () => Promise<void>;
const errors: string[] = [];

beforeAll(async () => {
  const served = await servePages(folder, ["index.html"]);
  address = served.url;
  browser = await chromium.launch({ executablePath: findBrowser(), args: browserArguments });
  stop = async () => {
    await browser.close();
    await served.close();
  };
});
afterAll(() => stop());
afterEach(async () => {
  await page.context().close();
  expect(errors.splice(0), "what the page complained of").toEqual([]);
});

async function open(only?: string, lng = "en"): Promise<void> {
  page = await (await browser.newContext({ viewport: { width: 1100, height: 900 } })).newPage();
  page.setDefaultTimeout(60_000);
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  await page.goto(`${address}?${new URLSearchParams({ lng, ...(only !== undefined && { only }) })}`);
  await page.locator(".form-body").waitFor();
}
const press = async (...keys: string[]): Promise<void> => {
  for (const key of keys) await page.keyboard.press(key); // oxlint-disable-line no-await-in-loop -- one press after the other
};
const type = (text: string): Promise<void> => page.keyboard.type(text);
const saved = () => page.evaluate(() => window.saved);
const said = () => page.locator(".sr > [role=status][aria-atomic=true]").textContent();
/** What a screen reader is told of the focused field's fault. */
const described = () =>
  page.evaluate(() =>
    (document.activeElement?.getAttribute("aria-describedby") ?? "")
      .split(" ")
      .map((id) => document.getElementById(id)?.textContent)
      .join(" "),
  );
const focused = () => page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent ?? "");
/** The records found for what is written, none of an earlier text. */
const answered = () => page.locator("[role=listbox][aria-busy=false] [role=option]").first().waitFor();
/** Types and presses Enter before any record is found for it. */
async function enterBefore(answer: string, ...then: string[]): Promise<void> {
  const hold = await page.evaluateHandle(() => {
    const held = Promise.withResolvers<void>();
    window.found = held.promise;
    return held;
  });
  await type(answer);
  await press("Enter", ...then);
  await hold.evaluate((held) => held.resolve());
}
const chips = () => page.locator("[data-chip]").allTextContents();

describe("references", () => {
  test("a record is found by typing, chosen by keys, and shown with code and name", async () => {
    await open("references");
    await expect.poll(chips).toEqual(["PA-01 · Lim Wei 1", "PA-02 · Lim Wei 2"]);
    await type("lim");
    await answered();
    expect(await page.getByRole("option").allTextContents()).toEqual(["PA-03Lim Wei 3", "PA-04Lim Wei 4"]);
    await press("ArrowDown", "Enter");
    expect(await chips()).toEqual(["PA-01 · Lim Wei 1", "PA-02 · Lim Wei 2", "PA-04 · Lim Wei 4"]);
    await expect.poll(said).toContain("PA-04 · Lim Wei 4 chosen");
    await press("Control+Enter");
    await expect.poll(saved).toHaveLength(1);
    expect((await saved())[0]).toEqual({
      references: ["11111111", "22222222", "44444444"].map((start) => `${start}-1111-4111-8111-111111111111`),
    });
  });

  test("Esc closes what was found and leaves the form open; the next one is the form's", async () => {
    await open("references");
    await type("lim");
    await answered();
    await press("Escape");
    await expect.poll(() => page.getByRole("option").count()).toBe(0);
    expect(await page.title()).toBe("Form");
    await press("Escape");
    await expect.poll(() => page.title()).toBe("closed");
  });

  test("Mod+Enter opens beside what is pointed at in the list, or the chosen one that has the focus", async () => {
    await open("references");
    await type("lim");
    await answered();
    await press("Control+Enter");
    await press("Escape", "Control+a", "Backspace", "ArrowLeft", "Control+Enter");
    expect(await page.evaluate(() => window.beside)).toEqual([
      { screen: "payment-accounts", record: "33333333-1111-4111-8111-111111111111" },
      { screen: "payment-accounts", record: "22222222-1111-4111-8111-111111111111" },
    ]);
    expect(await saved()).toEqual([]);
  });

  test.each([
    ["en", "ArrowLeft", "ArrowRight"],
    ["ar", "ArrowRight", "ArrowLeft"],
  ])("in %s the arrows go from chip to chip as they stand, and Backspace takes one away", async (lng, back, on) => {
    await open("references", lng);
    await press(back);
    expect(await focused()).toContain("PA-02");
    await press(back, on, on);
    expect(await page.evaluate(() => document.activeElement?.getAttribute("role"))).toBe("combobox");
    await press("Backspace", "Backspace");
    expect(await chips()).toEqual(["PA-01 · Lim Wei 1"]);
  });

  test("what was typed and chosen from nothing is told at its field; the form is not saved without it", async () => {
    await open("references");
    await type("l");
    await expect.poll(() => page.locator(".found .none").textContent()).toBe("Type at least two characters");
    await press("Escape", "Control+Enter");
    await expect.poll(described).toContain("Choose a record found for what was typed, or clear it");
    expect(await saved()).toEqual([]);
    await type("im");
    await answered();
    await press("Enter", "Control+Enter");
    await expect.poll(saved).toHaveLength(1);
  });

  test("a single one is replaced", async () => {
    await open("reference");
    await type("wei 1");
    await answered();
    await press("Enter");
    await type("wei 2");
    await answered();
    await press("Enter");
    expect(await chips()).toEqual(["PA-02 · Lim Wei 2"]);
  });

  test("an Enter faster than the answer takes the only one found, never one of an earlier text", async () => {
    await open("reference");
    await type("wei");
    await answered();
    expect(await page.getByRole("option").first().textContent()).toBe("PA-01Lim Wei 1");
    await enterBefore(" 2");
    await expect.poll(chips).toEqual(["PA-02 · Lim Wei 2"]);
  });

  test("an Enter faster than the answer is kept while one goes on, and the focus stays where one has gone", async () => {
    await open("reference");
    await enterBefore("wei 2", "Shift+Tab");
    await expect.poll(chips).toEqual(["PA-02 · Lim Wei 2"]);
    expect(await page.getByRole("combobox").evaluate((line) => line === document.activeElement)).toBe(false);
  });

  test("an Enter faster than the answer takes none of several when the one pointed at is not among them", async () => {
    await open("reference");
    await type("wei 2");
    await answered();
    for (const _ of "wei 2") await page.keyboard.press("Backspace"); // oxlint-disable-line no-await-in-loop -- one press after the other
    await enterBefore("tan");
    await answered();
    expect(await page.getByRole("option").allTextContents()).toEqual(["PA-05Tan Mei 5", "PA-06Tan Mei 6"]);
    expect(await chips()).toEqual([]);
  });
});

describe("rows", () => {
  const cell = (row: number, name: string) => page.getByLabel(`${name}, row ${row}`, { exact: true });

  test("are added, written, moved and removed by keys, and saved in order", async () => {
    await open("rows");
    await press("Enter");
    await type("Size");
    await press("Enter");
    await type("Colour");
    await press("Tab", "o", "Tab");
    await type("red, green");
    await cell(2, "rows.name").focus();
    await press("Alt+ArrowUp");
    expect(await cell(1, "rows.name").inputValue()).toBe("Colour");
    await expect.poll(said).toContain("Now row 1");
    await press("Control+Enter");
    await expect.poll(saved).toEqual([
      {
        rows: [
          { name: "Colour", type: "options", options: ["red", "green"], required: false },
          { name: "Size", type: "text", options: [], required: false },
        ],
      },
    ]);
    await page.getByRole("button", { name: "Remove row 1" }).focus();
    await press("Enter");
    expect(await cell(1, "rows.name").inputValue()).toBe("Size");
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("INPUT");
  });

  test("a wrong cell has the focus after a refusal, and says what is wrong with it", async () => {
    await open("rows");
    await press("Enter");
    await type("Size");
    await press("Enter", "Control+Enter");
    await expect.poll(described).toContain("Must be filled in");
    expect(await cell(2, "rows.name").getAttribute("aria-invalid")).toBe("true");
    expect(await saved()).toEqual([]);
  });
});

describe("one field each", () => {
  test("a list: commas and Enter make chips, and what is still being typed is saved", async () => {
    await open("list");
    await type("a, b");
    await press("Enter");
    await type("c");
    expect(await chips()).toEqual(["a", "b"]);
    await press("Control+Enter");
    await expect.poll(saved).toEqual([{ list: ["a", "b", "c"] }]);
  });

  test("a chip of a list that is taken off by its button leaves the focus in the line", async () => {
    await open("list");
    await type("a, b, ");
    await page.locator(".chip-remove").first().click();
    await expect.poll(chips).toEqual(["b"]);
    await type("c");
    await press("Control+Enter");
    await expect.poll(saved).toEqual([{ list: ["b", "c"] }]);
  });

  test("a list keeps an entry that another begins with, and takes none twice", async () => {
    await open("list");
    await type("10, 102, 10");
    await press("Enter");
    expect(await chips()).toEqual(["10", "102"]);
    await press("Control+Enter");
    await expect.poll(saved).toEqual([{ list: ["10", "102"] }]);
  });

  test("a count: Up and Down step within its bounds; empty is none; a word is refused aloud", async () => {
    await open("count");
    const spin = page.getByRole("spinbutton");
    expect(await spin.getAttribute("aria-valuenow")).toBeNull();
    await press("ArrowUp", "ArrowUp", "ArrowDown", "ArrowDown", "ArrowDown");
    expect(await spin.inputValue()).toBe("1");
    await press("PageUp", "PageUp", "PageUp");
    expect(await spin.inputValue()).toBe("20");
    await press("Control+a");
    await type("soon");
    await press("Control+Enter");
    await expect.poll(described).toContain("Must be a whole number from 1 to 20");
    await press("Control+a", "Backspace", "Control+Enter");
    expect(await saved()).toEqual([]); // as it was: nothing to send
  });

  test("JSON: where it stops being that is said by line and column", async () => {
    await open("json");
    await type('{"a": 1,\n"b" 2}');
    await press("Control+Enter");
    await expect.poll(described).toContain("line 2, column 5");
    expect(await saved()).toEqual([]);
  });

  test("a code: digits of any script are taken, blanks in between are not, and after six it is whole", async () => {
    await open("code");
    await type("12a 3\u06645678");
    await press("Control+Enter");
    await expect.poll(saved).toEqual([{ code: "123456" }]);
    expect(await page.locator(".code-boxes b").allTextContents()).toEqual(["1", "2", "3", "4", "5", "6"]);
  });

  test("an e-mail typed with a blank before or after it is sent without", async () => {
    await open("email");
    await page.locator("input[type=email]").fill(" nurul@example.com ");
    await press("Control+Enter");
    await expect.poll(saved).toEqual([{ email: "nurul@example.com" }]);
  });

  test("a moment is typed as it is said and sent as an instant", async () => {
    await open("moment");
    await type("2026-11-20 14:30");
    await press("Control+Enter");
    await expect.poll(saved).toEqual([{ moment: "2026-11-20T06:30:00.000Z" }]);
  });

  test("switch and choices: Space turns them", async () => {
    await open("switch,choices");
    await press("Space", "Tab", "Tab", "Space", "Control+Enter");
    await expect.poll(saved).toEqual([{ switch: true, choices: ["green"] }]);
  });

  test("a kept secret comes when it is asked for, and is not sent", async () => {
    await open("secret,text");
    await page.locator("input[type=password]").focus();
    await press("Tab", "Enter");
    await expect.poll(() => page.locator(".with-button input").inputValue()).toBe("s3cret");
    expect(await page.evaluate(() => window.session.isChanged)).toBe(false);
  });

  test("permissions are one stop of Tab; arrows go from box to box, Space turns one, a all of its line", async () => {
    await open("permissions");
    await page.locator("[data-permission]:focus").waitFor();
    await press("Space", "ArrowDown", "ArrowDown", "a", "Control+Enter");
    await expect
      .poll(saved)
      .toEqual([{ permissions: ["pas.merchant.merchants.view", "pas.merchant.transactions.view", "pas.merchant.transactions.export"] }]);
  });

  test("permissions are found by typing, and Shift+A turns one column of those that were found", async () => {
    await open("permissions");
    await page.locator("[data-permission]:focus").waitFor();
    await press("/");
    await type("vs.vendor");
    await expect.poll(() => page.locator("[data-permission$='.view']").count()).toBe(3);
    await press("ArrowDown", "Shift+A", "Control+Enter");
    await expect.poll(saved).toEqual([{ permissions: ["vs.vendor.vendors.view", "vs.vendor.categories.view", "vs.vendor.items.view"] }]);
  });

  test("a file is named once it was sent, and can be taken away", async () => {
    await open("file");
    await page.locator("input[type=file]").setInputFiles({ name: "receipt.pdf", mimeType: "application/pdf", buffer: Buffer.from("%PDF") });
    await page.getByText("receipt.pdf").waitFor();
    await press("Tab", "Enter");
    await expect.poll(() => page.getByText("No file").count()).toBe(1);
    // the browser tells of a choice only where it is another than before
    expect(await page.locator("input[type=file]").evaluate((picker) => (picker as HTMLInputElement).value)).toBe("");
  });
});

describe("all of them", () => {
  test.each(["en", "zh", "ar", "fr", "de", "it", "ru", "es"])(
    "in %s axe finds nothing, and nothing reaches over the sheet's edge",
    async (lng) => {
      await open(undefined, lng);
      await page.evaluate(axeCore.source);
      const faults = await page.evaluate(async () => {
        const axe = (
          window as unknown as { axe: { run(selector: string): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> } }
        ).axe; // put there by its source
        const { violations } = await axe.run(".form-body");
        return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
      });
      expect(faults).toEqual([]);
      const over = await page.evaluate(() => {
        const sheet = document.querySelector(".sheet-body");
        return sheet === null ? null : sheet.scrollWidth - sheet.clientWidth;
      });
      expect(over).toBe(0);
    },
  );

  test.each(["bp6-light", "bp6-dark"])("a control of one line is as high as any other (%s)", async (scheme) => {
    await open();
    await page.evaluate((name) => document.body.classList.add(name), scheme);
    const heights = await page
      .locator(".field > .bp6-form-content > :is(input.bp6-input, .chip-box, .bp6-html-select)")
      .evaluateAll((controls) => controls.map((one) => ({ is: one.className, height: one.getBoundingClientRect().height })));
    expect(heights.filter(({ is }) => is.includes("chip-box"))).toHaveLength(3);
    expect(heights.filter(({ height }) => height !== 28)).toEqual([]);
  });

  test("a refused save counts what is wrong aloud and leads to the first wrong field", async () => {
    await open();
    await press("Space", "Control+Enter");
    await page.locator(".form-body [role=alert]").waitFor();
    await expect.poll(described).toContain("Must be filled in");
  });
});
