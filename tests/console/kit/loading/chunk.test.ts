import { beforeEach, expect, test, vi } from "vitest";
import { loadChunk } from "../../../../src/console/kit/loading/chunk.ts";

const gone = () => new TypeError("Failed to fetch dynamically imported module: /assets/x-1.js");

beforeEach(() => {
  vi.useFakeTimers();
  return () => void vi.useRealTimers();
});

/** Fails as often as it is told, and counts how often it was called. */
function chunk(failures: number, error: () => Error = gone) {
  const load = vi.fn<() => Promise<string>>(async () => {
    if (load.mock.calls.length <= failures) throw error();
    return "came";
  });
  return load;
}

async function outcome(loading: Promise<unknown>): Promise<unknown> {
  const settled = loading.catch((error: unknown) => error);
  await vi.runAllTimersAsync();
  return settled;
}

test("a chunk that fails twice comes at the third request", async () => {
  const load = chunk(2);
  expect(await outcome(loadChunk(load))).toBe("came");
  expect(load).toHaveBeenCalledTimes(3);
});

test("after the third failure it is missing", async () => {
  const load = chunk(3);
  expect(await outcome(loadChunk(load))).toBeInstanceOf(TypeError);
  expect(load).toHaveBeenCalledTimes(3);
});

test("what a page's load waits for is not requested anew for the page", async () => {
  const texts = chunk(9);
  const page = vi.fn<() => Promise<string>>(() => loadChunk(texts));
  expect(await outcome(loadChunk(page))).toBeInstanceOf(TypeError);
  expect([page.mock.calls.length, texts.mock.calls.length]).toEqual([1, 3]);
});

test("code that fails is run once", async () => {
  const load = chunk(1, () => new TypeError("x is not a function"));
  expect(await outcome(loadChunk(load))).toBeInstanceOf(TypeError);
  expect(load).toHaveBeenCalledTimes(1);
});
