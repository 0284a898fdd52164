import { expect, test } from "vitest";
import { readGameLines } from "../../../src/server/game-provider/game-lines.ts";

const rows = (...lines: string[]) => lines.map((line, at) => ({ n: at + 1, cells: line.split("|") }));

test("columns are code, name, type and picture where no header names them", () => {
  expect(readGameLines(rows("dr-1|Dragon Pearl|Slots|https://cdn.example/1.png", "ba-1|Baccarat"))).toEqual([
    { n: 1, line: { code: "dr-1", name: "Dragon Pearl", type: "slot", image: "https://cdn.example/1.png" }, fault: null },
    { n: 2, line: { code: "ba-1", name: "Baccarat", type: "other", image: "" }, fault: null },
  ]);
});

test.each([
  ["Name|Type|Game code", "Dragon Pearl|live casino|dr-1"],
  ["名称|类型|代码", "Dragon Pearl|live|dr-1"],
  ["Название|Тип|Код", "Dragon Pearl|Live Dealer|dr-1"],
])("a header says which column is which: %s", (header, line) => {
  const [read] = readGameLines(rows(header, line));
  expect(read).toEqual({ n: 2, line: { code: "dr-1", name: "Dragon Pearl", type: "live", image: "" }, fault: null });
});

test("each line has the first thing that is wrong with it, and empty ones are passed over", () => {
  const read = readGameLines(
    rows(
      "a|A game",
      "",
      "|No code",
      "b",
      "c|C|roulette-ish",
      "D|Once",
      "d|Twice",
      "e e|E",
      "f|F|slot|file:///etc",
      `${"x".repeat(81)}|G`,
      "g|!!",
    ),
  );
  expect(read.map(({ n, fault }) => [n, fault?.field ?? null, fault?.line ?? null])).toEqual([
    [1, null, null],
    [3, "code", "Must be filled in"],
    [4, "name", "Must be filled in"],
    [5, "type", "Must be one of slot, live, table, fishing, arcade, crash, lottery, sports, poker, other"],
    [6, null, null],
    [7, null, null],
    [8, "code", "Must have no blanks"],
    [9, "image", "Must be a URL"],
    [10, "code", "Too big: expected string to have <=80 characters"],
    [11, "name", "Must have a letter or digit"],
  ]);
});
