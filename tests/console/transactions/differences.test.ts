import fc from "fast-check";
import { expect, test } from "vitest";
import { aligned, compared } from "../../../src/console/transactions/differences.ts";

const marked = (parts: readonly { text: string; same: boolean }[]): string =>
  parts.map(({ text, same }) => (same ? text : `[${text}]`)).join("");

/** As the comparison reads it: in any case, and blanks are alike. */
const spoken = (text: string | undefined): string => (text ?? "").toLowerCase().replace(/\s+/gu, " ");

test("what both texts have stands dim, what only one has is lit", () => {
  const [bank, name] = compared("FPX TRF TAN WEI JIE", "Tan Wei Jie");
  expect(marked(bank)).toBe("[FPX TRF ]TAN WEI JIE");
  expect(marked(name)).toBe("Tan Wei Jie");
});

test("one changed digit of a reference is lit on both sides", () => {
  const [bank, own] = compared("D2611210009117", "D2611210008117");
  expect([marked(bank), marked(own)]).toEqual(["D261121000[9]117", "D261121000[8]117"]);
});

test("single letters that happen to be equal stay lit", () => {
  const [bank, own] = compared("FT26633795", "TNG81349818");
  expect([marked(bank), marked(own)]).toEqual(["[FT26633795]", "[TNG81349818]"]);
});

test("a letter made of several code points is never cut", () => {
  const [bank] = compared("Nguye\u0302\u0303n", "Nguyen");
  expect(bank.map(({ text }) => text)).toEqual(["Nguy", "e\u0302\u0303n"]);
});

test("the parts of each side give its text whole, and equal parts are the same on both sides", () => {
  const text = fc.string({ unit: fc.constantFrom("A", "b", "1", " ", "é", "陈"), maxLength: 120 });
  fc.assert(
    fc.property(text, text, (a, b) => {
      const sides = compared(a, b);
      expect(sides.map((side) => side.map((part) => part.text).join(""))).toEqual([a, b]);
      const [left, right] = sides.map((side) => side.flatMap((part) => (part.same ? [part.text] : [])).join(""));
      expect(spoken(left)).toBe(spoken(right));
      const columns = aligned(a, b);
      expect([columns.map(({ above }) => above).join(""), columns.map(({ below }) => below).join("")]).toEqual([a, b]);
      expect(columns.filter(({ above, below, same }) => same && spoken(above) !== spoken(below))).toEqual([]);
      expect(compared(a, a)[0].every((part) => part.same)).toBe(true);
    }),
    { numRuns: 200 },
  );
});

test("what both texts have stands in one column, word by word, and a changed part above its other", () => {
  const shown = aligned("FPX TRF TAN WEI JIE D2611210009117", "Tan Wei Jie D2611210008117").map(
    ({ above, below, same }) => `${above.trim()}${same ? "=" : "|"}${below.trim()}`,
  );
  expect(shown).toEqual(["FPX|", "TRF|", "TAN=Tan", "WEI=Wei", "JIE=Jie", "D261121000=D261121000", "9|8", "117=117"]);
});

test("a word of joined letters is never cut", () => {
  expect(compared("محمد الحسن", "محمد الحسين")[0].map(({ text }) => text)).toEqual(["محمد ", "الحسن"]);
});
