import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import type { LiveBalance } from "../../../src/contract/live-balances.ts";
import { needsAttention } from "../../../src/contract/live-shows.ts";
import { byHeadroom } from "../../../src/console/screens/payment-account-live-balances/live-lines.ts";
import type { LiveAsked } from "../../../src/console/screens/payment-account-live-balances/live-list.ts";
import { LiveList } from "../../../src/console/screens/payment-account-live-balances/live-list.ts";
import { anAccount, meta, uuidOf } from "./accounts.ts";

beforeEach(() => vi.useFakeTimers({ now: Date.parse(meta.at) }));
afterEach(() => vi.useRealTimers());

const everything: LiveAsked = { grouping: "none", shows: () => true, order: byHeadroom };

/** A server that holds these accounts and notes what it is asked for; null: all of them. */
function served(...accounts: LiveBalance[]) {
  const rows = new Map(accounts.map((row) => [row.uuid, row]));
  const asked: (readonly string[] | null)[] = [];
  /** `whole`: when the answer with all of them, read at once, comes. */
  const wire = { answers: true, whole: Promise.resolve() };
  const list = new LiveList({
    async read(uuids) {
      asked.push(uuids);
      if (!wire.answers) throw new Error("nothing answers");
      const data = uuids === null ? [...rows.values()] : uuids.flatMap((uuid) => rows.get(uuid) ?? []);
      if (uuids === null) await wire.whole;
      return { data, meta };
    },
    days: () => Promise.resolve([...rows.keys()].map((uuid) => ({ uuid, opening: "1000.00", points: ["1000.00"] }))),
    now: () => Date.now(),
    patched: () => undefined,
  });
  list.show(everything);
  const change = (n: number, more: Partial<LiveBalance>) => {
    rows.set(uuidOf(n), anAccount(n, more));
    list.look([uuidOf(n)]);
  };
  const codes = () => list.source.rows.map((line) => (line.line === "account" ? line.code : "—"));
  const balance = (n: number) => list.source.get(uuidOf(n))?.balance;
  return { rows, asked, wire, list, change, codes, balance };
}

describe("an account that changes", () => {
  test("is read by itself, at most four times a second however often it does, and the last change is always seen", async () => {
    const { asked, list, change, balance } = served(anAccount(1), anAccount(2));
    await list.reload();
    for (let n = 1; n <= 200; n++) {
      change(1, { balance: `${n}.00` });
      // oxlint-disable-next-line no-await-in-loop -- events come one after the other, 100 a second
      await vi.advanceTimersByTimeAsync(10);
    }
    await vi.advanceTimersByTimeAsync(250);
    const [first, ...again] = asked;
    expect(first).toBeNull();
    expect(again.every((uuids) => uuids?.join() === uuidOf(1))).toBe(true);
    expect(again.length).toBeLessThanOrEqual(10);
    expect(balance(1)).toBe("200.00");
  });

  test("is asked for together with the others that did", async () => {
    const { asked, list, change } = served(anAccount(1), anAccount(2), anAccount(3));
    await list.reload();
    change(1, { balance: "1.00" });
    await vi.advanceTimersByTimeAsync(0);
    change(2, { balance: "2.00" });
    change(3, { balance: "3.00" });
    await vi.advanceTimersByTimeAsync(250);
    expect(asked.slice(1)).toEqual([[uuidOf(1)], [uuidOf(2), uuidOf(3)]]);
  });

  test("stays in its place while it needs no attention, and comes first once it does", async () => {
    const { list, change, codes } = served(anAccount(1), anAccount(2));
    await list.reload();
    change(2, { balance: "5.00" });
    await vi.advanceTimersByTimeAsync(250);
    expect(codes()).toEqual(["MBB-01", "MBB-02"]);
    change(2, { balance: "5.00", state: "critical" });
    await vi.advanceTimersByTimeAsync(250);
    expect(codes()).toEqual(["—", "MBB-02", "MBB-01"]);
  });

  test("comes into a view it belongs to from then on, and leaves one it does not", async () => {
    const { list, change, codes } = served(anAccount(1), anAccount(2, { state: "critical" }));
    await list.reload();
    list.show({ ...everything, shows: needsAttention });
    change(1, { state: "critical" });
    change(2, {});
    await vi.advanceTimersByTimeAsync(500);
    expect(codes()).toEqual(["—", "MBB-01"]);
    expect(list.figures.getState().counts).toMatchObject({ all: 2, attention: 1 });
  });

  test("is gone once it was deleted", async () => {
    const { rows, list, codes } = served(anAccount(1), anAccount(2));
    await list.reload();
    rows.delete(uuidOf(1));
    list.look([uuidOf(1)]);
    await vi.advanceTimersByTimeAsync(250);
    expect(codes()).toEqual(["MBB-02"]);
  });

  test("that was opened since is there", async () => {
    const { list, change, codes } = served(anAccount(1));
    await list.reload();
    change(2, {});
    await vi.advanceTimersByTimeAsync(250);
    expect(codes()).toEqual(["MBB-01", "MBB-02"]);
  });

  test("of another currency is asked for once a minute at most, and is not there", async () => {
    const { asked, list, codes } = served(anAccount(1));
    await list.reload();
    for (let n = 0; n < 3; n++) {
      list.look([uuidOf(9)]);
      await vi.advanceTimersByTimeAsync(1_000); // oxlint-disable-line no-await-in-loop -- events come one after the other
    }
    expect(asked).toEqual([null, [uuidOf(9)]]);
    expect(codes()).toEqual(["MBB-01"]);
  });

  test("while all are read, which had begun before, is read once more, because that answer may be older", async () => {
    const { list, wire, change, balance } = served(anAccount(1));
    await list.reload();
    const { promise, resolve } = Promise.withResolvers<void>();
    wire.whole = promise;
    const all = list.reload();
    change(1, { balance: "5.00" });
    await vi.advanceTimersByTimeAsync(250);
    expect(balance(1)).toBe("5.00");
    resolve();
    await all;
    await vi.advanceTimersByTimeAsync(250);
    expect(balance(1)).toBe("5.00");
  });
});

test("what could not be read is read with the next change, and what is there stays", async () => {
  const { asked, wire, list, change, balance } = served(anAccount(1), anAccount(2));
  await list.reload();
  wire.answers = false;
  change(1, { balance: "1.00" });
  await vi.advanceTimersByTimeAsync(2_000);
  expect(asked).toHaveLength(2);
  expect(balance(1)).toBe("1000.00");
  wire.answers = true;
  change(2, { balance: "2.00" });
  await vi.advanceTimersByTimeAsync(250);
  expect([balance(1), balance(2)]).toEqual(["1.00", "2.00"]);
});

test("once the currency's day has ended all is read anew, because its limits begin again", async () => {
  const { asked, list } = served(anAccount(1));
  onTestFinished(list.open());
  await list.reload();
  await vi.advanceTimersByTimeAsync(Date.parse(meta.day_ends_at) - Date.parse(meta.at) - 1);
  expect(asked).toEqual([null]);
  await vi.advanceTimersByTimeAsync(1_001);
  expect(asked).toEqual([null, null]);
});

test("changes of the last minute are counted", async () => {
  const { list, change } = served(anAccount(1), anAccount(2));
  onTestFinished(list.open());
  await list.reload();
  change(1, { balance: "1.00" });
  change(2, { balance: "2.00" });
  await vi.advanceTimersByTimeAsync(250);
  expect(list.figures.getState().changes).toBe(2);
  await vi.advanceTimersByTimeAsync(66_000);
  expect(list.figures.getState().changes).toBe(0);
});
