import { expect, test } from "vitest";
import { createGate } from "../../../src/server/auth/gate.ts";
import type { Gate, Waiter } from "../../../src/server/auth/gate.ts";

/** Work that runs until the test ends it. */
function held(gate: Gate, waiter: Waiter, order: string[], name: string) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const done = gate.run(waiter, async () => {
    order.push(name);
    await promise;
  });
  return { done, end: resolve };
}
const settled = () => new Promise((later) => setImmediate(later));

test("so many run, so many wait in each lane, and one more is refused; a full lane does not close the other", async () => {
  const gate = createGate({ atOnce: 2, places: { stranger: 3, known: 1 } });
  const order: string[] = [];
  const strangers = ["a", "b", "c", "d", "e"].map((name) => held(gate, { lane: "stranger" }, order, name));
  await expect(gate.run({ lane: "stranger" }, async () => undefined)).rejects.toMatchObject({ code: "login.busy" });
  const known = held(gate, { lane: "known" }, order, "k");
  await expect(gate.run({ lane: "known" }, async () => undefined)).rejects.toMatchObject({ code: "login.busy" });
  expect(gate.counts()).toEqual({ waiting: { stranger: 3, known: 1 }, running: 2, outcomes: { done: 0, refused: 2, gone: 0 } });
  for (const one of [...strangers, known]) one.end();
  await Promise.all([...strangers, known].map(({ done }) => done));
  expect(gate.counts()).toEqual({ waiting: { stranger: 0, known: 0 }, running: 0, outcomes: { done: 6, refused: 2, gone: 0 } });
});

test("the lanes take turns, each in its order, whichever came first", async () => {
  const gate = createGate({ atOnce: 1, places: { stranger: 10, known: 10 } });
  const order: string[] = [];
  const all = [
    ...["s1", "s2", "s3", "s4"].map((name) => held(gate, { lane: "stranger" }, order, name)),
    ...["k1", "k2"].map((name) => held(gate, { lane: "known" }, order, name)),
  ];
  for (const one of all) one.end();
  await Promise.all(all.map(({ done }) => done));
  expect(order).toEqual(["s1", "k1", "s2", "k2", "s3", "s4"]);
});

test("work of a client that disconnected before its turn does not run, and its place is free at once", async () => {
  const gate = createGate({ atOnce: 1, places: { stranger: 1, known: 1 } });
  const order: string[] = [];
  const first = held(gate, { lane: "stranger" }, order, "first");
  const going = new AbortController();
  const left = held(gate, { lane: "stranger", gone: going.signal }, order, "left");
  going.abort();
  await expect(left.done).rejects.toMatchObject({ code: "login.busy" });
  const next = held(gate, { lane: "stranger" }, order, "next");
  await expect(gate.run({ lane: "known", gone: going.signal }, async () => undefined)).rejects.toMatchObject({ code: "login.busy" });
  first.end();
  next.end();
  await Promise.all([first.done, next.done]);
  expect(order).toEqual(["first", "next"]);
  expect(gate.counts().outcomes).toEqual({ done: 2, refused: 0, gone: 2 });
});

test("work that fails passes its turn on", async () => {
  const gate = createGate({ atOnce: 1, places: { stranger: 1, known: 1 } });
  const failing = gate.run({ lane: "stranger" }, async () => {
    await settled();
    throw new Error("the database is away");
  });
  const next = gate.run({ lane: "stranger" }, async () => "ran");
  await expect(failing).rejects.toThrow("the database is away");
  expect(await next).toBe("ran");
});
