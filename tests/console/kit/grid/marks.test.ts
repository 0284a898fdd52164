import { describe, expect, test } from "vitest";
import { extend, forget, markAll, noMarks, toggle, toggleAll } from "../../../../src/console/kit/grid/marks.ts";

const ids = (marks: { ids: ReadonlySet<string> }) => [...marks.ids].sort();

describe("marked rows", () => {
  test("a row marked twice is unmarked", () => {
    const once = toggle(noMarks, "a");
    expect(ids(once)).toEqual(["a"]);
    expect(ids(toggle(once, "a"))).toEqual([]);
  });

  test("shrinking an extension unmarks its own rows, and nothing else", () => {
    const kept = toggle(toggle(noMarks, "d"), "a");
    const wide = extend(kept, "a", ["a", "b", "c", "d"]);
    expect(ids(wide)).toEqual(["a", "b", "c", "d"]);
    const narrow = extend(wide, "a", ["a", "b"]);
    expect(ids(narrow)).toEqual(["a", "b", "d"]);
  });

  test("several rows are marked at once, and unmarked only when all of them were marked", () => {
    const some = toggleAll(toggle(noMarks, "b"), ["a", "b", "c"]);
    expect(ids(some)).toEqual(["a", "b", "c"]);
    expect(ids(toggleAll(toggle(some, "z"), ["a", "b", "c"]))).toEqual(["z"]);
  });

  test("an extension from another row keeps the first one", () => {
    const first = extend(noMarks, "a", ["a", "b"]);
    expect(ids(extend(first, "x", ["x", "y"]))).toEqual(["a", "b", "x", "y"]);
  });

  test("a row that left is no longer marked, and an anchor that left is no anchor", () => {
    const marks = extend(noMarks, "a", ["a", "b", "c"]);
    const after = forget(marks, (id) => id === "a");
    expect(ids(after)).toEqual(["b", "c"]);
    expect(after.anchor).toBeNull();
    expect(ids(extend(after, "c", ["c"]))).toEqual(["b", "c"]);
  });

  test("when no marked row left the marks are the same object, so that nothing is published", () => {
    const marks = markAll(["a", "b"]);
    expect(forget(marks, (id) => id === "z")).toBe(marks);
  });
});
