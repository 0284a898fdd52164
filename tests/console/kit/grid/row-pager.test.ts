import { describe, expect, test } from "vitest";
import { MarkedRows } from "../../../../src/console/kit/grid/marked-rows.ts";
import { endOf, RowPager, type PageAsked } from "../../../../src/console/kit/grid/row-pager.ts";
import { RowSource } from "../../../../src/console/kit/grid/row-source.ts";

interface Row {
  readonly uuid: string;
  readonly n: number;
}
const name = (n: number) => `r${n}`;

/** A server with that many rows, in order, whose cursors are row numbers; `at` is a row number too. */
function served(count: number, most: number) {
  const source = new RowSource<Row>(most);
  const asked: PageAsked[] = [];
  const wire = { failing: false, free: Promise.resolve() };
  async function read(page: PageAsked) {
    asked.push(page);
    if (wire.failing) throw new Error("no response");
    await wire.free;
    const back = page.direction === "previous";
    const after = page.cursor === undefined ? 0 : Number(page.cursor) + 1;
    const end = back ? (page.cursor === undefined ? count : Number(page.cursor)) : count;
    const first = back
      ? Math.max(0, end - page.limit)
      : page.from !== undefined
        ? Number(page.from)
        : page.at !== undefined
          ? Number(page.at)
          : after;
    const last = Math.min(end, first + page.limit);
    const data = Array.from({ length: Math.max(0, last - first) }, (_, index): Row => ({ uuid: name(first + index), n: first + index }));
    const counted = page.with === undefined ? {} : { count, before: first };
    return {
      data,
      meta: {
        next: last < count && data.length > 0 ? String(last - 1) : null,
        previous: first > 0 && data.length > 0 ? String(first) : null,
        ...counted,
      },
    };
  }
  const failures: unknown[] = [];
  const order = { now: "ready" as ReturnType<RowPager<Row>["timeOrder"]> };
  const pager = new RowPager<Row>(source, {
    read,
    reading: () => null,
    latest: (rows) => rows,
    count: () => count,
    onLoaded: () => undefined,
    failed: (error) => {
      failures.push(error);
      source.setLoading("failed");
    },
    timeOrder: () => order.now,
  });
  const load = async () => {
    pager.begin();
    const { data, meta } = await read({ ...pager.opening(), with: "count" });
    source.setPage(data, endOf(meta, null));
    pager.opened();
  };
  /** Marks as a grid holds them. */
  const marks = new MarkedRows<Row>(
    () => source,
    () => undefined,
  );
  source.away.needs = marks.needs;
  return { source, pager, asked, wire, failures, order, load, marks };
}

/** A page, once it has loaded. */
async function page(at: ReturnType<typeof served>, side: "before" | "after"): Promise<void> {
  at.pager[side]();
  await settled(at);
}
const settled = ({ source }: ReturnType<typeof served>): Promise<void> =>
  new Promise((resolve) => {
    if (source.loading !== "loading") return resolve();
    const stop = source.subscribe(() => {
      if (source.loading === "loading") return;
      stop();
      resolve();
    });
  });
const numbers = ({ source }: ReturnType<typeof served>) => source.rows.map(({ n }) => n);
const run = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);

describe("a window over a long list", () => {
  test("60,000 rows down and up again: never more than 5,000 are held, and each appears once, in order", async () => {
    const at = served(60_000, 5_000);
    let held = 0;
    at.source.subscribe(() => (held = Math.max(held, at.source.length)));
    await at.load();
    const down = numbers(at);
    while (at.source.more) {
      const last = at.source.at(at.source.length - 1)?.n ?? -1;
      // oxlint-disable-next-line no-await-in-loop -- page by page
      await page(at, "after");
      down.push(...numbers(at).filter((n) => n > last));
    }
    expect(down).toEqual(run(0, 60_000));
    expect([at.source.before, at.source.total]).toEqual([60_000 - at.source.length, 60_000]);
    const up = numbers(at).toReversed();
    while (at.source.moreBefore) {
      const first = at.source.at(0)?.n ?? -1;
      // oxlint-disable-next-line no-await-in-loop -- page by page
      await page(at, "before");
      up.push(
        ...numbers(at)
          .filter((n) => n < first)
          .toReversed(),
      );
    }
    expect(up).toEqual(run(0, 60_000).toReversed());
    expect([held <= 5_000, held > 4_000, at.source.before]).toEqual([true, true, 0]);
  });

  test("the window's position is known exactly, and so are the rows on either side", async () => {
    const at = served(1_000, 400);
    await at.load();
    for (let n = 0; n < 6; n++) await page(at, "after");
    expect([at.source.before, at.source.at(0)?.n, at.source.total, at.source.more, at.source.moreBefore]).toEqual([
      400,
      400,
      1_000,
      true,
      true,
    ]);
    await page(at, "before");
    expect([at.source.before, at.source.at(0)?.n]).toEqual([300, 300]);
    expect(numbers(at)).toEqual(run(300, 300 + at.source.length));
  });

  test("live rows keep the pages whole: nothing is lost or shown twice when they are loaded again", async () => {
    const at = served(1_000, 400);
    await at.load();
    for (let n = 0; n < 2; n++) await page(at, "after");
    at.source.insert(150, [{ uuid: "new", n: -1 }]);
    at.source.remove(name(99));
    at.source.remove(name(100));
    for (let n = 0; n < 4; n++) await page(at, "after");
    expect(at.source.before).toBe(numbers(at)[0]! - 1);
    while (at.source.moreBefore) await page(at, "before");
    // the server, which does not know them, sends its own again
    expect(numbers(at)).toEqual(run(0, at.source.length));
  });

  test("the last page takes one call, the first one more, with their numbers", async () => {
    const at = served(1_000, 400);
    await at.load();
    at.asked.length = 0;
    at.pager.jump("last");
    await settled(at);
    expect([numbers(at), at.source.before, at.source.total, at.source.more]).toEqual([run(900, 1_000), 900, 1_000, false]);
    at.pager.jump("first");
    await settled(at);
    expect([numbers(at), at.source.before, at.source.moreBefore]).toEqual([run(0, 100), 0, false]);
    expect(at.asked).toHaveLength(2);
  });

  test("a jump to a time goes to its row with its number; past the end it goes to the last", async () => {
    const at = served(1_000, 400);
    await at.load();
    at.pager.jump({ at: "512" });
    await settled(at);
    expect([at.source.at(0)?.n, at.source.before, at.source.moreBefore]).toEqual([512, 512, true]);
    at.pager.jump({ at: "2000" });
    await settled(at);
    await settled(at);
    expect(at.source.at(at.source.length - 1)?.n).toBe(999);
  });

  test("in another order a jump to a time waits for the next query, and only for that one", async () => {
    const at = served(1_000, 400);
    await at.load();
    at.order.now = { sortBy: "age" };
    at.pager.jump({ at: "512" });
    expect(at.asked).toHaveLength(1);
    at.order.now = "ready";
    await at.load();
    expect(at.source.at(0)?.n).toBe(512);
    await at.load();
    expect(at.source.at(0)?.n).toBe(0);
  });

  test("a failed page is asked for again on its own side", async () => {
    const at = served(1_000, 400);
    await at.load();
    at.pager.jump({ at: "500" });
    await settled(at);
    at.wire.failing = true;
    await page(at, "before");
    expect([at.source.loading, at.failures.length, at.source.at(0)?.n]).toEqual(["failed", 1, 500]);
    at.wire.failing = false;
    await at.pager.more();
    expect([at.source.loading, at.source.at(0)?.n]).toEqual(["idle", 400]);
  });

  test("a page requested before a jump is not added to the rows after it", async () => {
    const at = served(1_000, 400);
    await at.load();
    let free = () => undefined as void;
    at.wire.free = new Promise((resolve) => (free = resolve));
    at.pager.after();
    at.wire.free = Promise.resolve();
    at.pager.jump("last");
    await settled(at);
    free();
    // the page's answer arrives completely
    await new Promise((resolve) => setImmediate(resolve));
    expect(numbers(at)).toEqual(run(900, 1_000));
  });

  test("a refetched window stays around the cursor", async () => {
    const at = served(5_000, 2_000);
    await at.load();
    for (let n = 0; n < 30; n++) await page(at, "after");
    const part = at.pager.region(name(2_750));
    expect(part.limit).toBe(500);
    expect(Number(part.from)).toBeLessThanOrEqual(2_750);
    expect(Number(part.from) + part.limit).toBeGreaterThan(2_750);
    expect(at.pager.region(null).from).toBe(String(at.source.before));
  });
});

describe("marks on rows whose page is no longer held", () => {
  async function marked() {
    const at = served(2_000, 400);
    await at.load();
    at.marks.toggle(name(7));
    for (let n = 0; n < 8; n++) await page(at, "after");
    at.marks.toggle(name(850));
    return at;
  }

  test("stay, in order, with their last known rows", async () => {
    const at = await marked();
    expect(at.source.indexOf(name(7))).toBe(-1);
    expect(at.marks.rows().map(({ n }) => n)).toEqual([7, 850]);
    expect(at.source.get(name(7))).toEqual({ uuid: name(7), n: 7 });
    for (let n = 0; n < 8; n++) await page(at, "before");
    expect(at.marks.rows().map(({ n }) => n)).toEqual([7, 850]);
  });

  test("a jump keeps them, and a new query does not", async () => {
    const at = await marked();
    at.pager.jump("last");
    await settled(at);
    expect(at.marks.rows()).toHaveLength(2);
    await at.load();
    expect(at.source.get(name(7))).toEqual({ uuid: name(7), n: 7 });
    expect(at.source.get(name(850))).toBeUndefined();
  });

  test("a change of such a row is taken over; when it leaves the list the mark is gone and the numbers follow", async () => {
    const at = await marked();
    const [before = 0, total = 0] = [at.source.before ?? 0, at.source.total ?? 0];
    expect(at.source.patch(name(7), { uuid: name(7), n: 7.5 })).toBe(true);
    expect(at.marks.rows()[0]?.n).toBe(7.5);
    const kinds: string[] = [];
    at.source.subscribe(({ kind }) => kinds.push(kind));
    expect(at.source.remove(name(7))).toBe(true);
    expect(kinds).toEqual(["gone"]);
    expect([at.source.before, at.source.total]).toEqual([before - 1, total - 1]);
    expect(at.marks.rows().map(({ n }) => n)).toEqual([850]);
  });

  test("an unmarked one is dropped, and while all matching rows are marked none is kept", async () => {
    const at = await marked();
    at.marks.toggle(name(7));
    expect([at.source.away.size, at.source.get(name(7))]).toEqual([0, undefined]);
    at.marks.markEverything();
    for (let n = 0; n < 6; n++) await page(at, "after");
    expect([at.source.away.size, at.marks.everything()]).toEqual([0, { count: 2_000 }]);
  });
});
