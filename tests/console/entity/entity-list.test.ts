import { describe, expect, test } from "vitest";
import type { Merchant } from "../../../src/contract/merchants.ts";
import { CallFailure } from "../../../src/console/api/failure.ts";
import type { ListQuery } from "../../../src/console/entity/deps.ts";
import { EntityList } from "../../../src/console/entity/entity-list.ts";
import { aMerchant, aMerchantDetail } from "./records.ts";

const id = (n: number) => `44444444-4444-4444-8444-${String(n).padStart(12, "0")}`;
const row = (n: number, more: Partial<Merchant> = {}) => aMerchant({ uuid: id(n), code: `M${n}`, ...more });

/** Wallets together, as a list with sums tells them where it is asked to. */
const sumsOf = (found: readonly Merchant[], { with: asked }: ListQuery) =>
  String(asked).includes("sums") && { sums: { wallet: String(found.reduce((sum, { wallet }) => sum + Number(wallet), 0)) } };

/** A server that holds these rows and answers pages of two; `failing` is what it answers instead. */
function served(rows: Map<string, Merchant>, takesUuids = false, hasSums = false) {
  const asked: ListQuery[] = [];
  /** What an answer waits for once it is made; rows instead of those held. */
  const wire = { free: Promise.resolve(), rows: null as Merchant[] | null, clock: Date.parse("2026-11-21T00:00:00Z") };
  const state = { failing: null as CallFailure | null, status: null as string | null };
  const list = new EntityList({
    takesUuids,
    now: () => wire.clock,
    knowsTime: true,
    hasSums,
    belongs: (one) => state.status === null || (one as Merchant).status === state.status, // this server has merchants only
    async list(query) {
      asked.push(query);
      if (state.failing) throw state.failing;
      const named = typeof query["filter[uuid]"] === "string" ? query["filter[uuid]"].split(",") : null;
      const asks = ({ uuid, status }: Merchant) =>
        (named === null || named.includes(uuid)) && (query["status"] === undefined || query["status"] === status);
      const found = (wire.rows ?? [...rows.values()]).filter(asks);
      const from = Number(query["cursor"] ?? 0);
      const size = named ? 200 : query["limit"] === 100 ? 2 : 500;
      const next = from + size < found.length ? String(from + size) : null;
      await wire.free;
      return {
        data: found.slice(from, from + size),
        meta: { next, previous: null, ...(query["with"] && { count: found.length }), ...sumsOf(found, query) },
      };
    },
    async read(uuid) {
      const found = rows.get(uuid);
      if (!found) throw new CallFailure("refused", { status: 404, code: "not-found" });
      return aMerchantDetail(found);
    },
  });
  return { list, asked, state, wire, codes: () => list.source.rows.map(({ uuid }) => rows.get(uuid)?.code ?? "gone") };
}
const store = (...rows: Merchant[]) => new Map(rows.map((one) => [one.uuid, one]));

describe("paging", () => {
  test("pages are appended in order until there are no more, with the count of all", async () => {
    const { list, codes, asked } = served(store(row(1), row(2), row(3)));
    await list.load(() => ({ sort: "name" }));
    expect([codes(), list.getState().count, list.source.more]).toEqual([["M1", "M2"], 3, true]);
    await list.more();
    expect([codes(), list.source.more]).toEqual([["M1", "M2", "M3"], false]);
    expect(asked.map(({ sort, cursor }) => [sort, cursor])).toEqual([
      ["name", undefined],
      ["name", "2"],
    ]);
  });

  test("a further page that comes as expected changes nothing that is said of the list", async () => {
    const rows = store(row(1), row(2), row(3));
    const { list } = served(rows);
    await list.load(() => ({ sort: "name" }));
    let told = 0;
    list.subscribe(() => (told += 1));
    await list.more();
    expect([told, list.source.length]).toEqual([0, 3]);
    rows.set(id(4), row(4));
    await list.reload();
    expect([told, list.getState().count]).toEqual([1, 4]);
  });

  test("a question of the last hour is put anew each time: the hour moves on", async () => {
    const { list, asked } = served(store());
    let hour = 1;
    await list.load(() => ({ "filter[created_at_from]": `${hour}:00` }));
    hour = 2;
    await list.reload();
    expect(asked).toMatchObject([{ "filter[created_at_from]": "1:00" }, { "filter[created_at_from]": "2:00" }]);
  });

  test("a page that does not come is told, keeps the rows there are, and comes when asked again", async () => {
    const { list, codes, state } = served(store(row(1), row(2), row(3)));
    await list.load(() => ({}));
    state.failing = new CallFailure("no-response");
    await list.more();
    expect([codes(), list.source.loading, list.getState().failure?.kind]).toEqual([["M1", "M2"], "failed", "no-response"]);
    state.failing = null;
    await list.more();
    expect([codes().length, list.getState().failure]).toEqual([3, null]);
  });

  test("an answer to an earlier question is dropped", async () => {
    const { list, codes, wire } = served(store(row(1)), false);
    let free = () => undefined as void;
    wire.free = new Promise((resolve) => (free = resolve));
    const first = list.load(() => ({ q: "old" }));
    wire.free = Promise.resolve();
    wire.rows = [row(2)];
    await list.load(() => ({ q: "new" }));
    free();
    await first;
    expect(list.source.rows).toMatchObject([{ uuid: id(2) }]);
    expect(codes()).toHaveLength(1);
  });
});

describe("places", () => {
  test("only in the order they were made do records wait for no sorting before a jump to a date", async () => {
    const { list } = served(store(row(1)));
    await list.load(() => ({ sort: "name" }));
    expect(list.source.feed?.timeOrder()).toEqual({ sortBy: "created_at" });
    const { list: other, asked } = served(store(row(1)));
    await other.load(() => ({ sort: "name" }));
    other.source.feed?.jump({ at: "2026-11-20" });
    await other.load(() => ({ sort: "-created_at" }));
    await other.load(() => ({ sort: "-created_at" }));
    expect(asked.map(({ at }) => at)).toEqual([undefined, "2026-11-20", undefined]);
  });

  test("a link's record whose page has left is fetched and stands among those held", async () => {
    const { list } = served(store(row(1), row(2), row(3)));
    await list.load(() => ({}));
    list.source.away.needs = () => true;
    list.source.away.keep([row(3)], false); // as a mark holds it
    expect(await list.fetch(id(3))).toBe(true);
    expect(list.source.indexOf(id(3))).toBe(0);
    expect(list.source.away.size).toBe(0);
  });
});

describe("changes", () => {
  test("a saved row is patched where it stands; an older one does not undo it", async () => {
    const { list } = served(store(row(1), row(2)));
    await list.load(() => ({}));
    list.took([row(2, { version: 3, name: "Lagoon" })]);
    list.took([row(2, { version: 2, name: "Older" })]);
    expect(list.source.at(1)).toMatchObject({ name: "Lagoon" });
  });

  test("a row that its new status takes out of the filter leaves, with the count", async () => {
    const { list, codes, state } = served(store(row(1), row(2)));
    state.status = "active";
    await list.load(() => ({}));
    list.took([row(1, { version: 2, status: "suspended" })]);
    expect([codes(), list.getState().count]).toEqual([["M2"], 1]);
  });

  test("a new row stands first, a deleted one is gone", async () => {
    const { list, codes, state } = served(store(row(1), row(2), row(3)));
    state.status = null;
    await list.load(() => ({}));
    list.took([row(3)]);
    expect(codes()).toEqual(["M3", "M1", "M2"]);
    const gone = { uuid: id(1), gone: true };
    list.took([gone]);
    expect(codes()).toEqual(["M3", "M2"]);
    expect(list.getState().count).toBe(3);
  });

  test.each([true, false])("rows others changed are read anew, those another deleted leave (by name: %s)", async (takesUuids) => {
    const rows = store(row(1), row(2));
    const { list } = served(rows, takesUuids);
    await list.load(() => ({}));
    rows.set(id(1), row(1, { version: 2, name: "Lagoon" }));
    rows.delete(id(2));
    await list.look([id(1), id(2), id(9)]);
    expect(list.source.rows).toMatchObject([{ uuid: id(1), name: "Lagoon" }]);
  });

  test("a record a link names is fetched though the question has it not; one that is none is said to be none", async () => {
    const { list, codes } = served(store(row(1), row(2), row(3)));
    await list.load(() => ({}));
    expect([await list.fetch(id(3)), codes()]).toEqual([true, ["M3", "M1", "M2"]]);
    expect(await list.fetch(id(9))).toBe(false);
  });

  test("the line's return ends no leap that is under way", async () => {
    const { list } = served(store(row(1), row(2), row(3)));
    await list.load(() => ({ sort: "-created_at" }));
    const kinds: unknown[] = [];
    list.source.subscribe((change) => change.kind === "reset" && kinds.push(change.to));
    list.source.feed?.jump("last");
    await list.catchUp();
    expect(kinds).toEqual(["last", undefined]);
  });

  test("nor a page's, which would be asked for again", async () => {
    const { list, asked } = served(store(row(1), row(2), row(3)));
    await list.load(() => ({ sort: "name" }));
    let most = 0;
    list.source.subscribe(() => (most = Math.max(most, list.source.length)));
    await Promise.all([list.more(), list.catchUp()]);
    expect(most).toBe(3);
    expect(asked.map(({ cursor }) => cursor)).toEqual([undefined, "2", undefined]);
  });

  test("and a page asked for while the list is read again comes after it, and is not lost to it", async () => {
    const { list, asked, wire } = served(store(row(1), row(2), row(3)));
    await list.load(() => ({ sort: "name" }));
    const { promise, resolve } = Promise.withResolvers<void>();
    wire.free = promise;
    const caughtUp = list.catchUp();
    const more = list.more();
    expect(asked).toHaveLength(2);
    resolve();
    await Promise.all([caughtUp, more]);
    expect([asked.at(-1)?.["cursor"], list.source.length]).toEqual(["2", 3]);
  });

  test("a date asked for in another order is gone to, though the first answer does not come or is asked for again", async () => {
    const { list, asked, state } = served(store(row(1)));
    await list.load(() => ({ sort: "name" }));
    list.source.feed?.jump({ at: "2026-11-01T00:00:00.000Z" });
    state.failing = new CallFailure("no-response");
    await list.load(() => ({ sort: "created_at" }));
    state.failing = null;
    await Promise.all([list.reload(), list.catchUp()]);
    expect(asked.slice(1).map(({ at }) => at)).toEqual(["2026-11-01T00:00:00.000Z", "2026-11-01T00:00:00.000Z", undefined]);
  });

  test("a record a link names stays when the list is asked again, and is fetched though that happens meanwhile", async () => {
    const { list, codes } = served(store(row(1), row(2), row(3)));
    await list.load(() => ({}));
    const [found] = await Promise.all([list.fetch(id(3)), list.reload()]);
    expect(found).toBe(true);
    await list.reload();
    expect(codes()).toContain("M3");
  });
});

describe("what others do", () => {
  /** Made a minute after the list was answered. */
  const fresh = (n: number, more: Partial<Merchant> = {}) => row(n, { created_at: "2026-11-21T00:01:00.000Z", ...more });

  test("new rows wait behind the pill and move nothing until the list is read again; old ones of other pages are no news", async () => {
    const rows = store(row(1), row(2), row(3));
    const { list, codes } = served(rows, true);
    await list.load(() => ({}));
    rows.set(id(8), fresh(8));
    await list.heard([id(8), id(8), id(3)]);
    expect([codes(), list.getState().waiting]).toEqual([["M1", "M2"], 1]);
    await list.reload();
    expect(list.getState().waiting).toBe(0);
  });

  test("a new row comes by itself where nothing stands that it would move", async () => {
    const rows = store();
    const { list, codes } = served(rows, true);
    await list.load(() => ({}));
    rows.set(id(8), fresh(8));
    await list.heard([id(8)]);
    expect([codes(), list.getState().waiting]).toEqual([["M8"], 0]);
  });

  test("a row that is the question's no more leaves, and under the cursor shows what became of it", async () => {
    const rows = store(row(1), row(2));
    const { list, state } = served(rows, true);
    await list.load(() => ({ status: "active" }));
    list.source.cursor = () => id(1);
    for (const n of [1, 2]) rows.set(id(n), row(n, { version: 2, status: "suspended" }));
    state.status = "active";
    await list.heard([id(1), id(2)]);
    expect(list.source.rows).toMatchObject([{ uuid: id(1), status: "suspended" }]);
  });
});

describe("sums", () => {
  const rich = (n: number, wallet: string, more: Partial<Merchant> = {}) => row(n, { wallet, ...more });

  test("are asked for by a list that shows them, with the first page only, and come with it", async () => {
    const rows = store(rich(1, "5"), rich(2, "7"), rich(3, "11"));
    const { list, asked } = served(rows, false, true);
    await list.load(() => ({}));
    await list.more();
    expect([asked.map((query) => query["with"]), list.getState().sums]).toEqual([["count,sums", undefined], { wallet: "23" }]);
    const plain = served(rows);
    await plain.list.load(() => ({}));
    expect([plain.asked[0]?.["with"], plain.list.getState().sums]).toEqual(["count", null]);
  });

  test("are asked for again when a row changes, and are none of an earlier question", async () => {
    const rows = store(rich(1, "5"), rich(2, "7"));
    const { list } = served(rows, false, true);
    await list.load(() => ({}));
    rows.set(id(1), rich(1, "50", { version: 2 }));
    list.took([rich(1, "50", { version: 2 })]);
    await expect.poll(() => list.getState().sums).toEqual({ wallet: "57" });
    const loading = list.load(() => ({ q: "none" }));
    expect(list.getState().sums).toBeNull();
    await loading;
  });

  test("come with how many rows they are of, but for those that wait", async () => {
    const rows = store(rich(1, "5"), rich(2, "7"), rich(3, "11"));
    const { list } = served(rows, true, true);
    await list.load(() => ({}));
    rows.set(id(8), rich(8, "13", { created_at: "2026-11-21T00:01:00.000Z" }));
    await list.heard([id(8)]);
    // one of another page, of which nothing was told
    rows.delete(id(3));
    list.took([rich(1, "5", { version: 2 })]);
    await expect.poll(() => list.getState().sums).toEqual({ wallet: "25" });
    expect([list.getState().count, list.getState().waiting]).toEqual([2, 1]);
    list.close();
  });
});
