import { expect, test } from "vitest";
import { SharedReads } from "../../src/server/shared-reads.ts";

/** A reading that ends when it is told to, and how often it was begun. */
function held() {
  let [begun, end]: [number, (value: number) => void] = [0, () => undefined];
  return {
    work: () => new Promise<{ value: number; took: number }>((resolve) => ((begun += 1), (end = () => resolve({ value: begun, took: 1 })))),
    count: () => begun,
    end: () => end(0),
  };
}

test("all who ask before a reading begins are answered by it, and who asks later by one that began after they asked", async () => {
  const reads = new SharedReads<number>();
  const { work, count, end } = held();
  const early = [reads.read("group", "a", work), reads.read("group", "a", work), reads.read("group", "a", work)];
  await expect.poll(count).toBe(1);
  // the first has begun, so that what happens from here on is not in it
  const late = [reads.read("group", "a", work), reads.read("group", "a", work)];
  end();
  expect((await Promise.all(early)).map(({ value }) => value)).toEqual([1, 1, 1]);
  const asked = Date.now();
  await expect.poll(count).toBe(2);
  end();
  const answers = await Promise.all(late);
  expect(answers.map(({ value }) => value)).toEqual([2, 2]);
  expect(answers[0]?.begunAt).toBeGreaterThanOrEqual(asked - 1);
  expect(count()).toBe(2);
});

test("each key is read on its own", async () => {
  const reads = new SharedReads<string>();
  const both = await Promise.all([
    reads.read("group", "a", async () => ({ value: "of a", took: 1 })),
    reads.read("group", "b", async () => ({ value: "of b", took: 1 })),
  ]);
  expect(both.map(({ value }) => value)).toEqual(["of a", "of b"]);
});

test("while a slow reading rests its last answer is given with the time it began, and it is told not to keep others waiting", async () => {
  const reads = new SharedReads<number>();
  const told: boolean[] = [];
  const slow = async (wasQuick: boolean) => {
    told.push(wasQuick);
    return { value: told.length, took: 1_000 };
  };
  const first = await reads.read("group", "a", slow);
  expect(await reads.read("group", "a", slow)).toBe(first);
  expect(told).toEqual([true]);
  // one that took as little as it may is read anew
  const middling = async (wasQuick: boolean) => {
    told.push(wasQuick);
    return { value: told.length, took: 101 };
  };
  const one = await reads.read("group", "b", middling);
  await expect.poll(async () => (await reads.read("group", "b", middling)).value).toBeGreaterThan(one.value);
  expect(told).toEqual([true, true, false]);
});

test("one slow reading among quick ones keeps nobody from the next", async () => {
  const reads = new SharedReads<number>();
  const taking = (took: number) => reads.read("group", "a", async (wasQuick) => ({ value: Number(wasQuick), took }));
  await taking(1);
  const slow = await taking(600_000);
  const next = await taking(600_000);
  expect(next).not.toBe(slow);
  expect(next.value).toBe(1);
  // two are no chance
  expect(await taking(1)).toBe(next);
});

test("a reading that fails is told to all who waited for it, and the next one is read anew", async () => {
  const reads = new SharedReads<number>();
  const failing = () => Promise.reject(new Error("the database is away"));
  const both = await Promise.allSettled([reads.read("group", "a", failing), reads.read("group", "a", failing)]);
  expect(both.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect((await reads.read("group", "a", () => Promise.resolve({ value: 7, took: 1 }))).value).toBe(7);
});

test("quick readings of a group begin in one turn of the event loop, at whichever moment they were asked for", async () => {
  const reads = new SharedReads<number>(1_000);
  let [turn, over] = [0, false];
  const next = () => new Promise<void>((resolve) => setImmediate(() => ((turn += 1), resolve())));
  const counting = (async () => {
    while (!over) await next();
  })();
  const work = async () => ({ value: turn, took: 1 });
  const first = (await reads.read("group", "a", work)).value;
  const asked: Promise<{ value: number }>[] = [];
  for (const key of ["a", "b", "c"]) {
    asked.push(reads.read("group", key, work));
    // what began at once would have by then
    await reads.read(`not ${key}`, `not ${key}`, work);
  }
  const turns = (await Promise.all(asked)).map(({ value }) => value);
  over = true;
  await counting;
  expect(new Set(turns).size).toBe(1);
  expect(turns[0]).toBeGreaterThan(first);
});

test("no group waits for another", async () => {
  const reads = new SharedReads<string>(600_000);
  const work = async () => ({ value: "read", took: 1 });
  await reads.read("one", "a", work);
  expect((await reads.read("another", "b", work)).value).toBe("read");
});
