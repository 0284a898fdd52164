import { expect, test } from "vitest";
import type { Withdrawal, WithdrawalDetail } from "../../../src/contract/withdrawals.ts";
import { QueueRun } from "../../../src/console/transactions/queue-run.ts";
import { aWithdrawal, me } from "../withdrawals/rows.ts";

const id = (n: number) => `33333333-3333-4333-8333-${String(n).padStart(12, "0")}`;
const held = (n: number, more: Partial<Withdrawal> = {}) => aWithdrawal({ uuid: id(n), amount: "10.00", ...more });

/** A queue of `count` free withdrawals. */
function queueOf(count: number) {
  const rows = new Map<string, Withdrawal>();
  const told: string[] = [];
  let taken = 0;
  const queue = new QueueRun<Withdrawal, WithdrawalDetail>({
    me,
    async takeNext(skip) {
      if (skip.length > 0) told.push(`not ${skip.map((uuid) => Number(uuid.slice(-4))).join()}`);
      if (taken === count) return "none";
      const row = held(++taken);
      rows.set(row.uuid, row);
      return { row } as WithdrawalDetail; // the queue reads the row only
    },
    release: async (given) => void told.push(`released ${given.map(({ uuid }) => Number(uuid.slice(-4))).join()}`),
    show: ({ row }) => void told.push(`show ${Number(row.uuid.slice(-4))}`),
    row: (uuid) => rows.get(uuid),
    goTo: (uuid) => void told.push(`go ${Number(uuid.slice(-4))}`),
    openView: () => void told.push("view"),
    left: (released) => void told.push(`left ${released}`),
    ended: ({ approved, rejected, sum }) => void told.push(`ended ${approved} ${rejected} ${sum}`),
  });
  const decide = async (n: number, change: Partial<Withdrawal>) => {
    const row = held(n, { claim: null, ...change });
    rows.set(row.uuid, row);
    queue.took([row]);
    await Promise.resolve();
    await Promise.resolve();
  };
  return { queue, told, decide, rows };
}
const settled = () => new Promise((done) => setTimeout(done));

test("entering takes the oldest, each decision the next, and the end says what it came to", async () => {
  const { queue, told, decide } = queueOf(2);
  queue.enter();
  await settled();
  await decide(1, { status: "approved" });
  await decide(2, { status: "rejected" });
  await settled();
  expect(told).toEqual(["view", "show 1", "show 2", "ended 1 1 10.00"]);
  expect(queue.getState().ended).toBe(true);
});

test("n passes on without giving back, Shift+N goes back, leaving gives back what is held", async () => {
  const { queue, told } = queueOf(5);
  queue.enter();
  await settled();
  queue.next();
  await settled();
  queue.previous();
  queue.leave();
  expect(told).toEqual(["view", "show 1", "show 2", "go 1", "left 2", "released 1,2"]);
  expect(queue.active).toBe(false);
});

test("what another takes over counts for nothing, and the next comes; one not looked at any more goes unseen", async () => {
  const { queue, told, decide } = queueOf(4);
  queue.enter();
  await settled();
  queue.next();
  await settled();
  queue.lost(id(1));
  await settled();
  expect(told).toEqual(["view", "show 1", "show 2"]);
  queue.lost(id(2));
  queue.lost(id(2));
  await settled();
  expect(told).toEqual(["view", "show 1", "show 2", "show 3"]);
  await decide(3, { status: "approved" });
  await settled();
  expect(queue.getState().tally).toEqual({ approved: 1, rejected: 0, deferred: 0, sum: "10.00" });
  queue.leave();
  expect(told.slice(4)).toEqual(["show 4", "left 1", "released 4"]);
});

test("what is put off counts as deferred and the next comes", async () => {
  const { queue, told, decide } = queueOf(2);
  queue.enter();
  await settled();
  await decide(1, { status: "pending" });
  await settled();
  expect(told).toEqual(["view", "show 1", "not 1", "show 2"]);
  expect(queue.getState().tally).toMatchObject({ approved: 0, rejected: 0, deferred: 1 });
});

test("an approval taken back is looked at again and no longer counted", async () => {
  const { queue, told, decide } = queueOf(3);
  queue.enter();
  await settled();
  await decide(1, { status: "approved" });
  await settled();
  queue.took([held(1, { status: "process" })]);
  expect(told.at(-1)).toBe("go 1");
  expect(queue.getState().tally).toMatchObject({ approved: 0, sum: "0.00" });
});

test("pressing n again while the next is on its way takes one", async () => {
  const { queue, told } = queueOf(5);
  queue.enter();
  queue.next();
  queue.next();
  await settled();
  expect(told).toEqual(["view", "show 1"]);
});

/** An act whose end the test decides. */
function anAct() {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  return { act: () => promise, resolve, reject };
}

test("an act that lets go of the claims ends the run: it gives nothing back itself and takes nothing when they are let go", async () => {
  const { queue, told } = queueOf(5);
  queue.enter();
  await settled();
  const { act, resolve } = anAct();
  const ended = queue.endBy(act);
  queue.lost(id(1));
  await settled();
  expect(queue.active).toBe(true);
  resolve("handed over");
  expect(await ended).toBe("handed over");
  expect(queue.active).toBe(false);
  await settled();
  expect(told).toEqual(["view", "show 1"]);
});

test("what was on its way when such an act began is given back", async () => {
  const { queue, told } = queueOf(5);
  queue.enter();
  await queue.endBy(async () => "handed over");
  await settled();
  expect(told).toEqual(["view", "released 1"]);
});

test("when such an act fails the run goes on: what is held stays, and where it was lost meanwhile the next comes", async () => {
  const { queue, told } = queueOf(5);
  queue.enter();
  await settled();
  await expect(queue.endBy(() => Promise.reject(new Error("no answer")))).rejects.toThrow("no answer");
  await settled();
  expect(queue.active).toBe(true);
  expect(told).toEqual(["view", "show 1"]);
  const { act, reject } = anAct();
  const failed = queue.endBy(act);
  queue.lost(id(1));
  reject(new Error("no answer"));
  await expect(failed).rejects.toThrow("no answer");
  await settled();
  expect(told).toEqual(["view", "show 1", "show 2"]);
  queue.leave();
  expect(told.slice(3)).toEqual(["left 1", "released 2"]);
});

test("what was given back in this run is not what comes next, unless nothing else is left", async () => {
  const { queue, told, decide } = queueOf(1);
  queue.enter();
  await settled();
  await decide(1, { status: "pending" });
  await settled();
  // the second question is open to the one given back, which this queue no longer has
  expect(told).toEqual(["view", "show 1", "not 1", "ended 0 0 0.00"]);
});

test("what is held and changes beside what is looked at stays where it is; what is taken by hand is looked at", async () => {
  const { queue, told } = queueOf(5);
  queue.enter();
  await settled();
  queue.next();
  await settled();
  queue.took([held(1, { version: 9 })]);
  expect(told).toEqual(["view", "show 1", "show 2"]);
  queue.took([held(7)]);
  expect(told.slice(3)).toEqual(["go 7"]);
});

test("leaving gives back also what the list does not show any more", async () => {
  const { queue, told, rows } = queueOf(5);
  queue.enter();
  await settled();
  rows.clear();
  queue.leave();
  expect(told).toEqual(["view", "show 1", "left 1", "released 1"]);
});
