import type { Page } from "playwright";
import { describe, expect, test } from "vitest";
import { gridBench } from "./grid-bench.ts";

declare global {
  interface Window {
    /** Most rows missing at both ends at any moment so far. */
    lost: number;
  }
}

/** The grid in a real Chromium, on the page of its bench: 900 × 620, 20 columns, rows r0, r1, … */
const bench = gridBench();
let page: Page;

/** `clock`: `stopClock` also holds timers that the page starts itself. */
async function open(query: string, { clock = false } = {}): Promise<void> {
  ({ page } = await bench.open());
  if (clock) await page.clock.install();
  await page.goto(`${bench.url}index.html?${query}`);
  await page.waitForFunction(() => window.firstRows > 0);
}

/** From now on time passes in the page only when the test advances it. */
async function stopClock(): Promise<void> {
  await page.clock.install(); // once more does no harm
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1_000));
}

const press = async (...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key);
};

/** What is on screen once everything is drawn: rows in view from the top, the active cell, and the cursor's boxes. */
async function seen() {
  return page.evaluate(async () => {
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    const scroller = document.querySelector<HTMLElement>("[role=grid]");
    if (!scroller) throw new Error("no grid");
    const view = scroller.getBoundingClientRect();
    const box = (element: Element | null | undefined) => {
      const { left, top, width, height } = element?.getBoundingClientRect() ?? new DOMRect();
      return [left, top, width, height].map(Math.round);
    };
    const rows = [...document.querySelectorAll<HTMLElement>(".rows > .row")]
      .map((row) => ({ top: row.getBoundingClientRect().top, index: Number(row.ariaRowIndex), row }))
      .filter(({ top, index }) => index > 0 && top > view.top + 28 - 28 && top < view.bottom)
      .sort((a, b) => a.top - b.top);
    const active = document.getElementById(scroller.getAttribute("aria-activedescendant") ?? "");
    return {
      indexes: rows.map(({ index }) => index),
      tops: rows.map(({ top }) => Math.round(top)),
      first: rows[0]?.row.querySelector(".c0")?.parentElement?.innerText ?? "",
      activeRow: active?.closest("[role=row]")?.getAttribute("aria-rowindex") ?? null,
      activeColumn: active?.getAttribute("aria-colindex") ?? null,
      activeText: active?.textContent ?? null,
      activeBox: box(active),
      ringBox: box(document.querySelector(".ring")),
      hereBox: box(document.querySelector(".here")),
      rowCount: scroller.ariaRowCount,
      selected: rows.filter(({ row }) => row.ariaSelected === "true").map(({ index }) => index),
      scrollTop: scroller.scrollTop,
      focused: document.activeElement === scroller,
    };
  });
}

describe("the cursor", () => {
  test("has ring, tint and active descendant on the same cell wherever motions lead", async () => {
    await open("rows=10000");
    for (const keys of [["ArrowDown", "ArrowRight"], ["PageDown"], ["Control+End"], ["End"], ["PageUp"], ["Control+Home", "Home"]]) {
      await press(...keys);
      const now = await seen();
      expect(now.ringBox).toEqual([now.activeBox[0], now.activeBox[1], now.activeBox[2], 27]);
      expect(now.hereBox[1]).toBe(now.activeBox[1]);
      expect(now.indexes).toContain(Number(now.activeRow));
    }
    expect((await seen()).activeRow).toBe("2");
  });

  test("after jumps and single steps the view shows each of its rows once", async () => {
    await open("rows=10000");
    for (const keys of [
      ["Control+End"],
      ["PageUp", "PageUp"],
      ["ArrowUp"],
      ["Control+Home"],
      Array.from({ length: 40 }, () => "ArrowDown"),
    ]) {
      await press(...keys);
      const { indexes, tops } = await seen();
      const start = indexes[0] ?? 0;
      expect(indexes).toEqual(indexes.map((_, step) => start + step));
      expect(tops).toEqual(tops.map((_, step) => (tops[0] ?? 0) + step * 28));
      expect(indexes.length).toBeGreaterThanOrEqual(21);
    }
  });

  test("its row stays mounted and active while it is scrolled far away", async () => {
    await open("rows=10000");
    await press("ArrowDown", "ArrowDown");
    const before = await seen();
    await page.mouse.move(400, 300);
    await page.mouse.wheel(0, 90_000);
    await page.waitForFunction(() => document.querySelector("[role=grid]")?.scrollTop === 90_000);
    const after = await seen();
    expect(after.activeRow).toBe(before.activeRow);
    expect(after.activeText).toBe(before.activeText);
    await press("ArrowDown");
    expect((await seen()).indexes).toContain(5);
  });

  test("up from the first row it enters the header, reports it, and sorts there", async () => {
    await open("rows=100");
    await press("ArrowRight", "ArrowUp");
    expect(await page.evaluate(() => window.reported.header)).toBe(true);
    const { activeText } = await seen();
    expect(activeText).toContain("age 1");
    await press("Enter");
    expect(await page.locator("[role=columnheader][aria-sort=ascending]").textContent()).toContain("age 1");
    await press("ArrowDown");
    expect(await page.evaluate(() => window.reported)).toMatchObject({ header: false, cursor: "r0" });
  });

  test("in a right-to-left page the second column is to the left of the first", async () => {
    await open("rows=100&lang=ar");
    const first = (await seen()).ringBox[0] ?? 0;
    await press("ArrowLeft");
    const now = await seen();
    expect(now.activeColumn).toBe("3");
    expect(now.ringBox.slice(0, 3)).toEqual(now.activeBox.slice(0, 3));
    expect(now.ringBox[0]).toBeLessThan(first);
    await press("End");
    const last = await seen();
    expect(last.ringBox.slice(0, 3)).toEqual(last.activeBox.slice(0, 3));
    expect(last.activeBox[0]).toBeGreaterThanOrEqual(0);
  });

  test("a pinned column stays in view while the others scroll, and has the ring itself", async () => {
    await open("rows=100&pin=1");
    const pinned = page.locator(".rows > .row[aria-rowindex='2'] .c0");
    const before = await pinned.boundingBox();
    await press("End", "ArrowLeft");
    expect(await pinned.boundingBox()).toEqual(before);
    await press("End");
    const last = await seen();
    expect(last.activeColumn).toBe("21");
    expect((last.activeBox[0] ?? 0) + (last.activeBox[2] ?? 0)).toBeLessThanOrEqual(900);
    expect(await page.locator(".rows .cursor").count()).toBe(1);
  });
});

describe("the cost of a key", () => {
  /** Writes to the document between two frames for one press. */
  /** Writes to the page during the step; what follows later, at rest, does not count. */
  const writes = (motion: "next-row" | "next-cell", options = {}) =>
    page.evaluate(
      ([step, extra]) => {
        const observer = new MutationObserver(() => {});
        observer.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
        window.grid.move(step, extra);
        return observer.takeRecords().length;
      },
      [motion, options] as const,
    );

  test("a step within the view writes the two boxes and the name of the active cell, nothing else", async () => {
    await open("rows=1000");
    await press("ArrowDown", "ArrowRight");
    expect(await writes("next-row")).toBeLessThanOrEqual(5);
    expect(await writes("next-cell")).toBeLessThanOrEqual(5);
  });

  test("a row is one layer: only its pinned cells are positioned", async () => {
    await open("rows=1000");
    const positions = () =>
      page.evaluate(() => [...new Set([...document.querySelectorAll(".rows > .row *")].map((cell) => getComputedStyle(cell).position))]);
    expect(await positions()).toEqual(["static"]);
    await page.evaluate(() => window.grid.pinColumn("start", "c1"));
    await expect.poll(positions).toEqual(["sticky", "static"]);
  });

  test("a column's clock stops while rows scroll, and goes on when they rest", async () => {
    await open("rows=1000&ticks", { clock: true });
    const second = () => page.locator('.rows > .row[aria-rowindex="12"] .c1').textContent();
    const first = await second();
    await expect.poll(second).not.toBe(first);
    await stopClock();
    const seen = new Set([await second()]);
    for (let passed = 0; passed < 2_500; passed += 100) {
      await page.evaluate(async () => {
        const scroller = document.querySelector("[role=grid]");
        if (!scroller) throw new Error("no grid");
        const scrolled = new Promise((done) => scroller.addEventListener("scroll", done, { once: true }));
        scroller.scrollTop = scroller.scrollTop === 0 ? 56 : 0;
        await scrolled;
      });
      await page.clock.runFor(100);
      seen.add(await second());
    }
    expect([...seen]).toHaveLength(1);
    await page.clock.runFor(2_000);
    expect(await second()).not.toBe([...seen][0]);
  });

  test("the frame that scrolls writes what is seen; rows ahead are written after it is drawn", async () => {
    await open("rows=10000");
    const steps = await page.evaluate(async () => {
      const scroller = document.querySelector<HTMLElement>("[role=grid]");
      if (!scroller) throw new Error("no grid");
      // without the rows of the list's end, which are mounted out of sight once nothing else is left to do
      const last = () =>
        Math.max(
          ...[...document.querySelectorAll<HTMLElement>(".rows > .row")]
            .map((row) => Number(row.ariaRowIndex) - 2)
            .filter((row) => row < 5_000),
        );
      const found: { before: number; seen: number; inFrame: number; after: number }[] = [];
      for (let step = 0; step < 12; step++) {
        let before = last();
        // in the frame, before the grid's own listener, because postponed work may be done before the frame
        const look = (frame: FrameRequestCallback) => {
          before = last();
          requestAnimationFrame(frame); // of the frame whose event this is
        };
        const inThatFrame = new Promise<number>((frame) => addEventListener("scroll", () => look(frame), { capture: true, once: true }));
        scroller.scrollTop += 8 * 28;
        await inThatFrame;
        const inFrame = last();
        // what was put off in the frame comes when the browser has time; four times is enough to have seen it
        const isEnough = () => found.filter((one) => one.after > one.inFrame).length > 3;
        const until = performance.now() + 5_000;
        do await new Promise((task) => setTimeout(task, 10));
        while (last() <= inFrame && !isEnough() && performance.now() < until);
        found.push({ before, seen: Math.ceil((scroller.scrollTop + scroller.clientHeight - 28) / 28) - 1, inFrame, after: last() });
      }
      return found;
    });
    const beyond = 3;
    expect(steps.filter(({ before, seen, inFrame }) => inFrame > Math.max(before, seen + beyond))).toEqual([]);
    expect(steps.filter(({ inFrame, after }) => after > inFrame).length).toBeGreaterThan(3);
  });

  test("a step that extends a range also writes its box", async () => {
    await open("rows=1000");
    await page.evaluate(() => {
      for (const motion of ["next-row", "next-cell", "next-row"] as const) window.grid.move(motion, { range: true });
    });
    expect(await writes("next-row", { range: true })).toBeLessThanOrEqual(6);
  });
});

describe("the ends", () => {
  /** Mounted rows, once those of the end from row `from` on, a page and more, are mounted. */
  async function mounted(from: number): Promise<number[]> {
    await page.waitForFunction((first) => {
      const rows = Array.from({ length: 22 }, (_, at) => document.querySelector(`.rows > .row[aria-rowindex='${first + at + 2}'] .c0`));
      return rows.every((cell) => cell !== null && cell.textContent !== "");
    }, from);
    return page.evaluate(() =>
      [...document.querySelectorAll(".rows > .row[aria-rowindex]")].map((row) => Number(row.getAttribute("aria-rowindex")) - 2),
    );
  }

  /** Mounted rows that show another row than their own. */
  const wrong = (): Promise<number> =>
    page.evaluate(
      () =>
        [...document.querySelectorAll(".rows > .row[aria-rowindex]")].filter(
          (row) => row.querySelector(".c0")?.textContent !== window.source.at(Number(row.getAttribute("aria-rowindex")) - 2)?.cells[0],
        ).length,
    );

  /** Number of texts that a key writes. */
  const writtenBy = (chord: string): Promise<number> =>
    page.evaluate((key) => {
      const written = new MutationObserver(() => {});
      written.observe(document, { characterData: true, childList: true, subtree: true });
      document.activeElement?.dispatchEvent(new KeyboardEvent("keydown", { key, ctrlKey: true, bubbles: true, cancelable: true }));
      const { length } = written.takeRecords();
      written.disconnect();
      return length;
    }, chord);

  test.each([1000, 1_000_000])("of %i rows are written before one key leads there; no row is there twice", async (count) => {
    await open(`rows=${count}`);
    for (const key of ["End", "Home", "End"]) {
      const rows = await mounted(key === "End" ? count - 22 : 0);
      expect(new Set(rows).size).toBe(rows.length);
      expect(await writtenBy(key)).toBe(0);
      const { indexes, activeText } = await seen();
      expect(activeText).toBe(await page.evaluate((at) => window.source.at(at)?.cells[0], key === "End" ? count - 1 : 0));
      expect(indexes.length).toBeGreaterThan(15);
      expect(indexes).toEqual(indexes.map((_, at) => (indexes[0] ?? 0) + at));
    }
  });

  test.each([1000, 1_000_000])("of %i rows stay written while the window is filled elsewhere", async (count) => {
    await open(`rows=${count}`);
    await mounted(0);
    await mounted(count - 22);
    await stopClock();
    await page.evaluate((rows) => {
      window.lost = 0;
      const look = () => {
        const there = [...document.querySelectorAll(".rows > .row[aria-rowindex]")].map(
          (row) => Number(row.getAttribute("aria-rowindex")) - 2,
        );
        const ends = new Set(there.filter((index) => index < 22 || index >= rows - 22));
        window.lost = Math.max(window.lost, 44 - ends.size);
      };
      new MutationObserver(look).observe(document.querySelector(".rows") as Element, { subtree: true, attributeFilter: ["aria-rowindex"] });
    }, count);
    for (const motion of ["last-row", "first-row", "last-row"] as const) {
      await page.evaluate((to) => window.grid.move(to), motion);
      await page.clock.runFor(500); // the late work that follows a leap
    }
    expect(await page.evaluate(() => window.lost)).toBe(0);
  });

  test("show rows that changed, arrived or left meanwhile", async () => {
    await open("rows=1000");
    await mounted(978);
    const changed = { uuid: "r999", closed: true, cells: Array.from({ length: 20 }, (_, index) => `new/${index}`) };
    await page.evaluate((row) => window.source.patch("r999", row), changed);
    await press("Control+End");
    expect((await seen()).activeText).toBe("new/0");
    expect(await page.locator(".rows > .row.closed").getAttribute("aria-rowindex")).toBe("1001");
    await mounted(0);
    await page.evaluate((row) => window.source.prepend([row]), { ...changed, uuid: "n1" });
    await expect.poll(wrong).toBe(0);
    await press("Control+Home");
    expect((await seen()).activeText).toBe("new/0");
    const rows = await mounted(979);
    expect(new Set(rows).size).toBe(rows.length);
  });
});

describe("live rows", () => {
  const fresh = (id: string) => ({ uuid: id, closed: false, cells: Array.from({ length: 20 }, (_, index) => `${id}/${index}`) });

  test("a patch writes the cell and leaves the cursor alone", async () => {
    await open("rows=1000");
    await press("ArrowDown");
    const flashing = await page.evaluate((row) => {
      window.source.patch("r1", row);
      return document.querySelectorAll(".flash").length;
    }, fresh("r1"));
    expect(flashing).toBeGreaterThan(0);
    const now = await seen();
    expect(now.activeText).toBe("r1/0");
  });

  test("a stronger line marks where decided rows begin, and moves with a row that is open again", async () => {
    await open("rows=1000");
    const ruled = () =>
      page.locator(".grid .row.rule").evaluateAll((rows) => rows.map((row) => Number(row.getAttribute("aria-rowindex")) - 2));
    await page.evaluate((row) => window.source.patch("r2", row), { ...fresh("r2"), closed: true });
    expect(await ruled()).toEqual([1]);
    await page.evaluate((row) => window.source.patch("r2", row), fresh("r2"));
    expect(await ruled()).toEqual([]);
    // rows added above: a decided one with an open one over it
    await page.evaluate((rows) => window.source.prepend(rows), [fresh("n1"), { ...fresh("n2"), closed: true }]);
    await expect.poll(ruled).toEqual([0]);
    await page.evaluate(() => window.source.remove("n2"));
    await expect.poll(ruled).toEqual([]);
  });

  test("rows added above move neither the cursor's row on screen nor the cursor", async () => {
    await open("rows=1000");
    await press(...Array.from({ length: 5 }, () => "ArrowDown"));
    const before = await seen();
    await page.evaluate((rows) => window.source.prepend(rows), [fresh("n1"), fresh("n2"), fresh("n3")]);
    const after = await seen();
    expect(after.activeText).toBe(before.activeText);
    expect(after.activeBox).toEqual(before.activeBox);
    expect(after.activeRow).toBe("10");
    expect(await page.evaluate(() => window.reported.cursor)).toBe("r5");
  });

  test("when the cursor's row leaves, the cursor moves to the row that takes its place", async () => {
    await open("rows=50");
    await press("ArrowDown", "ArrowDown");
    await page.evaluate(() => window.source.remove("r2"));
    expect(await page.evaluate(() => window.reported.cursor)).toBe("r3");
    await press("Control+End");
    await page.evaluate(() => window.source.remove("r49"));
    expect(await page.evaluate(() => window.reported.cursor)).toBe("r48");
    const { indexes } = await seen();
    expect(indexes.at(-1)).toBe(49);
  });

  test("a refetch of the same query keeps the cursor on its row; a new query starts at the top", async () => {
    await open("rows=1000");
    await press("PageDown");
    const id = await page.evaluate(() => window.reported.cursor);
    await page.evaluate(() => window.source.refresh(window.source.rows.slice(3)));
    expect(await page.evaluate(() => window.reported.cursor)).toBe(id);
    await page.evaluate(
      (rows) => window.source.setPage(rows),
      Array.from({ length: 300 }, (_, index) => fresh(`q${index}`)),
    );
    const now = await seen();
    expect(await page.evaluate(() => window.reported.cursor)).toBe("q0");
    expect([now.scrollTop, now.indexes[0]]).toEqual([0, 2]);
  });

  test("a tombstone is shown, is no target, and leaves when its time is over", async () => {
    await open("rows=50");
    await page.evaluate(() => window.source.entomb("r0", Date.now() + 3_600_000));
    expect(await page.locator(".rows > .row.tombstone").getAttribute("aria-rowindex")).toBe("2");
    await press("Enter", " ");
    expect(await page.evaluate(() => [window.grid.targets().length, window.reported.opened, window.reported.marks.length])).toEqual([
      0,
      null,
      0,
    ]);
    await page.evaluate(() => window.source.entomb("r0", Date.now() + 600));
    await page.waitForFunction(() => window.reported.cursor === "r1");
    expect(await page.locator(".tombstone").count()).toBe(0);
  });

  test("the end of the loaded rows asks for more, once for each length, and the total is unknown until then", async () => {
    await open("rows=100");
    await page.evaluate(() => window.source.setPage([...window.source.rows], { more: true }));
    expect((await seen()).rowCount).toBe("-1");
    await press("Control+End", "ArrowUp", "ArrowDown");
    await expect.poll(() => page.evaluate(() => window.reported.asked)).toBe(1);
    await page.evaluate((rows) => window.source.append(rows, { more: false }), [fresh("n1")]);
    await expect.poll(async () => (await seen()).rowCount).toBe("102");
  });

  test("is busy while rows are loading", async () => {
    await open("rows=100");
    const busy = (loading: "loading" | "idle") =>
      page.evaluate((state) => {
        window.source.setLoading(state);
        return document.querySelector("[role=grid]")?.getAttribute("aria-busy");
      }, loading);
    expect([await busy("loading"), await busy("idle")]).toEqual(["true", "false"]);
  });

  test("an emptied grid says that it is empty and has no active cell", async () => {
    await open("rows=50");
    await page.evaluate(() => window.source.setPage([]));
    const now = await seen();
    expect([now.indexes, now.activeRow]).toEqual([[], null]);
    expect(await page.locator(".instead").count()).toBe(1);
    await page.evaluate((rows) => window.source.insert(0, rows), [fresh("n1")]);
    expect((await seen()).activeText).toBe("n1/0");
  });
});

describe("marks and pointer", () => {
  test("an extension by keys marks from the anchor to the cursor, and unmarks rows when it shrinks", async () => {
    await open("rows=50");
    await press("ArrowDown", "Shift+ArrowDown", "Shift+ArrowDown", "Shift+ArrowDown", "Shift+ArrowUp");
    expect((await seen()).selected).toEqual([3, 4, 5]);
    expect(await page.evaluate(() => window.grid.targets().map(({ uuid }) => uuid))).toEqual(["r1", "r2", "r3"]);
  });

  test("marks follow their rows when the order changes, and leave with them", async () => {
    await open("rows=50");
    await press(" ", "ArrowDown", " ");
    await page.evaluate(() => window.source.refresh(window.source.rows.toReversed()));
    await page.evaluate(() => window.source.remove("r0"));
    expect(await page.evaluate(() => window.reported.marks)).toEqual(["r1"]);
  });

  test("a click moves the cursor, the mark box marks without moving it and extends with Shift, a double click opens", async () => {
    await open("rows=50");
    const cell = (row: number, column: number) => page.locator(`.rows > .row[aria-rowindex='${row + 2}'] [aria-colindex='${column}']`);
    await cell(4, 3).click();
    expect(await seen()).toMatchObject({ activeRow: "6", activeColumn: "3", focused: true });
    await cell(7, 1).click();
    expect(await seen()).toMatchObject({ activeRow: "6", selected: [9] });
    await cell(9, 1).click({ modifiers: ["Shift"] });
    expect(await seen()).toMatchObject({ activeRow: "6", selected: [9, 10, 11] });
    await cell(9, 4).click({ modifiers: ["Shift"] });
    expect(await seen()).toMatchObject({ activeRow: "11", selected: [9, 10, 11] });
    await cell(2, 5).dblclick();
    expect(await page.evaluate(() => window.reported.opened)).toBe("r2");
  });

  test.each(["en", "ar"])(
    "over a cell the tooltip has what is not shown: the column's hint, or all of a text that is cut (%s)",
    async (lang) => {
      await open(`rows=1000&lang=${lang}`);
      const title = () =>
        page.evaluate(() => [...document.querySelectorAll(".row .cell[title]")].map((cell) => cell.getAttribute("title")));
      const cell = (column: number) => page.locator(`.rows > .row[aria-rowindex='5'] [aria-colindex='${column}']`);
      await cell(3).hover();
      expect(await title()).toEqual(["since r3"]);
      await cell(7).hover();
      expect(await title()).toEqual([]);
      await page.evaluate(() => window.grid.setWidth("c5", 40));
      await cell(7).hover();
      await cell(6).hover();
      await cell(7).hover();
      expect(await title()).toEqual([await page.evaluate(() => window.source.at(3)?.cells[5])]);
      await page.locator("[role=columnheader][aria-colindex='7']").hover();
      expect(await title()).toEqual(["customer 5"]);
      // the rows scroll on beneath it
      await cell(3).hover();
      await page.evaluate(() => window.source.remove("r1"));
      await cell(3).hover({ position: { x: 5, y: 5 } });
      expect(await title()).toEqual(["since r4"]);
      const { x, y } = (await cell(3).boundingBox()) ?? { x: 0, y: 0 };
      // not while they move: checked in the frame that moves them
      const titled = await page.evaluate(async () => {
        document.querySelector("[role=grid]")?.scrollTo({ top: 28 });
        await new Promise(requestAnimationFrame);
        const under = document.querySelector(".rows > .row[aria-rowindex='6'] [aria-colindex='3']");
        under?.dispatchEvent(new MouseEvent("mouseover", { bubbles: true }));
        return document.querySelectorAll(".row .cell[title]").length;
      });
      expect(titled).toBe(0);
      let step = 0;
      await expect
        .poll(async () => {
          await page.mouse.move(x + 6 + (step++ % 2), y + 6);
          return title();
        })
        .toEqual(["since r5"]);
      await page.mouse.move(2, 2);
      expect(await title()).toEqual([]);
    },
  );

  test.each(["en", "ar"])("and the keyboard reads it above the cell once the cursor rests, until it goes on (%s)", async (lang) => {
    await open(`rows=1000&lang=${lang}`);
    const [on, back] = lang === "ar" ? ["ArrowLeft", "ArrowRight"] : ["ArrowRight", "ArrowLeft"];
    const peek = page.locator(".peek");
    const places = async () => [await peek.boundingBox(), await page.locator(".rows .cell[id], .hd .cell.cursor").boundingBox()] as const;
    const startsAtCell = async () => {
      const [box, cell] = await places();
      if (box === null || cell === null) throw new Error("no hidden text is shown");
      expect(lang === "ar" ? Math.round(box.x + box.width - cell.x - cell.width) : Math.round(box.x - cell.x)).toBe(0);
      return [box, cell] as const;
    };
    await press("ArrowDown", on);
    await expect.poll(() => peek.allTextContents()).toEqual(["since r1"]);
    const [box, cell] = await startsAtCell();
    expect(box.y + box.height).toBeLessThanOrEqual(cell.y);
    // a patch may have changed it; checked before the text appears again. The next row is another
    const after = await page.evaluate(() => {
      const row = window.source.at(1);
      if (row) window.source.patch("r1", { ...row });
      return document.querySelectorAll(".peek").length;
    });
    expect(after).toBe(0);
    await peek.waitFor();
    await press("ArrowDown");
    await expect.poll(() => peek.allTextContents()).toEqual(["since r2"]);
    expect(await page.evaluate(() => window.grid.dismissPeek())).toBe(true);
    expect([await peek.count(), await page.evaluate(() => window.grid.dismissPeek())]).toEqual([0, false]);
    // another row in its place
    await press("ArrowUp", "ArrowDown");
    await peek.waitFor();
    await page.evaluate(() => window.source.remove("r2"));
    await expect.poll(() => peek.allTextContents()).toEqual(["since r3"]);
    await press("Control+End");
    await expect.poll(() => peek.allTextContents()).toEqual(["since r999"]);
    await startsAtCell();
    // a title that is cut has no room above it; one that is not
    await page.evaluate(() => window.grid.setWidth("c1", 40));
    await press("Control+Home", "ArrowUp");
    await expect.poll(() => peek.allTextContents()).toEqual(["age 1"]);
    const [beneath, title] = await startsAtCell();
    expect(beneath.y).toBeGreaterThanOrEqual(title.y + title.height);
    // no text where nothing is missing, nor without the focus
    await stopClock();
    await press(on);
    await page.clock.runFor(1_000);
    expect(await peek.count()).toBe(0);
    await press(back);
    await page.clock.runFor(1_000);
    expect(await peek.count()).toBe(1);
    await page.evaluate(() => document.querySelector<HTMLElement>("[role=grid]")?.blur());
    expect(await peek.count()).toBe(0);
  });

  test("dragging a column's edge changes its width by as much, the cells with it", async () => {
    await open("rows=50");
    const edge = page.locator("[role=columnheader][aria-colindex='7'] .edge");
    const cell = (column: number) => page.locator(`.rows > .row[aria-rowindex='2'] [aria-colindex='${column}']`);
    const [before, beside] = [await cell(7).boundingBox(), await cell(8).boundingBox()];
    const { x, y } = (await edge.boundingBox()) ?? { x: 0, y: 0 };
    await page.mouse.move(x + 4, y + 10);
    await page.mouse.down();
    await page.mouse.move(x + 44, y + 10, { steps: 4 });
    await page.mouse.up();
    await expect.poll(() => cell(7).boundingBox()).toEqual({ ...before, width: (before?.width ?? 0) + 40 });
    expect(await cell(8).boundingBox()).toEqual({ ...beside, x: (beside?.x ?? 0) + 40 });
    expect(await page.locator("[aria-sort=ascending]").count()).toBe(0);
  });

  test("a column moves among the pinned ones or among the others, and not across", async () => {
    await open("rows=50");
    const titles = async () => (await page.locator("[role=columnheader] .title").allTextContents()).slice(0, 4);
    await page.evaluate(() => window.grid.pinColumn("start", "c4"));
    await expect.poll(titles).toEqual(["final 4", "status 0", "age 1", "amount 2"]);
    await page.evaluate(() => window.grid.moveColumn(-1, "c0"));
    await page.evaluate(() => window.grid.moveColumn(1, "c1"));
    await expect.poll(titles).toEqual(["final 4", "status 0", "amount 2", "age 1"]);
    await page.evaluate(() => window.grid.pinColumn("start", "c1"));
    await expect.poll(titles).toEqual(["final 4", "age 1", "status 0", "amount 2"]);
    await page.evaluate(() => window.grid.moveColumn(1, "c4"));
    await expect.poll(titles).toEqual(["age 1", "final 4", "status 0", "amount 2"]);
  });

  test("columns are moved, hidden, pinned and reset through the handle, and the cursor stays in its column", async () => {
    await open("rows=50");
    const titles = () => page.locator("[role=columnheader] .title").allTextContents();
    const act = (what: "move" | "hide" | "pin" | "reset") =>
      page.evaluate((name) => {
        if (name === "move") window.grid.moveColumn(2);
        else if (name === "hide") window.grid.hideColumn("c1");
        else if (name === "pin") window.grid.pinColumn("start", "c4");
        else window.grid.resetColumns();
      }, what);
    await press("ArrowRight", "ArrowRight");
    await act("move");
    await expect.poll(async () => (await titles()).slice(0, 5)).toEqual(["status 0", "age 1", "fee 3", "final 4", "amount 2"]);
    expect(await page.evaluate(() => window.grid.columnUnderCursor()?.id)).toBe("c2");
    await act("hide");
    await act("pin");
    await expect.poll(async () => (await titles()).slice(0, 4)).toEqual(["final 4", "status 0", "fee 3", "amount 2"]);
    expect((await seen()).activeColumn).toBe("5");
    await act("reset");
    await expect.poll(async () => (await titles()).slice(0, 5)).toEqual(["status 0", "age 1", "amount 2", "fee 3", "final 4"]);
  });
});

describe("a new query", () => {
  /** What is shown of rows that are no longer held. */
  const past = () =>
    page.evaluate(() => {
      const scroller = document.querySelector<HTMLElement>("[role=grid]");
      return {
        dimmed: document.querySelector(".grid.past") !== null,
        skeleton: document.querySelector(".skeleton") !== null,
        busy: scroller?.ariaBusy,
        active: scroller?.getAttribute("aria-activedescendant"),
        boxes: document.querySelectorAll(".here:not([hidden]), .ring:not([hidden])").length,
        cursor: window.reported.cursor,
        top: scroller?.scrollTop,
      };
    });
  const gone = { dimmed: true, skeleton: false, busy: "true", active: null, boxes: 0, cursor: null };

  test("the previous rows stay dimmed, without cursor and keys, until the new ones arrive", async () => {
    await open("rows=200");
    const all = await page.evaluateHandle(() => [...window.source.rows]);
    await press("PageDown", "PageDown", "PageDown", "x");
    const before = await seen();
    await page.evaluate(() => window.source.begin());
    expect(await past()).toEqual({ ...gone, top: before.scrollTop });
    const held = await seen();
    expect([held.indexes, held.tops]).toEqual([before.indexes, before.tops]);
    expect(held.first.startsWith(before.first)).toBe(true);
    await press("ArrowDown", "Enter", "x", "Control+End");
    await page.mouse.dblclick(400, 300);
    await page.mouse.wheel(0, 280);
    expect(await past()).toMatchObject(gone);
    expect(await page.evaluate(() => [window.reported.opened, window.reported.marks])).toEqual([null, []]);
    // the next query begins before this one's answer
    await page.evaluate(() => window.source.begin());
    expect(await past()).toMatchObject(gone);
    await all.evaluate((rows) => window.source.setPage(rows.slice(100, 110)));
    expect(await past()).toMatchObject({ dimmed: false, busy: "false", cursor: "r100", boxes: 2, top: 0 });
    expect((await seen()).indexes).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  });

  test("a row that arrives by an event before the answer replaces them", async () => {
    await open("rows=200");
    const all = await page.evaluateHandle(() => [...window.source.rows]);
    await press("PageDown", "PageDown", "PageDown");
    await all.evaluate((rows) => {
      window.source.begin();
      window.source.insert(0, rows.slice(150, 151));
    });
    expect((await seen()).indexes).toEqual([2]);
    expect(await past()).toMatchObject({ dimmed: false, busy: "true", boxes: 2, cursor: "r150", top: 0 });
    await all.evaluate((rows) => window.source.setPage(rows.slice(140, 160)));
    expect((await seen()).indexes).toHaveLength(20);
  });

  test("a query without rows, or one that fails, removes them", async () => {
    await open("rows=200");
    const all = await page.evaluateHandle(() => [...window.source.rows]);
    await page.evaluate(() => window.source.begin());
    expect(await past()).toMatchObject(gone);
    for (const end of ["empty", "failed"] as const) {
      await all.evaluate((rows) => window.source.setPage(rows));
      await press("PageDown", "PageDown", "PageDown");
      await page.evaluate((how) => {
        window.source.begin();
        if (how === "empty") window.source.setPage([]);
        else window.source.setLoading("failed");
      }, end);
      expect((await seen()).indexes).toEqual([]);
      expect(await past()).toMatchObject({ dimmed: false, boxes: 0, top: 0, busy: "false" });
      await page.locator(".instead").waitFor();
    }
  });
});

describe("a million rows", () => {
  test("both ends can be reached, the wheel goes on from there, and rows are drawn edge to edge", async () => {
    await open("rows=1000000");
    await press("Control+End");
    const end = await seen();
    expect(end.activeRow).toBe("1000001");
    expect(await page.evaluate(() => window.reported.cursor)).toBe("r999999");
    await page.mouse.move(400, 300);
    await page.mouse.wheel(0, -600);
    await page.waitForFunction((from) => (document.querySelector("[role=grid]")?.scrollTop ?? 0) < from, end.scrollTop);
    const { indexes, tops } = await seen();
    expect(indexes).toEqual(indexes.map((_, step) => (indexes[0] ?? 0) + step));
    expect(tops).toEqual(tops.map((_, step) => (tops[0] ?? 0) + step * 28));
    await press("Control+Home");
    expect((await seen()).indexes[0]).toBe(2);
  });
});
