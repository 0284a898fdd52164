import { describe, expect, test } from "vitest";
import type { Withdrawal } from "../../../src/contract/withdrawals.ts";
import { WithdrawalList } from "../../../src/console/screens/withdrawals/withdrawal-list.ts";
import { aWithdrawal, dewi, me } from "./rows.ts";

const id = (n: number) => `33333333-3333-4333-8333-${String(n).padStart(12, "0")}`;
const free = (n: number, more: Partial<Withdrawal> = {}) =>
  aWithdrawal({
    uuid: id(n),
    txn_no: `W${n}`,
    status: "pending",
    claim: null,
    amount: "10.00",
    created_at: `2026-11-21T06:00:${String(n).padStart(2, "0")}.000Z`,
    ...more,
  });

/** A server that holds these rows, answers pages of two and knows what is open. */
function served(rows: Map<string, Withdrawal>) {
  const watched = { uuid: null as string | null };
  const asked: object[] = [];
  /** What an answer waits for once it is made. */
  const wire = { free: Promise.resolve() };
  const list = new WithdrawalList({
    me,
    watched: () => watched.uuid,
    async read(query) {
      asked.push(query);
      const open =
        query.view === "all" ? [...rows.values()] : [...rows.values()].filter(({ status }) => status === "pending" || status === "process");
      const named = query["filter[uuid]"]?.split(",");
      const found = open
        .filter(({ uuid }) => named === undefined || named.includes(uuid))
        .toSorted((a, b) => (a.created_at < b.created_at ? -1 : 1));
      const from = Number(query.cursor ?? 0);
      const size = named ? 200 : query.cursor === undefined && rows.size > 5 ? 2 : 100;
      const data = found.slice(from, from + size);
      const next = from + size < found.length ? String(from + size) : null;
      await wire.free;
      return {
        data,
        meta: { next, previous: null, ...(query.with && { count: found.length, sums: { amount: `${found.length * 10}.00` } }) },
      };
    },
  });
  return { list, watched, asked, wire, ids: () => list.source.rows.map(({ txn_no }) => txn_no) };
}

const store = (...rows: Withdrawal[]) => new Map(rows.map((row) => [row.uuid, row]));

describe("acts of this page", () => {
  test("an approved row leaves the queue at once, with its share of count and sum", async () => {
    const { list, ids } = served(store(free(1), free(2)));
    await list.load(() => ({ view: "queue" }));
    list.took([free(1, { version: 4, status: "approved" })]);
    expect(ids()).toEqual(["W2"]);
    expect(list.getState()).toMatchObject({ count: 1, sum: "10.00" });
  });

  test("a recalled row comes back to its place in time", async () => {
    const { list, ids } = served(store(free(1), free(3)));
    await list.load(() => ({ view: "queue" }));
    list.took([free(2, { status: "process" })]);
    expect(ids()).toEqual(["W1", "W2", "W3"]);
  });

  test("an older version does not undo a newer one", async () => {
    const { list } = served(store(free(1, { version: 9 })));
    await list.load(() => ({ view: "queue" }));
    list.took([free(1, { version: 8, remark: "old" })]);
    expect(list.source.get(id(1))?.version).toBe(9);
  });
});

describe("acts of others", () => {
  test("a new row waits and moves nothing until it is shown", async () => {
    const rows = store(free(1));
    const { list, ids } = served(rows);
    await list.load(() => ({ view: "queue" }));
    rows.set(id(2), free(2));
    await list.look([id(2)]);
    expect(ids()).toEqual(["W1"]);
    expect(list.getState().waiting).toBe(1);
    await list.reload();
    expect(ids()).toEqual(["W1", "W2"]);
    expect(list.getState().waiting).toBe(0);
  });

  test("into an empty list it comes by itself", async () => {
    const rows = store();
    const { list, ids } = served(rows);
    await list.load(() => ({ view: "queue" }));
    rows.set(id(2), free(2));
    await list.look([id(2)]);
    expect(ids()).toEqual(["W2"]);
  });

  test("a row another decided leaves; under the cursor it stays as a tombstone that says who", async () => {
    const rows = store(free(1), free(2), free(3));
    const { list, ids, watched } = served(rows);
    await list.load(() => ({ view: "queue" }));
    watched.uuid = id(2);
    for (const n of [1, 2]) rows.set(id(n), free(n, { version: 5, status: "approved", approved_by: dewi, last_action_by: dewi }));
    await list.look([id(1), id(2)]);
    expect(ids()).toEqual(["W2", "W3"]);
    expect(list.source.isTombstone(id(2))).toBe(true);
    expect(list.takenBy(id(2))?.approved_by).toEqual(dewi);
    expect(list.getState().count).toBe(1);
  });

  test("my own act, heard before its answer, leaves no tombstone", async () => {
    const rows = store(free(1), free(2));
    const { list, ids, watched } = served(rows);
    await list.load(() => ({ view: "queue" }));
    watched.uuid = id(1);
    rows.set(id(1), free(1, { version: 5, status: "approved" }));
    await list.look([id(1)]);
    expect(ids()).toEqual(["W2"]);
  });

  test("a claim by another is patched where the row stands", async () => {
    const rows = store(free(1));
    const { list } = served(rows);
    await list.load(() => ({ view: "queue" }));
    rows.set(id(1), free(1, { version: 5, status: "process", claim: { user: dewi.uuid, name: "Dewi", since: "", until: "" } }));
    await list.look([id(1)]);
    expect(list.source.get(id(1))?.claim?.name).toBe("Dewi");
  });
});

describe("what may have been missed", () => {
  test("what came meanwhile waits, uncounted; what changed is patched; what left is gone", async () => {
    const rows = store(free(1), free(3), free(4));
    const { list, ids } = served(rows);
    await list.load(() => ({ view: "queue" }));
    rows.set(id(2), free(2));
    rows.set(id(3), free(3, { version: 5, remark: "read" }));
    rows.delete(id(4));
    await list.catchUp();
    expect(ids()).toEqual(["W1", "W3"]);
    expect(list.source.get(id(3))?.remark).toBe("read");
    expect(list.getState()).toMatchObject({ waiting: 1, count: 2, sum: "20.00" });
    await list.reload();
    expect(ids()).toEqual(["W1", "W2", "W3"]);
  });

  test("the row under the cursor, decided by another, stays as a tombstone where it stood", async () => {
    const rows = store(free(1), free(2), free(3));
    const { list, ids, watched } = served(rows);
    await list.load(() => ({ view: "queue" }));
    watched.uuid = id(2);
    rows.set(id(2), free(2, { version: 5, status: "approved", approved_by: dewi, last_action_by: dewi }));
    await list.catchUp();
    expect(ids()).toEqual(["W1", "W2", "W3"]);
    expect(list.takenBy(id(2))?.approved_by).toEqual(dewi);
    expect(list.getState()).toMatchObject({ waiting: 0, count: 2, sum: "20.00" });
    await list.catchUp();
    expect(list.source.isTombstone(id(2))).toBe(true);
  });

  test("an act and an event that overtake the answer are not undone by it", async () => {
    const rows = store(free(1), free(2));
    const { list, ids, wire } = served(rows);
    await list.load(() => ({ view: "queue" }));
    const { promise, resolve } = Promise.withResolvers<void>();
    wire.free = promise;
    const answer = list.catchUp();
    wire.free = Promise.resolve();
    list.took([free(1, { version: 4, status: "approved" })]);
    rows.set(id(3), free(3));
    await list.look([id(3)]);
    expect(list.getState().waiting).toBe(1);
    resolve();
    await answer;
    await expect.poll(() => list.getState().waiting).toBe(1);
    expect(ids()).toEqual(["W2"]);
  });

  test("an empty list takes what came, and rows behind the loaded ones are no news", async () => {
    const rows = store();
    const { list, ids } = served(rows);
    await list.load(() => ({ view: "queue" }));
    rows.set(id(1), free(1));
    await list.catchUp();
    expect(ids()).toEqual(["W1"]);
    for (let n = 2; n < 8; n++) rows.set(id(n), free(n));
    await list.load(() => ({ view: "queue" }));
    expect(ids()).toEqual(["W1", "W2"]);
    rows.delete(id(1));
    await list.catchUp();
    expect(ids()).toEqual(["W2", "W3"]);
    expect(list.getState().waiting).toBe(0);
  });
});

test("further pages are appended in order, and an answer to an earlier question is dropped", async () => {
  const { list, ids } = served(store(free(1), free(2), free(3), free(4), free(5), free(6)));
  const first = list.load(() => ({ view: "queue" }));
  const second = list.load(() => ({ view: "all" }));
  await Promise.all([first, second]);
  expect(list.view).toBe("all");
  await list.more();
  expect(ids()).toEqual(["W1", "W2", "W3", "W4", "W5", "W6"]);
});
