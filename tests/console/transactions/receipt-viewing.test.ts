import { expect, test } from "vitest";
import { atFirst, viewAfter, viewKeyOf } from "../../../src/console/transactions/receipts/viewing.ts";
import type { ViewKey } from "../../../src/console/transactions/receipts/viewing.ts";

const press = (key: string, code = "", held: Partial<Record<"ctrlKey" | "metaKey" | "altKey", true>> = {}) =>
  viewKeyOf({ key, code, ctrlKey: false, metaKey: false, altKey: false, ...held });
const after = (pages: number, ...keys: ViewKey[]) => keys.reduce((view, key) => viewAfter(view, key, pages), atFirst);

test("plus, minus and zero zoom, with and without Shift; r turns, also by its cap on a layout without Latin letters", () => {
  expect(["+", "=", "-", "0", "r", "R", "PageDown", "PageUp", "ArrowLeft", "ArrowRight"].map((key) => press(key))).toEqual([
    "nearer",
    "nearer",
    "farther",
    "whole",
    "turn",
    "turn",
    "page-down",
    "page-up",
    "left",
    "right",
  ]);
  expect(press("к", "KeyR")).toBe("turn");
  expect(press("e", "KeyR"), "another letter stands there").toBeNull();
  expect(["ArrowUp", "ArrowDown", "Home", "a", "Escape"].map((key) => press(key))).toEqual([null, null, null, null, null]);
});

test("a chord is the browser's own", () => {
  expect([press("+", "", { ctrlKey: true }), press("r", "KeyR", { metaKey: true }), press("0", "", { altKey: true })]).toEqual([
    null,
    null,
    null,
  ]);
});

test("as often nearer as farther is where it began, and there is an end both ways", () => {
  expect(after(1, "nearer", "nearer", "farther", "farther")).toEqual(atFirst);
  expect(after(1, ...Array.from({ length: 40 }, () => "nearer" as const)).zoom).toBe(8);
  expect(after(1, ...Array.from({ length: 40 }, () => "farther" as const)).zoom).toBe(0.25);
  expect(after(1, "nearer", "nearer", "whole").zoom).toBe(1);
});

test("pages go to the last and back to the first, and zoom stays with them; four turns are none", () => {
  expect(after(3, "nearer", "page-down", "page-down", "page-down")).toEqual({ zoom: 1.25, turns: 0, page: 3 });
  expect(after(3, "page-down", "page-up", "page-up").page).toBe(1);
  expect(after(1, "turn", "turn", "turn").turns).toBe(3);
  expect(after(1, "turn", "turn", "turn", "turn")).toEqual(atFirst);
});
