import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { Withdrawal } from "../../../src/contract/withdrawals.ts";
import { noteScroll } from "../../../src/console/kit/loading/stillness.ts";
import { withdrawalViews } from "../../../src/console/screens/withdrawals/withdrawals.ts";
import { decisionRules } from "../../../src/console/transactions/decision-views.ts";
import type { AskedList } from "../../../src/console/transactions/decision-views.ts";
import { LiveList } from "../../../src/console/transactions/live-list.ts";
import { aWithdrawal, dewi, me } from "../withdrawals/rows.ts";

const id = (n: number) => `33333333-3333-4333-8333-${String(n).padStart(12, "0")}`;
const at = (n: number) => `2026-11-21T06:00:${String(n).padStart(2, "0")}.000Z`;
const free = (n: number, more: Partial<Withdrawal> = {}) =>
  aWithdrawal({
    uuid: id(n),
    txn_no: `W${n}`,
    status: "pending",
    claim: null,
    amount: "10.00",
    created_at: at(n),
    due_at: more.created_at ?? at(n),
    ...more,
  });

/** A server that holds these rows, answers pages of two and knows what is open. */
function served(rows: Map<string, Withdrawal>) {
  const watched = { uuid: null as string | null };
  const asked: object[] = [];
  /** What an answer waits for once it is made. */
  const wire = { free: Promise.resolve() };
  const list = new LiveList<Withdrawal, AskedList>({
    rules: decisionRules<Withdrawal>(withdrawalViews, me),
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

  test("a row that is put off goes to its new time, counted once; one whose time comes forward stays where it is", async () => {
    const { list, ids } = served(store(free(1), free(2), free(3)));
    await list.load(() => ({ view: "queue" }));
    list.took([free(1, { version: 4, due_at: "2026-11-21T06:00:02.500Z" })]);
    expect(ids()).toEqual(["W2", "W1", "W3"]);
    expect(list.getState()).toMatchObject({ count: 3, sum: "30.00" });
    list.took([free(1, { version: 5 })]);
    expect(ids()).toEqual(["W2", "W1", "W3"]);
  });

  test("a row recalled while its approval is still looked at stays, under the cursor or not", async () => {
    for (const cursor of [id(1), id(2)]) {
      const rows = store(free(1, { version: 4, status: "approved", last_action_by: { uuid: me, name: "Me" } }), free(2));
      const { list, ids, asked, wire, watched } = served(rows);
      await list.load(() => ({ view: "queue" }));
      const answer = Promise.withResolvers<void>();
      wire.free = answer.promise;
      const looked = list.look([id(1)]);
      await vi.waitFor(() => expect(asked).toHaveLength(2));
      const recalled = free(1, { version: 5, status: "process", last_action_by: { uuid: me, name: "Me" } });
      rows.set(id(1), recalled);
      list.took([recalled]);
      watched.uuid = cursor;
      answer.resolve();
      await looked;
      expect([ids(), list.getState().count]).toEqual([["W1", "W2"], 2]);
    }
  });

  test("a row under the cursor, approved and taken back by me elsewhere, stays as it is now", async () => {
    const rows = store(free(1), free(2));
    const { list, ids, asked, wire, watched } = served(rows);
    await list.load(() => ({ view: "queue" }));
    watched.uuid = id(1);
    const answer = Promise.withResolvers<void>();
    wire.free = answer.promise;
    rows.set(id(1), free(1, { version: 4, status: "approved", last_action_by: { uuid: me, name: "Me" } }));
    const looked = list.look([id(1)]);
    await vi.waitFor(() => expect(asked).toHaveLength(2));
    rows.set(id(1), free(1, { version: 5, status: "process", last_action_by: { uuid: me, name: "Me" } }));
    answer.resolve();
    await looked;
    expect([ids(), list.source.get(id(1))?.version, list.getState().count]).toEqual([["W1", "W2"], 5, 2]);
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

  test("what they changed is asked for when nothing is scrolled any more, all of it at once", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const { list, asked } = served(store(free(1), free(2)));
    await list.load(() => ({ view: "queue" }));
    noteScroll();
    const looked = [list.look([id(1)]), list.look([id(2)])];
    await vi.advanceTimersByTimeAsync(20);
    expect(asked).toHaveLength(1);
    await vi.runAllTimersAsync();
    await Promise.all(looked);
    expect(asked.slice(1)).toMatchObject([{ "filter[uuid]": `${id(1)},${id(2)}` }]);
  });

  test("what was told before a list is read again is not asked for after it", async () => {
    const { list, asked } = served(store(free(1), free(2)));
    await list.load(() => ({ view: "queue" }));
    noteScroll();
    const looked = list.look([id(1)]);
    await list.reload();
    await looked;
    expect(asked).toHaveLength(2);
  });

  test("held still, what others change is counted and comes when the list follows again; own acts come at once", async () => {
    const rows = store(free(1), free(2), free(3));
    const { list, ids } = served(rows);
    await list.load(() => ({ view: "queue" }));
    list.holdStill();
    rows.set(id(1), free(1, { version: 5, status: "approved", approved_by: dewi, last_action_by: dewi }));
    rows.set(id(4), free(4));
    await list.look([id(1), id(4)]);
    await list.look([id(1)]);
    await list.catchUp();
    expect([ids(), list.getState().held, list.getState().waiting]).toEqual([["W1", "W2", "W3"], 2, 0]);
    list.took([free(2, { version: 5, status: "approved" })]);
    expect(ids()).toEqual(["W1", "W3"]);
    rows.set(id(2), free(2, { version: 5, status: "approved" }));
    await list.reload();
    expect([ids(), list.getState().held]).toEqual([["W3", "W4"], null]);
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

  const { last_action_by: mine } = free(1);
  test.each([
    ["approved", mine],
    ["completed", { uuid: null, name: "system" }],
  ] as const)("my own act, heard %s before its answer, leaves no tombstone", async (status, last_action_by) => {
    const rows = store(free(1), free(2));
    const { list, ids, watched } = served(rows);
    await list.load(() => ({ view: "queue" }));
    watched.uuid = id(1);
    rows.set(id(1), free(1, { version: 5, status, approved_by: mine, last_action_by }));
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

  test("what a key lets come does not wait again, though what was missed is asked for meanwhile", async () => {
    const rows = store(free(1), free(3));
    const { list, ids } = served(rows);
    await list.load(() => ({ view: "queue" }));
    rows.set(id(2), free(2));
    await list.look([id(2)]);
    expect(list.getState().waiting).toBe(1);
    const pressed = list.reload();
    await Promise.all([list.catchUp(), pressed]);
    expect([ids(), list.getState().waiting]).toEqual([["W1", "W2", "W3"], 0]);
  });

  test.each(["catchUp", "reload"] as const)(
    "what is taken before the list has come is what the cursor goes to, though a %s ends its first answer",
    async (again) => {
      const { list } = served(store(free(1), free(2)));
      const resets: unknown[] = [];
      list.source.subscribe((change) => change.kind === "reset" && resets.push(change.to));
      const loading = list.load(() => ({ view: "queue" }));
      list.want(free(2));
      await Promise.all([list[again](), loading]);
      expect(resets.filter((to) => to !== undefined)).toEqual([{ id: id(2) }]);
    },
  );

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

  test("though its detail tells of it before the live line does, and the line then tells of it too", async () => {
    const rows = store(free(1), free(2), free(3));
    const { list, ids, watched } = served(rows);
    await list.load(() => ({ view: "queue" }));
    watched.uuid = id(2);
    const decided = free(2, { version: 5, status: "approved", approved_by: dewi, last_action_by: dewi });
    rows.set(id(2), decided);
    const line = list.look([id(2)]);
    list.seen(decided);
    await line;
    await expect.poll(() => list.source.isTombstone(id(2))).toBe(true);
    await list.look([id(2)]);
    expect(ids()).toEqual(["W1", "W2", "W3"]);
    expect(list.takenBy(id(2))?.approved_by).toEqual(dewi);
    expect(list.getState()).toMatchObject({ count: 2, sum: "20.00" });
    // my own act is no loss, and what is of the list still is only changed
    const { last_action_by: mine } = free(1);
    list.seen(free(1, { version: 5, status: "approved", approved_by: mine, last_action_by: mine }));
    list.seen(free(3, { version: 4, status: "process" }));
    expect(ids()).toEqual(["W2", "W3"]);
    expect(list.source.get(id(3))?.status).toBe("process");
  });

  test("while the list is held still, what the detail tells of another's act is held back as well", async () => {
    const rows = store(free(1), free(2));
    const { list, ids, asked } = served(rows);
    await list.load(() => ({ view: "queue" }));
    list.holdStill();
    const reads = asked.length;
    list.seen(free(1, { version: 5, status: "approved", approved_by: dewi, last_action_by: dewi }));
    expect(list.getState().held).toBe(1);
    expect(asked.length).toBe(reads);
    expect(ids()).toEqual(["W1", "W2"]);
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
  expect(list.query().view).toBe("all");
  await list.more();
  expect(ids()).toEqual(["W1", "W2", "W3", "W4", "W5", "W6"]);
});

/** A server with so many open withdrawals, oldest first, whose cursors are places; pages as large as asked. */
function longQueue(count: number, most: number) {
  const rows = Array.from({ length: count }, (_, n) => free(n, { created_at: new Date(Date.UTC(2026, 10, 1) + n * 60_000).toISOString() }));
  const watched = { uuid: null as string | null };
  const asked: object[] = [];
  const list = new LiveList<Withdrawal, AskedList>(
    {
      rules: decisionRules<Withdrawal>(withdrawalViews, me),
      watched: () => watched.uuid,
      async read(query) {
        asked.push(query);
        const named = query["filter[uuid]"]?.split(",");
        const open = rows.filter(({ status }) => status === "pending");
        if (named)
          return {
            data: (query.view === "all" ? rows : open).filter(({ uuid }) => named.includes(uuid)),
            meta: { next: null, previous: null },
          };
        const limit = Number(query.limit ?? 100);
        const back = query.direction === "previous";
        const end = back ? Number(query.cursor ?? open.length) : open.length;
        const at = query.at === undefined ? undefined : open.findIndex(({ created_at }) => created_at >= String(query.at));
        const first = back
          ? Math.max(0, end - limit)
          : Number(at ?? query.from ?? (query.cursor === undefined ? 0 : Number(query.cursor) + 1));
        const last = Math.min(end, first + limit);
        return {
          data: open.slice(first, last),
          meta: {
            next: last < open.length ? String(last - 1) : null,
            previous: first > 0 ? String(first) : null,
            ...(query.with !== undefined && { count: open.length, before: first, sums: { amount: "0.00" } }),
          },
        };
      },
    },
    most,
  );
  const settled = () =>
    new Promise<void>((resolve) => {
      const stop = list.source.subscribe(() => {
        if (list.source.loading === "loading") return;
        stop();
        resolve();
      });
    });
  const numbers = () => list.source.rows.map(({ txn_no }) => Number(txn_no.slice(1)));
  return { list, rows, watched, asked, settled, numbers };
}

describe("a queue longer than the memory holds", () => {
  async function deep(most = 400) {
    const at = longQueue(1_000, most);
    await at.list.load(() => ({ view: "queue" }));
    // oxlint-disable-next-line no-await-in-loop -- page by page
    for (let n = 0; n < 6; n++) await at.list.more();
    at.watched.uuid = id(550);
    return at;
  }

  test("read again it stays where the cursor is, with its rows' numbers", async () => {
    const { list, rows, numbers } = await deep();
    rows[550] = free(550, { version: 9, remark: "read" });
    await list.reload();
    expect(numbers()).toContain(550);
    expect(list.source.get(id(550))?.remark).toBe("read");
    expect(numbers()[0]).toBe(list.source.before);
    expect([list.source.total, list.source.more, list.source.moreBefore]).toEqual([1_000, true, true]);
  });

  test("what was missed is caught up with where the cursor is: a change is patched, and nothing seen before counts as new", async () => {
    const { list, rows, numbers } = await deep();
    rows[560] = free(560, { version: 9, remark: "read" });
    await list.catchUp();
    expect(numbers()).toContain(550);
    expect(list.source.get(id(560))?.remark).toBe("read");
    expect(list.getState().waiting).toBe(0);
  });

  test("the withdrawal taken next is the oldest: the list goes to its first page, the cursor to that row", async () => {
    const { list, rows, settled, numbers } = await deep();
    const resets: unknown[] = [];
    list.source.subscribe((change) => change.kind === "reset" && resets.push(change.to));
    list.want(rows[3] as (typeof rows)[number]); // there are 1,000
    await settled();
    expect([numbers()[3], resets]).toEqual([3, [{ id: id(3) }]]);
  });

  test("a link's withdrawal whose page was never loaded: the list goes to where it stands; in another order it stands first", async () => {
    const { list, asked, numbers } = longQueue(1_000, 400);
    const resets: unknown[] = [];
    list.source.subscribe((change) => change.kind === "reset" && resets.push(change.to));
    const loading = list.load(() => ({ view: "queue" }));
    expect(await list.goTo(id(700))).toBe(true);
    await loading;
    expect([numbers()[0], list.source.before, resets.at(-1)]).toEqual([700, 700, { id: id(700) }]);
    expect([list.getState().count, list.source.total]).toEqual([1_000, 1_000]);
    const calls = asked.length;
    expect([await list.goTo(id(750)), asked.length]).toEqual([true, calls]);
    await list.load(() => ({ view: "queue", sort: "amount" }));
    expect([await list.goTo(id(700)), numbers()[0], numbers()[1]]).toEqual([true, 700, 0]);
  });

  test("the line's return meanwhile hinders neither the way there nor the word that there is none", async () => {
    const { list, numbers } = longQueue(1_000, 400);
    await list.load(() => ({ view: "queue" }));
    const none = list.goTo(id(5_000));
    await list.catchUp();
    expect(await none).toBe(false);
    const going = list.goTo(id(700));
    await Promise.resolve().then(() => list.catchUp());
    expect([await going, numbers().includes(700)]).toEqual([true, true]);
  });

  test("nor does it take the place of a leap to the end that is under way, or of one that follows", async () => {
    const { list, numbers } = longQueue(1_000, 400);
    await list.load(() => ({ view: "queue" }));
    list.source.feed?.jump("last");
    await list.catchUp();
    expect(numbers().at(-1)).toBe(999);
    for (let turns = 0; turns < 6; turns++) {
      list.source.feed?.jump("last");
      const caughtUp = list.catchUp();
      // oxlint-disable-next-line no-await-in-loop -- just before, while and just after the first arrives
      for (let turn = 0; turn < turns; turn++) await Promise.resolve();
      list.source.feed?.jump("first");
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await caughtUp;
      expect(numbers()[0]).toBe(0);
    }
  });

  test("one this question has not is told to be none, and moves nothing", async () => {
    const { list, rows, numbers } = longQueue(1_000, 400);
    rows[700] = free(700, { status: "approved", version: 2 });
    await list.load(() => ({ view: "queue" }));
    expect([await list.goTo(id(700)), await list.goTo(id(5_000)), numbers().length]).toEqual([false, false, 100]);
  });

  test("rows that are not held are counted by the server: one that another changes is counted once, one that is decided no more", async () => {
    const { list, rows } = longQueue(150, 400);
    await list.load(() => ({ view: "queue" }));
    rows[120] = { ...(rows[120] as Withdrawal), version: 5 };
    rows[130] = { ...(rows[130] as Withdrawal), version: 5, status: "approved" };
    await list.look([id(120), id(130)]);
    await expect.poll(() => list.getState().count).toBe(149);
  });

  test("a row that is put off beyond what is held is counted once, though the live line tells of it again", async () => {
    const { list, rows, asked } = longQueue(150, 400);
    await list.load(() => ({ view: "queue" }));
    const putOff = { ...(rows[3] as Withdrawal), version: 5, due_at: "2026-12-01T00:00:00.000Z" };
    rows[3] = putOff;
    list.took([putOff]);
    expect([list.source.get(id(3)), list.getState().count]).toEqual([undefined, 150]);
    await list.look([id(3)]);
    await expect.poll(() => asked.at(-1)).toMatchObject({ limit: 1, with: "count,sums" });
    expect(list.getState().count).toBe(150);
  });

  test("my act on a marked row whose page has left takes it out, with its share of the count", async () => {
    const { list, rows } = await deep();
    list.source.away.needs = () => true;
    list.source.away.keep([rows[2] as (typeof rows)[number]], true); // as a mark holds it
    const { count, sum } = list.getState();
    const before = list.source.before ?? 0;
    list.took([{ ...(rows[2] as (typeof rows)[number]), version: 9, status: "approved" } as Withdrawal]);
    expect(list.source.get(id(2))).toBeUndefined();
    expect([list.getState().count, list.source.before]).toEqual([(count ?? 0) - 1, before - 1]);
    expect(sum).not.toBeNull();
  });

  test("new rows that wait are no longer new once a jump has brought them", async () => {
    const { list, rows, settled } = longQueue(200, 400);
    await list.load(() => ({ view: "all" }));
    rows.push(free(200), free(201));
    await list.look([id(200), id(201)]);
    expect(list.getState()).toMatchObject({ waiting: 2, count: 200 });
    const came = settled();
    list.source.feed?.jump("last");
    await came;
    expect(list.getState()).toMatchObject({ waiting: 0, count: 202 });
  });

  test("a withdrawal another took, under the cursor deep in the list, stays as a tombstone where it stood", async () => {
    const { list, rows, numbers } = await deep(2_000);
    const stands = () => numbers().indexOf(550) + (list.source.before ?? 0);
    rows[550] = free(550, { version: 9, status: "approved", approved_by: dewi, last_action_by: dewi });
    await list.catchUp();
    expect(list.source.before).toBeGreaterThan(0);
    expect([stands(), list.source.isTombstone(id(550))]).toEqual([550, true]);
  });

  test("a recalled row of before the rows held does not come in among them", async () => {
    const { list, numbers } = await deep();
    const held = numbers();
    list.took([free(2, { uuid: id(9_999), created_at: "2026-11-01T00:00:30.000Z" })]);
    expect(numbers()).toEqual(held);
  });

  test("sorted by amount the jump to a date needs the order by time first", async () => {
    const { list } = longQueue(10, 400);
    await list.load(() => ({ view: "all", sort: "amount" }));
    expect(list.source.feed?.timeOrder()).toEqual({ sortBy: "created" });
    await list.load(() => ({ view: "queue", sort: "amount" }));
    expect(list.source.feed?.timeOrder()).toEqual({ sortBy: "age" });
    await list.load(() => ({ view: "all" }));
    expect(list.source.feed?.timeOrder()).toBe("ready");
  });
});
