import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { KeyPress } from "../../../../src/console/kit/keys/keys.ts";
import { createTypeAhead } from "../../../../src/console/kit/keys/type-ahead.ts";

const press = (key: string, more: Partial<KeyPress> = {}): KeyPress => ({
  key,
  code: `Key${key.toUpperCase()}`,
  keyCode: key.charCodeAt(0),
  shiftKey: false,
  ctrlKey: false,
  altKey: false,
  metaKey: false,
  isComposing: false,
  repeat: false,
  target: null,
  defaultPrevented: false,
  getModifierState: () => false,
  preventDefault: () => undefined,
  stopPropagation: () => undefined,
  ...more,
});

function fixture() {
  const given: string[] = [];
  let there = false;
  const ahead = createTypeAhead(({ key }) => given.push(key));
  return {
    given,
    ahead,
    go: () => ahead.await(() => there),
    async arrive() {
      there = true;
      ahead.settle();
      await Promise.resolve();
    },
  };
}

beforeEach(() => vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => vi.useRealTimers());

test("keys typed while the screen loads reach it in order", async () => {
  const { ahead, go, arrive, given } = fixture();
  go();
  expect(["q", "j"].map((key) => ahead.keeps(press(key)))).toEqual([true, true]);
  expect(given).toEqual([]);
  await arrive();
  expect(given).toEqual(["q", "j"]);
});

test("without a loading screen, or once it is ready, no key is queued", async () => {
  const { ahead, go, arrive } = fixture();
  expect(ahead.keeps(press("q"))).toBe(false);
  await arrive();
  go();
  expect(ahead.keeps(press("q"))).toBe(false);
});

test("keys kept for a screen that never takes the focus are given to none that does later", async () => {
  const { ahead, go, arrive, given } = fixture();
  go();
  expect(ahead.keeps(press("a"))).toBe(true);
  vi.advanceTimersByTime(10_000);
  await arrive();
  expect(given).toEqual([]);
});

test("a held key is queued once, and a palette chord acts at once", () => {
  const { ahead, go } = fixture();
  go();
  expect(ahead.keeps(press("a", { repeat: true }))).toBe(false);
  expect(ahead.keeps(press("k", { ctrlKey: true }))).toBe(false);
});

test("Esc drops them, and so does a screen that fails to load", async () => {
  const { ahead, go, arrive, given } = fixture();
  go();
  ahead.keeps(press("q"));
  expect(ahead.keeps(press("Escape"))).toBe(false);
  go();
  ahead.keeps(press("q"));
  vi.advanceTimersByTime(3_001);
  expect(ahead.keeps(press("j"))).toBe(false);
  await arrive();
  expect(given).toEqual([]);
});
