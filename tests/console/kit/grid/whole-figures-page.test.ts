import type { Page } from "playwright";
import { expect, test } from "vitest";
import { gridBench } from "./grid-bench.ts";

/** Amounts (columns 2 and 14) and ids (10) on the page of the grid's bench: a part of one reads as another. */
const bench = gridBench();
let page: Page;

async function open(query: string, width = 900): Promise<void> {
  ({ page } = await bench.open({ viewport: { width, height: 620 } }));
  await page.goto(`${bench.url}index.html?${query}`);
  await page.waitForFunction(() => window.firstRows > 0);
}

/** Gives all rows one amount, in a currency's format. */
const amounts = (text: string, rows = 300) =>
  page.evaluate(
    ([shown, count]) =>
      window.source.setPage(
        Array.from({ length: count }, (_, row) => ({
          uuid: `r${row}`,
          closed: false,
          cells: Array.from({ length: 20 }, (__, column) => (column === 2 || column === 14 ? shown : "x")),
        })),
      ),
    [text, rows] as const,
  );

/** Amounts and ids that are cut, and those that are whole, in the visible rows. */
const figures = () =>
  page.evaluate(async () => {
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    const scroller = document.querySelector("[role=grid]");
    if (!scroller) throw new Error("no grid");
    const view = scroller.getBoundingClientRect();
    const [part, whole] = [new Set<string>(), new Set<string>()];
    for (const cell of document.querySelectorAll<HTMLElement>(".rows > .row .cell:is(.c2, .c10, .c14)")) {
      const text = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT).nextNode();
      if (!text || getComputedStyle(cell).visibility === "hidden" || cell.getBoundingClientRect().top > view.bottom) continue;
      const range = document.createRange();
      range.selectNodeContents(text);
      const [at, around] = [range.getBoundingClientRect(), cell.getBoundingClientRect()];
      if (at.right <= view.left || at.left >= view.right) continue;
      const isWhole = at.left >= Math.max(view.left, around.left) && at.right <= Math.min(view.right, around.right);
      (isWhole ? whole : part).add(cell.className.match(/c\d+/)?.[0] ?? "");
    }
    return { part: [...part], whole: [...whole] };
  });

const size = () =>
  page
    .locator(".rows > .row .c2")
    .first()
    .evaluate((cell) => getComputedStyle(cell).fontSize);

test.each(["en", "ar", "zh"])(
  "in %s a column is as wide as its widest amount, and one that does not fit into the view shows nothing",
  async (language) => {
    await open(`rows=300&lang=${language}`);
    await amounts("22,250,000.125");
    expect(await figures()).toEqual({ part: [], whole: ["c2"] });
    // a wider one arrives
    await page.evaluate(() =>
      window.source.patch("r1", { uuid: "r1", closed: false, cells: Array.from({ length: 20 }, () => "922,250,000.125") }),
    );
    expect(await figures()).toEqual({ part: [], whole: ["c2"] });
    const onwards = language === "ar" ? "ArrowLeft" : "ArrowRight";
    const seen = new Set<string>();
    for (let column = 1; column < 20; column++) {
      await page.keyboard.press(onwards);
      const { part, whole } = await figures();
      expect(part, `at column ${column}`).toEqual([]);
      for (const one of whole) seen.add(one);
    }
    expect([...seen].sort()).toEqual(["c10", "c14", "c2"]);
    // and by the wheel, which stops anywhere
    await page.mouse.move(400, 300);
    for (let step = 0; step < 12; step++) {
      await page.mouse.wheel(language === "ar" ? 97 : -97, 0);
      expect((await figures()).part, `at step ${step}`).toEqual([]);
    }
  },
);

test("right to left the decimals of amounts of any size line up", async () => {
  await open("rows=300&lang=ar");
  await amounts("22,250,000.125");
  await page.evaluate(() => window.source.patch("r1", { uuid: "r1", closed: false, cells: Array.from({ length: 20 }, () => "50.125") }));
  await figures();
  const ends = await page.locator(".rows > .row .c2 bdi").evaluateAll((cells) => {
    const shown = cells.filter(({ textContent }) => textContent !== "");
    return new Set(
      shown.map((cell) => {
        const range = document.createRange();
        range.selectNodeContents(cell);
        return Math.round(range.getBoundingClientRect().right);
      }),
    ).size;
  });
  expect(ends).toBe(1);
});

test("by hand a column of amounts is made no narrower than they are; a narrower id keeps its end", async () => {
  await open("rows=300", 1200);
  await amounts("22,250,000");
  await page.evaluate(() => {
    window.grid.setWidth("c2", 50);
    window.grid.setWidth("c10", 60);
  });
  await expect.poll(figures).toEqual({ part: ["c10"], whole: ["c2"] });
  const ends = await page.evaluate(() => {
    const cell = document.querySelector(".rows > .row .c10");
    const text = cell && document.createTreeWalker(cell, NodeFilter.SHOW_TEXT).nextNode();
    if (!text) throw new Error("no id");
    const range = document.createRange();
    range.setStart(text, (text.textContent?.length ?? 0) - 4);
    range.setEnd(text, text.textContent?.length ?? 0);
    const [at, around] = [range.getBoundingClientRect(), cell.getBoundingClientRect()];
    return [at.left > around.left, at.right < around.right];
  });
  expect(ends).toEqual([true, true]);
});

test("amounts are written a step smaller where that brings another column whole into view, and only there", async () => {
  await open("rows=300", 1200);
  await amounts("222,333,444,555.125");
  const room = await page.evaluate(() => {
    const right = document.querySelector(".rows > .row .c8")?.getBoundingClientRect().right ?? 0;
    return right - (document.querySelector(".scroller")?.clientWidth ?? 0);
  });
  // four px less than the column's text needs
  await page.setViewportSize({ width: Math.floor(1200 + room - 8 - 4), height: 620 });
  await expect.poll(size).toBe("12px");
  expect((await figures()).part).toEqual([]);
  await page.setViewportSize({ width: Math.floor(1200 + room + 8), height: 620 });
  await expect.poll(size).toBe("13px");
});
