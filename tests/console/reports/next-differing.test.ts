import { expect, test } from "vitest";
import type { RecordRow } from "../../../src/console/kit/commands/desks.ts";
import { RowSource } from "../../../src/console/kit/grid/row-source.ts";
import { nextDiffering } from "../../../src/console/reports/next-differing.ts";

const day = (n: number, difference: string | null = null) => ({ uuid: `d${n}`, version: 1, difference });

/** Rows of which only the first page is there; null: the next one does not come. */
function paged(...pages: (readonly RecordRow[] | null)[]) {
  const source = new RowSource<RecordRow>();
  const [first, ...rest] = pages;
  source.setPage(first ?? [], { more: rest.length > 0, total: null });
  source.feed = {
    after: async () => {
      const next = rest.shift();
      if (next != null) source.append(next, { more: rest.length > 0 });
    },
  } as typeof source.feed; // what is asked of it
  return source;
}

test("a difference is found on a page that is not loaded yet, before one above the cursor is", async () => {
  expect(await nextDiffering(paged([day(1, "2.00"), day(2)], [day(3)], [day(4, "-0.50")]), "d2")).toBe("d4");
});

test("from the last one it goes on at the top", async () => {
  expect(await nextDiffering(paged([day(1, "2.00"), day(2)], [day(3, "1.00")]), "d3")).toBe("d1");
});

test("none is said only once all pages were looked at", async () => {
  expect(await nextDiffering(paged([day(1), day(2, "0.00")], [day(3)]), "d1")).toBeNull();
  expect(await nextDiffering(paged([day(1)], null), "d1")).toBeUndefined();
});
