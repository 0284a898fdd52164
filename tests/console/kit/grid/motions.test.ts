import { motions } from "../../../../src/console/kit/commands/grid-handle.ts";
import { describe, expect, test } from "vitest";
import { headerRow, jumpOf, next, nextTile, type Extent, type Place, type TileExtent } from "../../../../src/console/kit/grid/motions.ts";

const grid: Extent = { rows: 100, columns: 8, page: 30 };
const at = (row: number, column = 3): Place => ({ row, column });

describe("motions of the cursor", () => {
  test("a step moves one row and keeps the column", () => {
    expect(next("next-row", at(4), grid)).toEqual(at(5));
    expect(next("previous-row", at(4), grid)).toEqual(at(3));
  });

  test("up from the first row is the header, and down leads back", () => {
    expect(next("previous-row", at(0), grid)).toEqual(at(headerRow));
    expect(next("next-row", at(headerRow), grid)).toEqual(at(0));
  });

  test("up from the first loaded row is not the header while there are rows before it", () => {
    expect(next("previous-row", at(0), { ...grid, moreBefore: true })).toEqual(at(0));
    expect(next("previous-row", at(5), { ...grid, moreBefore: true })).toEqual(at(4));
  });

  test("the ends of a list are beyond the loaded rows only where there are more, and a feed to load them", () => {
    const feed = { before: () => undefined, after: () => undefined, jump: () => undefined, timeOrder: () => null };
    const part = { more: true, moreBefore: true, feed };
    expect([jumpOf("first-row", part), jumpOf("last-row", part), jumpOf("next-page", part)]).toEqual(["first", "last", null]);
    expect([jumpOf("first-row", { ...part, moreBefore: false }), jumpOf("last-row", { ...part, more: false })]).toEqual([null, null]);
    expect(jumpOf("last-row", { ...part, feed: null })).toBeNull();
  });

  test("a page never leads into the header nor past the last row", () => {
    expect(next("previous-page", at(12), grid)).toEqual(at(0));
    expect(next("previous-page", at(headerRow), grid)).toEqual(at(headerRow));
    expect(next("next-page", at(50), grid)).toEqual(at(80));
    expect(next("next-page", at(90), grid)).toEqual(at(99));
    expect(next("next-page", at(headerRow), grid)).toEqual(at(30));
  });

  test("first and last reach the ends of rows and of the row", () => {
    expect(next("first-row", at(50), grid)).toEqual(at(0));
    expect(next("last-row", at(50), grid)).toEqual(at(99));
    expect(next("first-cell", at(50), grid)).toEqual(at(50, 0));
    expect(next("last-cell", at(50), grid)).toEqual(at(50, 7));
  });

  test("a motion that leads nowhere returns the same place, so that nothing is drawn", () => {
    const last = at(99);
    expect(next("next-row", last, grid)).toBe(last);
    const corner = at(0, 0);
    expect(next("previous-cell", corner, grid)).toBe(corner);
  });

  test("in an empty grid every motion stays in the header or leads there", () => {
    for (const motion of motions) expect(next(motion, at(headerRow, 0), { rows: 0, columns: 8, page: 30 }).row).toBe(headerRow);
  });
});

describe("motions among tiles", () => {
  // rows 0 … 21, five in a line: the last line has two
  const tiles: TileExtent = { rows: 22, before: 0, perLine: 5, lines: 3 };
  const to = (motion: (typeof motions)[number], row: number, extent = tiles) => nextTile(motion, at(row), extent).row;

  test("a row is a line of tiles, and the cursor keeps its place in the line", () => {
    expect([to("next-row", 3), to("previous-row", 8), to("next-page", 3), to("previous-page", 14)]).toEqual([8, 3, 13, 4]);
  });

  test("a cell is one tile, and goes on into the next line", () => {
    expect([to("next-cell", 4), to("previous-cell", 5), to("next-cell", 21), to("previous-cell", 0)]).toEqual([5, 4, 21, 0]);
  });

  test("the ends are those of the line, or of all tiles", () => {
    expect([to("first-cell", 8), to("last-cell", 8), to("last-cell", 20), to("first-row", 8), to("last-row", 8)]).toEqual([
      5, 9, 21, 0, 21,
    ]);
  });

  test("into a last line that is shorter, it goes to its last tile, and no motion leaves the tiles", () => {
    expect([to("next-row", 19), to("next-row", 20), to("next-page", 18), to("previous-row", 3), to("previous-page", 3)]).toEqual([
      21, 20, 21, 3, 3,
    ]);
    for (const motion of motions) expect(nextTile(motion, at(0), { ...tiles, rows: 0 })).toEqual(at(0));
    for (const motion of motions) expect(to(motion, headerRow)).toBeGreaterThanOrEqual(0);
  });

  test("rows that are not loaded fill their lines, so that a page that comes before shifts no tile", () => {
    // seven rows before: row 0 stands third in its line
    const later = { ...tiles, before: 7 };
    expect([to("next-row", 0, later), to("first-cell", 4, later), to("last-cell", 0, later), to("previous-row", 1, later)]).toEqual([
      5, 3, 2, 1,
    ]);
  });
});
