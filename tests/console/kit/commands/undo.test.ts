import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Undo } from "../../../../src/console/kit/commands/services.ts";
import { createUndoStack } from "../../../../src/console/kit/commands/undo.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

let clock = 0;
const anUndo = (id: string, until: number): Undo => ({ id, text: "undo.nothing", words: {}, until, back: async () => undefined });
const stack = () => {
  clock = 0;
  return createUndoStack(() => clock);
};

test("z undoes the newest first, each once", () => {
  const undo = stack();
  undo.push(anUndo("a", 5000));
  undo.push(anUndo("b", 5000));
  expect([undo.take()?.id, undo.take()?.id, undo.take()]).toEqual(["b", "a", null]);
});

test("an expired undo is removed, though a later one has more time", () => {
  const undo = stack();
  undo.push(anUndo("long", 9000));
  undo.push(anUndo("short", 5000));
  clock = 5000;
  expect(undo.take()?.id).toBe("long");
  vi.advanceTimersByTime(5000);
  expect(undo.getState()).toEqual([]);
});

test("a lost claim drops its undo", () => {
  const undo = stack();
  undo.push(anUndo("a", 5000));
  undo.drop("a");
  expect(undo.take()).toBeNull();
});

test("an undo that failed can be tried again, within its time and unless all were cleared", () => {
  const undo = stack();
  for (const id of ["late", "a", "b"]) undo.push(anUndo(id, id === "late" ? 1000 : 5000));
  const [b, a, late] = [undo.take(), undo.take(), undo.take()] as [Undo, Undo, Undo];
  undo.putBack(a);
  clock = 1000;
  undo.putBack(late);
  expect(undo.take()?.id).toBe("a");
  undo.clear();
  undo.putBack(b);
  expect(undo.getState()).toEqual([]);
});
