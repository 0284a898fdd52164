import type { Page } from "playwright";
import { describe, expect, test } from "vitest";
import { gridBench } from "./grid-bench.ts";
import { pagesOf } from "../../../support/printed.ts";

/** The grid in a real Chromium under the console's own keys, sheets and status bar: 20 columns, rows r0, r1, … */
const bench = gridBench();
let page: Page;

async function open(query = "", options: { clipboard?: boolean; reducedMotion?: "reduce" } = {}): Promise<void> {
  const { clipboard = true, ...media } = options;
  const opened = await bench.open(media);
  ({ page } = opened);
  if (clipboard) await opened.context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: new URL(bench.url).origin });
  else
    await page.addInitScript(() => {
      navigator.clipboard.writeText = () => Promise.reject(new DOMException("denied", "NotAllowedError"));
    });
  await page.goto(`${bench.url}kit.html?${query}`);
  // the rows appear once their container has its size, a frame after the grid
  await page.waitForFunction(() => window.firstRows > 0 && document.querySelector(".rows > .row[aria-rowindex] .c0") !== null);
}

const press = async (...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key);
};
const times = (count: number, key: string) => Array.from({ length: count }, () => key);
const copied = () => page.evaluate(() => navigator.clipboard.readText());
const spoken = () => page.locator(".spoken").textContent();
const bar = () => page.locator("footer.stat").textContent();
const cell = (row: number, column: number) => page.locator(`.rows > .row[aria-rowindex='${row + 2}'] .c${column}`);
const box = async (selector: string) => {
  const found = await page.locator(selector).boundingBox();
  return found && Object.values(found).map(Math.round);
};
const texts = (top: number, bottom: number, first: number, last: number) =>
  page.evaluate(([from, to, start, end]) => window.source.rows.slice(from, to + 1).map((row) => row.cells.slice(start, end + 1)), [
    top,
    bottom,
    first,
    last,
  ] as const);
const cursorAt = () =>
  page.evaluate(() => {
    const active = document.getElementById(document.querySelector("[role=grid]")?.getAttribute("aria-activedescendant") ?? "");
    return [Number(active?.closest("[role=row]")?.getAttribute("aria-rowindex")) - 2, Number(active?.ariaColIndex) - 2];
  });
/** The range's box and the cells it should cover. */
async function expectRange(top: number, bottom: number, first: number, last: number): Promise<void> {
  const [from, to] = [await cell(top, first).boundingBox(), await cell(bottom, last).boundingBox()];
  if (!from || !to) throw new Error("its corners are not on the page");
  const start = Math.min(from.x, to.x);
  const end = Math.max(from.x + from.width, to.x + to.width);
  expect(await box(".range")).toEqual([start, from.y, end - start, to.y + to.height - from.y].map(Math.round));
}

describe("a range of cells", () => {
  test("grows from its anchor with Shift and the arrows, as one box, and is announced", async () => {
    await open();
    await press("ArrowDown", "ArrowRight", "Shift+ArrowDown", "Shift+ArrowDown", "Shift+ArrowRight");
    await expectRange(1, 3, 1, 2);
    expect(await cursorAt()).toEqual([3, 2]);
    await expect.poll(spoken).toBe("3 × 2 cells selected");
    await press("Shift+ArrowUp", "Shift+ArrowUp", "Shift+ArrowUp");
    await expectRange(0, 1, 1, 2);
    expect(await page.locator(".range").count()).toBe(1);
  });

  test("is separate from the marks: neither changes the other, and Space marks the rows of the range", async () => {
    await open();
    await press("x", ...times(4, "ArrowDown"), "Shift+ArrowDown", "Shift+ArrowDown");
    expect(await page.evaluate(() => window.reported.marks)).toEqual(["r0"]);
    await press("Space");
    expect(await page.evaluate(() => window.reported.marks)).toEqual(["r0", "r4", "r5", "r6"]);
    await expectRange(4, 6, 0, 0);
    await press("Space");
    expect(await page.evaluate(() => window.reported.marks)).toEqual(["r0"]);
  });

  test("Shift with the letters extends the marks, and makes no range", async () => {
    await open();
    await press("Shift+J", "Shift+J", "Shift+K");
    expect(await page.evaluate(() => window.reported.marks)).toEqual(["r0", "r1"]);
    expect(await page.locator(".range").isVisible()).toBe(false);
  });

  test("reaches the edges with Mod, and a motion without Shift ends it", async () => {
    await open("rows=40");
    await press(...times(3, "ArrowDown"), "ArrowRight", "Control+Shift+ArrowRight", "Control+Shift+ArrowDown");
    expect(await cursorAt()).toEqual([39, 19]);
    await expect.poll(spoken).toBe("37 × 19 cells selected");
    await press("ArrowUp");
    expect(await page.locator(".range").isVisible()).toBe(false);
    await expect.poll(spoken).toBe("");
  });

  test("is never drawn taller than a browser allows, over a hundred thousand rows", async () => {
    await open("rows=100000");
    await press("ArrowRight", "Control+Shift+End");
    await expect.poll(spoken).toBe("100000 × 1 cells selected");
    const drawn = await page.locator(".range").boundingBox();
    expect(drawn?.height).toBeLessThan(20_000);
    const view = await page.locator("[role=grid]").boundingBox();
    expect((drawn?.y ?? 0) < (view?.y ?? 0) && (drawn?.y ?? 0) + (drawn?.height ?? 0) > (view?.y ?? 0) + (view?.height ?? 0) - 40).toBe(
      true,
    );
    await page.mouse.move(400, 300);
    await page.mouse.wheel(0, -60_000);
    await page.waitForFunction(() => (document.querySelector("[role=grid]")?.scrollTop ?? 0) < 2_760_000);
    await expect
      .poll(async () => {
        const now = await page.locator(".range").boundingBox();
        return (now?.y ?? 1e9) <= 28 && (now?.y ?? 0) + (now?.height ?? 0) >= 590;
      })
      .toBe(true);
  });

  test("Escape clears the range first, then the marks", async () => {
    await open();
    await press("x", "Shift+ArrowDown", "Escape");
    expect(await page.locator(".range").isVisible()).toBe(false);
    expect(await page.evaluate(() => window.grid.markedRows().length)).toBe(1);
    expect(await cursorAt()).toEqual([1, 0]);
  });

  test("never reaches the header, and does not begin there", async () => {
    await open();
    await press("Shift+ArrowUp", "Shift+ArrowUp");
    expect(await cursorAt()).toEqual([0, 0]);
    await press("ArrowUp", "Shift+ArrowDown");
    expect(await cursorAt()).toEqual([0, 0]);
    expect(await page.locator(".range").isVisible()).toBe(false);
  });

  test("is selected by dragging, goes on beyond the edge of the view, and is extended by a click with Shift", async () => {
    await open();
    const [from, to] = [await cell(2, 2).boundingBox(), await cell(5, 4).boundingBox()];
    if (!from || !to) throw new Error("no cells");
    await page.mouse.move(from.x + 10, from.y + 10);
    await page.mouse.down();
    await page.mouse.move(to.x + 10, to.y + 10, { steps: 6 });
    await expectRange(2, 5, 2, 4);
    await page.mouse.move(to.x + 10, 640, { steps: 3 });
    await page.waitForFunction(() => (document.querySelector("[role=grid]")?.scrollTop ?? 0) > 100);
    await page.mouse.up();
    await press("Escape", "Control+Home");
    await cell(1, 0).click();
    await cell(3, 2).click({ modifiers: ["Shift"] });
    await expectRange(1, 3, 0, 2);
    await cell(8, 1).click();
    expect(await page.locator(".range").isVisible()).toBe(false);
  });

  test("stays on its rows when others are added above, and ends when its anchor leaves", async () => {
    await open();
    await press("ArrowDown", "Shift+ArrowDown");
    await page.evaluate(() => window.source.prepend([{ uuid: "n1", closed: false, cells: Array.from({ length: 20 }, () => "new") }]));
    await expectRange(2, 3, 0, 0);
    await page.evaluate(() => window.source.remove("r1"));
    expect(await page.locator(".range").isVisible()).toBe(false);
  });

  test("in a right-to-left page Shift+Left reaches the next column", async () => {
    await open("lang=ar");
    await press("Shift+ArrowLeft", "Shift+ArrowDown");
    expect(await cursorAt()).toEqual([1, 1]);
    await expectRange(0, 1, 0, 1);
    const [first, second] = [await cell(0, 0).boundingBox(), await cell(0, 1).boundingBox()];
    expect(second?.x).toBeLessThan(first?.x ?? 0);
    await press("Escape", "End", "Shift+ArrowRight");
    await expectRange(1, 1, 18, 19);
  });
});

describe("copying", () => {
  test("y y and Mod+C copy the range as a sheet's rows, and say how much", async () => {
    await open();
    await press("ArrowRight", "Shift+ArrowDown", "Shift+ArrowRight", "Control+c");
    const [a, b] = await texts(0, 1, 1, 2);
    await expect.poll(bar).toContain("Copied 2 rows, columns: 2");
    expect(await copied()).toBe(`${a?.join("\t")}\r\n${b?.join("\t")}`);
    await press("Shift+ArrowLeft", "y", "y");
    await expect.poll(copied).toBe(`${a?.[0]}\r\n${b?.[0]}`);
  });

  test("without a range the marked rows go whole, and without marks the cell as it stands", async () => {
    await open();
    await press("x", "ArrowDown", "x", "Control+c");
    await expect.poll(async () => (await copied()).split("\r\n").map((line) => line.split("\t").length)).toEqual([20, 20]);
    await press("Escape", "ArrowRight", "ArrowRight", "Control+c");
    const [[amount = ""] = []] = await texts(1, 1, 2, 2);
    await expect.poll(copied).toBe(amount);
  });

  test("a text that a spreadsheet would run as a formula is escaped", async () => {
    await open();
    await page.evaluate(() => {
      const [first] = window.source.rows;
      if (first) window.source.patch("r0", { ...first, cells: first.cells.with(0, "=HYPERLINK(1)").with(1, "-12.50") });
    });
    await press("Shift+ArrowRight", "Control+c");
    await expect.poll(copied).toBe("'=HYPERLINK(1)\t-12.50");
  });

  test("y r copies the whole row, marks or not", async () => {
    await open();
    await press("x", "ArrowDown", "y", "r");
    await expect.poll(async () => (await copied()).split("\t").length).toBe(20);
    expect(await copied()).not.toContain("\n");
  });

  test("where the browser forbids copying, it says so", async () => {
    await open("", { clipboard: false });
    await press("Shift+ArrowDown", "Control+c");
    await expect.poll(bar).toContain("The clipboard cannot be written to.");
  });
});

describe("figures of the selection", () => {
  test("size, sum, count and mean of the amounts, exact, on the status bar", async () => {
    await open();
    await page.evaluate(() => {
      ["0.10", "0.20", "1,000.05"].forEach((amount, index) => {
        const row = window.source.at(index);
        if (row) window.source.patch(row.uuid, { ...row, cells: row.cells.with(2, amount) });
      });
    });
    await press("ArrowRight", "ArrowRight", "Shift+ArrowDown", "Shift+ArrowDown", "Shift+ArrowLeft");
    await expect.poll(bar).toContain("3 × 2Σ 1,000.353 amountsmean 333.45");
    await page.evaluate(() => {
      const row = window.source.at(1);
      if (row) window.source.patch(row.uuid, { ...row, cells: row.cells.with(2, "10.20") });
    });
    await expect.poll(bar).toContain("Σ 1,010.35");
    await press("ArrowDown");
    await expect.poll(bar).not.toContain("Σ");
  });
});

describe("finding", () => {
  const field = () => page.getByRole("textbox", { name: "Find in these rows" });
  const count = () => page.locator(".find .count").textContent();
  const expected = (text: string) =>
    page.evaluate((sought) => {
      const found: number[][] = [];
      window.source.rows.forEach((row, index) =>
        [...document.querySelectorAll("[role=columnheader].cell")].forEach((_, column) => {
          const kind = column % 12 === 10 ? `W2611${row.uuid.slice(1).padStart(8, "0")}` : (row.cells[column] ?? "");
          if (kind.toLowerCase().includes(sought)) found.push([index, column]);
        }),
      );
      return found;
    }, text);

  test("the cursor goes to the first match while typing, on with Enter, back with Shift+Enter, and wraps at the ends", async () => {
    await open();
    await press("/");
    await page.keyboard.type("LOTUS");
    const found = await expected("lotus");
    await expect.poll(count).toBe(`1 of ${found.length}`);
    expect(await cursorAt()).toEqual(found[0]);
    await press("Enter", "Enter");
    await expect.poll(count).toBe(`3 of ${found.length}`);
    expect(await cursorAt()).toEqual(found[2]);
    await press("Shift+Enter", "Shift+Enter", "Shift+Enter");
    await expect.poll(count).toBe(`${found.length} of ${found.length}`);
    expect(await cursorAt()).toEqual(found.at(-1));
    await expect(field().evaluate((element) => element === document.activeElement)).resolves.toBe(true);
  });

  test("Escape returns to the start, unless Enter has moved on from there; Mod+Enter stays, and Mod+G finds the next", async () => {
    await open();
    await press("ArrowDown", "ArrowRight", "Control+f");
    await page.keyboard.type("lotus");
    await expect.poll(count).toMatch(/^[1-9]\d* of/);
    await press("Escape");
    expect(await cursorAt()).toEqual([1, 1]);
    expect(await field().count()).toBe(0);
    const found = await expected("lotus");
    const after = found.findIndex(([row = 0, column = 0]) => row > 1 || (row === 1 && column > 1));
    await press("Control+g");
    await expect.poll(cursorAt).toEqual(found[after]);
    await press("Control+f", "Enter", "Control+Enter");
    await expect.poll(cursorAt).toEqual(found[after + 1]);
    expect(await field().count()).toBe(0);
    expect(await page.evaluate(() => document.activeElement?.role)).toBe("grid");
    await press("Control+Shift+G");
    await expect.poll(cursorAt).toEqual(found[after]);
    await press("Control+f", "Enter", "Escape");
    await expect.poll(cursorAt).toEqual(found[after + 1]);
    expect(await field().count()).toBe(0);
  });

  test("digits find an amount whatever its commas, and a text without match says so", async () => {
    await open();
    await page.evaluate(() => {
      const row = window.source.at(7);
      if (row) window.source.patch(row.uuid, { ...row, cells: row.cells.with(2, "98,765.43") });
    });
    await press("/");
    await page.keyboard.type("98765.4");
    await expect.poll(count).toBe("1 of 1");
    expect(await cursorAt()).toEqual([7, 2]);
    await page.keyboard.type("9");
    await expect.poll(count).toBe("None");
    expect(await cursorAt()).toEqual([0, 0]);
  });
});

test("neither the find field nor the banner for all matching rows covers the found cell", async () => {
  await open("rows=300&more");
  await press("Control+a", "Control+f");
  await page.keyboard.type("lotus");
  await page.locator(".find .count", { hasText: /^[1-9]\d* of/ }).waitFor();
  for (let step = 0; step < 5; step++) {
    await press("Enter");
    const placed = await page.evaluate(async () => {
      await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
      const active = document.getElementById(document.querySelector("[role=grid]")?.getAttribute("aria-activedescendant") ?? "");
      const { left, top, width, height } = active?.getBoundingClientRect() ?? new DOMRect();
      return [2, height - 2].map((down) => document.elementFromPoint(left + width / 2, top + down)?.closest("[role=gridcell]") === active);
    });
    expect(placed).toEqual([true, true]);
  }
});

describe("marking", () => {
  test("Mod+A marks all loaded rows and offers the rest, again marks all that match, and unmarking one ends that", async () => {
    await open("rows=60&more");
    await press("Control+a");
    expect(await page.evaluate(() => [window.reported.marks.length, window.grid.marksEverything()])).toEqual([60, null]);
    await expect
      .poll(() => page.locator(".everything").textContent())
      .toContain("All 60 loaded rows are marked.Mark all 12,345 rows that match");
    await press("Control+a");
    expect(await page.evaluate(() => window.grid.marksEverything())).toEqual({ count: 12_345 });
    await expect.poll(spoken).toBe("All 12,345 rows that match are marked");
    await press("x");
    expect(await page.evaluate(() => [window.reported.marks.length, window.grid.marksEverything()])).toEqual([59, null]);
    expect(await page.locator(".everything").count()).toBe(0);
  });

  test("where the screen does not allow it, or there are no more rows, the second Mod+A changes nothing", async () => {
    await open("rows=60");
    await press("Control+a", "Control+a");
    expect(await page.evaluate(() => window.grid.marksEverything())).toBeNull();
  });
});

describe("columns and rows", () => {
  const titlesShown = () => page.locator("[role=columnheader] .title").allTextContents();

  test("a column is dragged to another place, which does not sort", async () => {
    await open();
    const [from, to] = [
      await page.locator("[role=columnheader].c1").boundingBox(),
      await page.locator("[role=columnheader].c3").boundingBox(),
    ];
    if (!from || !to) throw new Error("no header");
    await page.mouse.move(from.x + 10, from.y + 10);
    await page.mouse.down();
    await page.mouse.move(to.x + 20, to.y + 10, { steps: 5 });
    await page.mouse.up();
    await expect.poll(async () => (await titlesShown()).slice(0, 4)).toEqual(["status 0", "amount 2", "fee 3", "age 1"]);
    await page.mouse.move(from.x + 10, from.y + 10);
    await page.mouse.down();
    await page.mouse.move(to.x + 20, to.y + 10, { steps: 5 });
    await page.mouse.move(from.x + 12, from.y + 10, { steps: 5 });
    await page.mouse.up();
    expect((await titlesShown()).slice(0, 2)).toEqual(["status 0", "amount 2"]);
    expect(await page.locator("[aria-sort=ascending]").count()).toBe(0);
  });

  const menu = () => page.locator("[role=menu]");
  const item = (name: string) => page.getByRole("menuitem", { name });
  const focused = () => page.evaluate(() => document.activeElement?.textContent ?? "");
  /** The edges at which the menu and its header begin, px. */
  const edges = (column: number, side: "left" | "right") =>
    page.evaluate(
      ([at, edge]) => {
        const found = [document.querySelector("[role=menu]"), document.querySelector(`[role=columnheader].c${at}`)];
        const [opened, header] = found.map((element) => element?.getBoundingClientRect());
        if (!opened || !header) throw new Error("the menu or its header is not on the page");
        return Math.abs(opened[edge] - header[edge]) < 1 && Math.abs(opened.top - header.bottom) < 1;
      },
      [column, side] as const,
    );

  test("a column's menu opens under its header by key, is used by keys, and returns the focus to the cell", async () => {
    await open();
    await press("ArrowDown", "ArrowRight", "Alt+ArrowDown");
    await menu().waitFor();
    expect(await menu().getAttribute("aria-label")).toBe("Column age 1");
    expect(await edges(1, "left")).toBe(true);
    await expect.poll(bar).toContain("MENU");
    const walked: string[] = [];
    for (const key of ["Home", "ArrowDown", "End", "ArrowDown", "ArrowUp", "h", "s", "s"]) {
      await press(key);
      walked.push(await focused());
    }
    const [first, last] = ["Sort ascending", "Reset all columns"];
    expect(walked).toEqual([first, "Sort descending", last, first, last, "Hide this column", first, "Sort descending"]);
    await press("Enter");
    await expect.poll(spoken).toBe("Sorted by age 1 descending");
    expect(await menu().count()).toBe(0);
    expect(await cursorAt()).toEqual([1, 1]);
    await press("Alt+ArrowDown", "Escape");
    expect(await menu().count()).toBe(0);
    await press("ArrowDown");
    expect(await cursorAt()).toEqual([2, 1]);
  });

  test("it opens by the button on a header and by a right click; a click elsewhere only closes it", async () => {
    await open();
    await press("ArrowDown");
    const header = page.locator("[role=columnheader].c2");
    expect(await header.locator(".column-menu").isVisible()).toBe(false);
    await header.hover();
    await header.locator(".column-menu").click();
    await menu().waitFor();
    expect(await menu().getAttribute("aria-label")).toBe("Column amount 2");
    expect(await edges(2, "left")).toBe(true);
    await page.mouse.click(600, 400);
    expect(await menu().count()).toBe(0);
    expect(await cursorAt()).toEqual([1, 2]);
    expect(await page.locator("[aria-sort=ascending]").count()).toBe(0);
    await page.locator("[role=columnheader].c1").click({ button: "right" });
    await item("Hide this column").click();
    await expect.poll(async () => (await titlesShown()).slice(0, 2)).toEqual(["status 0", "amount 2"]);
    await press("Alt+ArrowDown", "a");
    await press("Enter");
    await page.getByRole("radio", { name: "age 1 Hidden" }).check();
    await press("Enter");
    await expect.poll(async () => (await titlesShown()).slice(0, 2)).toEqual(["status 0", "age 1"]);
  });

  test("right to left it opens at the header's right edge", async () => {
    await open("lang=ar");
    await press("ArrowLeft", "Alt+ArrowDown");
    await menu().waitFor();
    expect(await edges(1, "right")).toBe(true);
  });

  test("sorting by two columns shows and announces their order", async () => {
    await open();
    await press("s", "ArrowRight", "Shift+S", "Shift+S");
    await expect.poll(spoken).toBe("Sorted by status 0 ascending, age 1 descending");
    expect(await page.locator("[role=columnheader] sup").allTextContents()).toEqual(["1", "2"]);
  });

  test("the density is chosen by command and kept", async () => {
    await open();
    const heights = () => page.evaluate(() => document.querySelector(".rows > .row[aria-rowindex='2']")?.getBoundingClientRect().height);
    await press("Control+k");
    await page.locator("[cmdk-input]").waitFor();
    await page.keyboard.type("compact rows");
    await page.locator("[cmdk-item]", { hasText: /compact/i }).waitFor();
    await press("Enter");
    await expect.poll(heights).toBe(24);
    await page.reload();
    await page.waitForFunction(() => window.firstRows > 0);
    await expect.poll(heights).toBe(24);
  });
});

describe("keys in quick succession", () => {
  /** Keys, and texts for the open field, faster than anything is drawn between them, as a busy page gets them. */
  const atOnce = (...keys: (string | { readonly text: string })[]): Promise<void> =>
    page.evaluate(async (all) => {
      for (const key of all) {
        const target = document.activeElement ?? document.body;
        if (typeof key === "string") {
          const [name = "", ...held] = key.split("+").toReversed();
          const init = {
            key: name,
            code: /^\d$/.test(name) ? `Digit${name}` : name,
            altKey: held.includes("Alt"),
            bubbles: true,
            cancelable: true,
          };
          target.dispatchEvent(new KeyboardEvent("keydown", init));
        } else {
          Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(target, key.text);
          target.dispatchEvent(new Event("input", { bubbles: true }));
        }
        // what an event leaves for its end, and no more
        for (let turn = 0; turn < 20; turn++) await Promise.resolve();
      }
    }, keys);

  test("after one that opens a menu go to the menu", async () => {
    await open();
    await press("ArrowUp", "Alt+ArrowDown");
    await page.locator("[role=menu]").waitFor();
    await press("Escape");
    await page.locator("[role=menu]").waitFor({ state: "detached" });
    await press("ArrowRight");
    await atOnce("Alt+ArrowDown", "h");
    await press("Enter");
    await expect
      .poll(async () => (await page.locator("[role=columnheader] .title").allTextContents()).slice(0, 2))
      .toEqual(["status 0", "amount 2"]);
    expect(await page.locator("[role=menu]").count()).toBe(0);
  });

  test("after a search change nothing later: Escape has returned for good", async () => {
    await open("rows=100000");
    await press("ArrowDown", "/");
    await atOnce({ text: "lotus" }, "Escape");
    await press("Control+f");
    await page.locator(".find .count", { hasText: /^\d+ of/ }).waitFor();
    expect(await cursorAt()).toEqual([1, 0]);
  });
});

describe("on paper and at rest", () => {
  test("all loaded rows are printed with their titles, and nothing of the page around them", async () => {
    await open("rows=120");
    await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
    await page.emulateMedia({ media: "print" });
    expect(await page.locator(".printed tbody tr").count()).toBe(120);
    expect(await page.locator(".printed tbody tr").last().isVisible()).toBe(true);
    expect(await page.locator("footer.stat").isVisible()).toBe(false);
    expect(await page.locator("[role=grid]").isVisible()).toBe(false);
    // each page begins with the titles
    const pages = await pagesOf(await page.pdf());
    expect(pages.length).toBeGreaterThan(1);
    for (const text of pages) expect(text).toContain("status 0");
    await page.emulateMedia({ media: "screen" });
    await page.evaluate(() => window.dispatchEvent(new Event("afterprint")));
    expect(await page.locator(".printed").count()).toBe(0);
  });

  test("changed cells flash without motion, and are plain again afterwards", async () => {
    await open("");
    const flashing = await page.evaluate(() => {
      for (const at of [0, 3]) {
        const row = window.source.at(at);
        if (row) window.source.patch(row.uuid, { ...row, cells: row.cells.with(0, "changed") });
      }
      const cells = [...document.querySelectorAll(".rows .flash")];
      const plain = getComputedStyle(document.querySelector(".rows .cell:not(.flash)") ?? document.body).backgroundColor;
      return cells.map((cell) => [cell.textContent, getComputedStyle(cell).backgroundColor !== plain, document.getAnimations().length]);
    });
    expect(flashing).toEqual([
      ["changed", true, 0],
      ["changed", true, 0],
    ]);
    await page.waitForFunction(() => document.querySelector(".rows .flash") === null);
  });
});
