import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { columnsAtEdge, layoutColumns, type ColumnSize } from "../../../../src/console/kit/grid/column-layout.ts";
import { slideWindow } from "../../../../src/console/kit/grid/row-window.ts";
import { ScrollMap, tallest } from "../../../../src/console/kit/grid/scroll-map.ts";

const column = (width: number, part: Partial<ColumnSize> = {}): ColumnSize => ({ width, minWidth: 40, grow: 0, pinned: null, ...part });

describe("widths of columns", () => {
  test("a growing column takes what is left over", () => {
    const { columns, total } = layoutColumns([column(100), column(120, { grow: 1 }), column(60)], 500, 28);
    expect(columns.map(({ offset, width }) => [offset, width])).toEqual([
      [28, 100],
      [128, 312],
      [440, 60],
    ]);
    expect(total).toBe(500);
  });

  test("in a narrow pane it shrinks to its minimum, then the grid scrolls", () => {
    const sizes = [column(100), column(120, { grow: 1, minWidth: 80 }), column(60)];
    expect(layoutColumns(sizes, 280, 28).columns[1]?.width).toBe(92);
    const narrow = layoutColumns(sizes, 200, 28);
    expect(narrow.columns[1]?.width).toBe(80);
    expect(narrow.total).toBe(268);
  });

  test("where not all fit, growing columns fill the first view, so that the next begins beyond it", () => {
    const sizes = [column(100), column(120, { grow: 1, minWidth: 80 }), column(150), column(60, { pinned: "end" })];
    const { columns, total } = layoutColumns(sizes, 380, 28);
    expect(columns.map(({ width }) => width)).toEqual([100, 192, 150, 60]);
    expect(total).toBe(530);
  });

  test("columns partly in view are found at either edge, except one wider than the view", () => {
    const layout = layoutColumns([column(100), column(100), column(100), column(60, { pinned: "end" })], 250, 0);
    expect(columnsAtEdge(layout, 250, 0)).toEqual([1]);
    expect(columnsAtEdge(layout, 250, 50)).toEqual([0, 2]);
    expect(columnsAtEdge(layout, 250, 110)).toEqual([1]);
    // the edges of a column hold no text
    expect(columnsAtEdge(layout, 250, 8)).toEqual([]);
    expect(columnsAtEdge(layoutColumns([column(400), column(60)], 250, 0), 250, 100)).toEqual([]);
  });

  test("pinned columns are counted into the blocks that do not scroll", () => {
    const { start, end } = layoutColumns([column(100, { pinned: "start" }), column(300), column(60, { pinned: "end" })], 300, 28);
    expect([start, end]).toEqual([128, 60]);
  });
});

describe("the window of rows", () => {
  test("a wheel step within the window moves nothing", () => {
    const window = { first: 0, last: 56 };
    expect(slideWindow(window, { first: 10, last: 44 }, 1000, 56)).toBe(window);
  });

  test("the view and its margin are always covered, and never more rows than the pool has", () => {
    fc.assert(
      fc.property(fc.nat(5000), fc.nat(5000), fc.nat(5000), fc.nat(300), (top, from, count, height) => {
        const pool = height + 22;
        const first = Math.min(top, Math.max(0, count - height));
        const seen = { first, last: Math.min(count, first + height) };
        const start = Math.min(from, Math.max(0, count - pool));
        const window = slideWindow({ first: start, last: Math.min(count, start + pool) }, seen, count, pool);
        expect(window.first).toBeGreaterThanOrEqual(0);
        expect(window.last).toBeLessThanOrEqual(count);
        expect(window.last - window.first).toBeLessThanOrEqual(pool);
        expect(window.first).toBeLessThanOrEqual(Math.max(0, seen.first - 3));
        expect(window.last).toBeGreaterThanOrEqual(Math.min(count, seen.last + 3));
      }),
    );
  });
});

describe("offsets of grids taller than a browser allows", () => {
  const view = 900;

  test("below the limit offsets are the browser's own", () => {
    const map = new ScrollMap();
    map.resize(10_000 * 28, view);
    map.scrolled(12_345);
    expect([map.top, map.base]).toEqual([12_345, 0]);
  });

  test("a million rows get no more height than a browser can draw, and the last one can be reached", () => {
    const map = new ScrollMap();
    map.resize(28_000_000, view);
    expect(map.height).toBe(tallest);
    map.moveTo(Number.POSITIVE_INFINITY);
    expect(map.top).toBe(28_000_000 - view);
    expect(map.real).toBeLessThanOrEqual(tallest - view);
  });

  test("a wheel step is one to one, a drag of the thumb goes in proportion", () => {
    const map = new ScrollMap();
    map.resize(28_000_000, view);
    map.moveTo(14_000_000);
    const { top, real } = map;
    map.scrolled(real + 120);
    expect(map.top - top).toBe(120);
    map.scrolled(tallest - view);
    expect(map.top).toBe(28_000_000 - view);
    map.scrolled(0);
    expect(map.top).toBe(0);
  });

  test("when scrolling stops the thumb moves, never the rows", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -2000, max: 2000 }), { maxLength: 50 }), fc.nat(27_000_000), (steps, start) => {
        const map = new ScrollMap();
        map.resize(28_000_000, view);
        map.moveTo(start);
        for (const step of steps) map.scrolled(Math.max(0, Math.min(map.real + step, tallest - view)));
        const { top } = map;
        map.settle();
        expect(map.top).toBe(top);
        expect(map.real).toBeGreaterThanOrEqual(0);
        expect(map.real).toBeLessThanOrEqual(tallest - view);
      }),
    );
  });

  test("after a small move rows stay where they were drawn; a thumb that is four views off is corrected", () => {
    const [total, view] = [28_000_000, 800];
    const map = new ScrollMap();
    map.resize(total, view);
    map.moveTo(total / 2);
    map.settle();
    const { base } = map;
    map.scrolled(map.real + view);
    map.settle();
    expect(map.base).toBe(base);
    for (let page = 0; page < 8; page++) {
      map.scrolled(map.real + view);
      map.settle();
    }
    expect(map.base).not.toBe(base);
    expect(map.top).toBe(total / 2 + 9 * view);
  });
});
