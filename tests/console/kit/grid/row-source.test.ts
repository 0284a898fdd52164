import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { RowSource, type RowChange } from "../../../../src/console/kit/grid/row-source.ts";

interface Row {
  uuid: string;
  amount: number;
}
const row = (uuid: string, amount = 0): Row => ({ uuid, amount });
const rows = (...ids: string[]) => ids.map((id) => row(id));
const order = (source: RowSource<Row>) => source.rows.map(({ uuid }) => uuid).join("");

function loaded(...ids: string[]) {
  const source = new RowSource<Row>();
  source.setPage(rows(...ids));
  const changes: RowChange<Row>[] = [];
  source.subscribe((change) => changes.push(change));
  return { source, changes };
}

describe("the rows of a grid", () => {
  test("a source without a page is loading; with one it is not", () => {
    const source = new RowSource<Row>();
    expect(source.loading).toBe("loading");
    source.setPage([]);
    expect(source.loading).toBe("idle");
  });

  test("the first rows are awaited until they come or are known not to", async () => {
    const source = new RowSource<Row>();
    const ends: string[] = [];
    void source.firstRows()?.then(() => ends.push("came"));
    source.setPage([]);
    await Promise.resolve();
    expect(ends).toEqual(["came"]);
    expect(source.firstRows()).toBeNull();
    expect(loaded("a").source.firstRows()).toBeNull();
  });

  test("a page that overlaps with live rows does not show a row twice", () => {
    const { source } = loaded("a", "b");
    source.prepend(rows("x", "a"));
    source.append(rows("b", "c", "c"), { more: false });
    expect(order(source)).toBe("xabc");
  });

  test("a patch changes the row in its place", () => {
    const { source, changes } = loaded("a", "b", "c");
    expect(source.patch("b", row("b", 7))).toBe(true);
    expect(source.at(1)).toEqual(row("b", 7));
    expect(changes).toEqual([{ kind: "patch", index: 1, before: row("b"), row: row("b", 7) }]);
  });

  test("a patch of an unknown row changes nothing and returns false", () => {
    const { source, changes } = loaded("a");
    expect(source.patch("z", row("z"))).toBe(false);
    expect(changes).toEqual([]);
  });

  test("a patch must not change a row's id", () => {
    const { source } = loaded("a");
    expect(() => source.patch("a", row("b"))).toThrow("id");
  });

  test("the total is unknown until it is counted, and follows live rows from then on", () => {
    const source = new RowSource<Row>();
    source.setPage(rows("a", "b"), { more: true });
    expect(source.total).toBeNull();
    source.append(rows("c"), { more: true, total: 40 });
    expect(source.total).toBe(40);
    source.prepend(rows("x"));
    expect(source.total).toBe(41);
    source.remove("a");
    expect(source.total).toBe(40);
    source.append(rows("d"), { more: false });
    expect(source.total).toBe(4);
  });

  test("a tombstone stays until its time, then leaves", () => {
    const { source } = loaded("a", "b", "c");
    source.entomb("b", 3000);
    expect(source.isTombstone("b")).toBe(true);
    expect(source.sweep(2999)).toBe(3000);
    expect(order(source)).toBe("abc");
    expect(source.sweep(3000)).toBeNull();
    expect(order(source)).toBe("ac");
    expect(source.isTombstone("b")).toBe(false);
  });

  test("a tombstone outlives a refetch that still has its row, but not a new query", () => {
    const { source } = loaded("a", "b");
    source.entomb("b", 3000);
    source.refresh(rows("a", "b"));
    expect(source.isTombstone("b")).toBe(true);
    source.setPage(rows("a", "b"));
    expect(source.isTombstone("b")).toBe(false);
  });

  test("after any changes every row is found by id at its index, and none that left", () => {
    const act = fc.oneof(
      fc.record({ kind: fc.constant("insert" as const), at: fc.nat(12), id: fc.nat(20) }),
      fc.record({ kind: fc.constant("remove" as const), at: fc.nat(12), id: fc.nat(20) }),
      fc.record({ kind: fc.constant("find" as const), at: fc.nat(12), id: fc.nat(20) }),
    );
    fc.assert(
      fc.property(fc.array(act, { maxLength: 40 }), (acts) => {
        const source = new RowSource<Row>();
        source.setPage(rows("r1", "r2", "r3"));
        for (const { kind, at, id } of acts) {
          if (kind === "insert") source.insert(at, [row(`r${id}`)]);
          else if (kind === "remove") source.remove(`r${id}`);
          else source.indexOf(`r${id}`, at);
        }
        const ids = source.rows.map(({ uuid }) => uuid);
        expect(new Set(ids).size).toBe(ids.length);
        for (let id = 0; id <= 20; id++) expect(source.indexOf(`r${id}`)).toBe(ids.indexOf(`r${id}`));
      }),
    );
  });
});
