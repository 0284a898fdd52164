import { expect, test } from "vitest";
import { orTurned, readSort, sortText } from "../../../src/console/lists/sort-text.ts";

const after = (asked: string | null, shown: string, isChosen: boolean) => {
  const fields = ["time", "code", "day"];
  return sortText(orTurned(readSort(asked, fields), readSort(shown, fields), isChosen));
};

test("the order taken off a column that falls by itself is turned, so that the oldest can come first", () => {
  expect(after(null, "-time", false)).toBe("time");
  expect(after(null, "code,-day", false)).toBe("day");
});

test("one that was chosen is taken off, and one that is asked for stays", () => {
  expect(after(null, "-time", true)).toBeNull();
  expect(after("-code", "-time", false)).toBe("-code");
});
