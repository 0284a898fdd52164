import { expect, test } from "vitest";
import { SharedReads } from "../../src/server/shared-reads.ts";

/** A reading that ends when it is told to, and how often it was begun. */
function held() {
  let [begun, end]: [number, (value: number) => void] = [0, () => undefined];
  return {
    work: () => new Promise<number>((resolve) => ((begun += 1), (end = () => resolve(begun)))),
    count: () => begun,
    end: () => end(0),
  };
}

test("all who ask before a reading begins are answered by it, and who asks later by one that began after they asked", async () => {
  const reads = new SharedReads<number>();
  const { work, count, end } = held();
  const early = [reads.read("a", work), reads.read("a", work), reads.read("a", work)];
  await expect.poll(count).toBe(1);
  // the first has begun, so that what happens from here on is not in it
  const late = [reads.read("a", work), reads.read("a", work)];
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
  const both = await Promise.all([reads.read("a", async () => "of a"), reads.read("b", async () => "of b")]);
  expect(both.map(({ value }) => value)).toEqual(["of a", "of b"]);
});

test("while a slow reading rests its last answer is given, with the time it began", async () => {
  const reads = new SharedReads<number>();
  let begun = 0;
  const slow = async () => {
    begun += 1;
    // it takes so long that its rest outlasts this test
    await new Promise((resolve) => setTimeout(resolve, 500));
    return begun;
  };
  const first = await reads.read("a", slow);
  expect(await reads.read("a", slow)).toBe(first);
  expect(begun).toBe(1);
});

test("a reading that fails is told to all who waited for it, and the next one is read anew", async () => {
  const reads = new SharedReads<number>();
  const failing = () => Promise.reject(new Error("the database is away"));
  const both = await Promise.allSettled([reads.read("a", failing), reads.read("a", failing)]);
  expect(both.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect((await reads.read("a", () => Promise.resolve(7))).value).toBe(7);
});
